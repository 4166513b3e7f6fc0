import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { parseVariant } from '../../core-plugins/delivery/images/address/parse-variant.ts'
import { imagesService } from '../../core-plugins/delivery/images/images.ts'
import { smallerSource } from '../../core-plugins/delivery/images/variants/smaller-source.ts'
import { defineTask, threadsService } from '../../core-plugins/foundation/threads/threads.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { bytesOf, imageAt, pattern, raw } from './images-support.ts'

const block = defineTask<typeof import('./blocking-task.ts').default>(
  new URL('./blocking-task.ts', import.meta.url),
)

describe('images made of smaller copies', () => {
  let service: MediaService
  before(async () => {
    service = await startMediaService()
  })
  after(() => service?.stop())

  /** From then on images can be made of copies only. */
  const removeOriginal = (filename: string) => rmSync(join(service.workingDirectory, 'uploads', filename))
  const signed = (media: never, request: object) => service.kernel.get(imagesService).urlOf(media, request)

  it('are as large as if they had been made of the original', slow, async () => {
    const media = await service.add(await bytesOf(pattern(1001, 333).jpeg()), 'odd.jpg')
    await imageAt(service, `${media.url}/w750.webp`)
    removeOriginal(media.filename)
    const sizes: unknown[] = []
    for (const name of ['w384.webp', 'w256.avif', 'w128.jpg']) {
      const { format, width, height } = await imageAt(service, `${media.url}/${name}`)
      sizes.push([format, width, height])
    }
    assert.deepEqual(sizes, [
      ['webp', 384, 128],
      ['heif', 256, 85],
      ['jpeg', 128, 43],
    ])
    const cut = { width: 90, height: 90, fit: 'cover' }
    const { width, height } = await imageAt(service, signed(media as never, cut))
    assert.deepEqual([width, height], [90, 90])
  })

  it('stay upright', async () => {
    const sideways = pattern(400, 800).withMetadata({ orientation: 6 })
    const media = await service.add(await bytesOf(sideways.jpeg()), 'sideways.jpg')
    await imageAt(service, `${media.url}/w640.webp`)
    removeOriginal(media.filename)
    const { width, height, bytes } = await imageAt(service, `${media.url}/w128.webp`)
    assert.deepEqual([width, height], [128, 64])
    const top = await sharp(bytes).extract({ left: 0, top: 0, width: 128, height: 32 }).toBuffer()
    const [red, , blue] = (await sharp(top).stats()).channels
    assert.ok((red?.mean ?? 0) > 1.2 * (blue?.mean ?? 255))
  })

  it('are made of the original where no copy serves as well', async () => {
    const media = await service.add(await bytesOf(pattern(900, 300).png()), 'whole.png')
    await imageAt(service, `${media.url}/w384.jpg`)
    removeOriginal(media.filename)
    for (const url of [
      `${media.url}/w640.jpg`,
      `${media.url}/w128.webp`,
      signed(media as never, { width: 100, format: 'jpg', quality: 95 }),
      signed(media as never, { width: 100, format: 'png' }),
    ]) {
      assert.equal((await raw(service, url)).status, 404, url)
    }
    assert.equal((await raw(service, `${media.url}/w128.jpg`)).status, 200)
  })

  it('are made of the original where a copy has gone meanwhile', async () => {
    const media = await service.add(await bytesOf(pattern(900, 300).png()), 'gone.png')
    await imageAt(service, `${media.url}/w640.webp`)
    rmSync(join(service.workingDirectory, 'uploads', 'variants', media.filename, 'w640.webp'))
    assert.equal((await imageAt(service, `${media.url}/w128.webp`)).width, 128)
  })

  it('are made of the smallest that serves', () => {
    const made = [
      'w1920.webp',
      'w1080.avif',
      'w640.jpg',
      'w750-h750-cover.webp',
      'w750-blur3.webp',
      'w750-q20.webp',
    ]
    const from = (name: string) => {
      const parsed = parseVariant(name)
      const options = parsed.kind === 'options' ? parsed.options : assert.fail()
      return smallerSource(
        made.map((ops) => ({ ops })),
        { width: 8000, height: 4000 },
        options,
      )?.ops
    }
    assert.equal(from('w384.webp'), 'w1080.avif')
    assert.equal(from('w384.jpg'), 'w640.jpg')
    assert.equal(from('w750.webp'), 'w1920.webp')
    assert.equal(from('w1920.webp'), undefined)
    assert.equal(from('w100-h900-cover.webp'), undefined)
  })
})

describe('images that are made', slow, () => {
  it('neither wait for uploads nor let these wait', async () => {
    const service = await startMediaService({ env: { SVC_THREADS_MAX: '1' } })
    const uploads = new AbortController()
    try {
      const media = await service.add(await image(300, 200), 'a.png')
      const threads = service.kernel.get(threadsService)
      const blocked = threads.run(block, undefined as never, { signal: uploads.signal })
      assert.equal((await imageAt(service, `${media.url}/w64.webp`)).width, 64)
      uploads.abort(new Error('enough'))
      await assert.rejects(blocked, /enough/)
    } finally {
      uploads.abort()
      await service.stop()
    }
  })
})
