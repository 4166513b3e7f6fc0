import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { parseVariant } from '../../core-plugins/delivery/images/address/parse-variant.ts'
import { imagesService } from '../../core-plugins/delivery/images/images.ts'
import { createAdmission } from '../../core-plugins/delivery/images/variants/admission.ts'
import transform from '../../core-plugins/delivery/images/variants/transform-task.ts'
import { variantsTable } from '../../core-plugins/delivery/images/variants/variant-store.ts'
import { mediaService } from '../../core-plugins/delivery/media/media.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { bytesOf, imageAt, pattern, raw } from './images-support.ts'

describe('images under attack', slow, () => {
  let service: MediaService
  const maxWaiting = 10
  before(async () => {
    const env = { SVC_IMAGES_MAX_WAITING: String(maxWaiting), SVC_RATE_LIMIT_ENABLED: 'false' }
    service = await startMediaService({ env })
  })
  after(() => service?.stop())

  it('by thousands of addresses at once make a few and refuse the rest, while others are served', async () => {
    const media = await service.add(await bytesOf(pattern(1500, 1000).jpeg()), 'photo.jpg')
    const images = service.kernel.get(imagesService)
    const before = await imageAt(service, `${media.url}/w640.webp`)
    const statuses = new Map<number, number>()
    const ask = async (number: number) => {
      const url = images.urlOf(media, {
        width: 100 + (number % 1_000),
        quality: 1 + Math.floor(number / 1_000),
      })
      const { status, headers } = await raw(service, url)
      if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const burst = Array.from({ length: 5_000 }, (_, number) => ask(number))
    // Neither what is made already nor anything else waits for it.
    const meanwhile = await imageAt(service, `${media.url}/w640.webp`)
    assert.deepEqual(meanwhile.bytes, before.bytes)
    assert.equal((await service.get('/api/livez')).status, 200)
    await Promise.all(burst)
    assert.deepEqual([...statuses.keys()].sort(), [200, 503])
    assert.ok((statuses.get(503) ?? 0) > 0)
    const rows = await variantsTable.on(service.kernel.get(databaseService)).find([]).all({})
    assert.equal(rows.length, (statuses.get(200) ?? 0) + 1)
    assert.deepEqual(service.incoming(), [])
  })

  it('by images that cannot be made try each once, and remember', slow, async () => {
    const whole = await bytesOf(pattern(300, 200).jpeg())
    const media = await service.add(whole, 'broken.jpg')
    const { storage } = service.kernel.get(mediaService)
    const description = { mediaType: 'image/jpeg', size: 100, disposition: 'inline' } as const
    await storage.write(media.filename, Readable.from([whole.slice(0, 100)]), description)
    assert.equal((await raw(service, `${media.url}/w64.webp`)).status, 400)
    await storage.write(media.filename, Readable.from([whole]), description)
    assert.equal((await raw(service, `${media.url}/w64.webp`)).status, 400)
    // What could not be made says nothing of the others.
    assert.equal((await raw(service, `${media.url}/w32.webp`)).status, 200)
    assert.deepEqual(service.incoming(), [])
  })
})

describe('an image that takes too long', slow, () => {
  it('is given up, and leaves nothing', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-images-'))
    test.after(() => rmSync(folder, { recursive: true }))
    const [source, target] = [join(folder, 'source'), join(folder, 'target')]
    writeFileSync(source, await bytesOf(pattern(4096, 4096).jpeg()))
    const parsed = parseVariant('w4096-blur100.png')
    const options = parsed.kind === 'options' ? parsed.options : assert.fail()
    assert.deepEqual(await transform({ source, target, original: undefined, options, seconds: 1 }), {
      problem: 'slow',
    })
    assert.deepEqual(readdirSync(folder), ['source'])
  })
})

describe('work that is admitted', () => {
  it('runs a few at once, lets a few wait, and gives up after a while', async () => {
    const admit = createAdmission({ atOnce: 1, maxWaiting: 1, waitMs: 5 })
    const { promise, resolve } = withResolvers()
    const first = admit(() => promise)
    const second = admit(async () => 'never')
    await assert.rejects(
      admit(async () => 'never'),
      { code: 'UNAVAILABLE' },
    )
    await assert.rejects(second, { code: 'UNAVAILABLE' })
    const third = admit(async () => 'third')
    resolve()
    await first
    assert.equal(await third, 'third')
    await assert.rejects(
      admit(async () => assert.fail('on purpose')),
      /on purpose/,
    )
    assert.equal(await admit(async () => 'free again'), 'free again')
  })
})

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
