import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { imagesService } from '../../core-plugins/delivery/images/images.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { bytesOf, imageAt, problemsIn, raw } from './images-support.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c83c14' } })

describe('pictures that are longer than a format allows', () => {
  let service: MediaService
  before(async () => {
    service = await startMediaService()
  })
  after(() => service?.stop())

  it('have a size, and the thumbnails that a WebP holds', slow, async () => {
    const page = await service.add(await bytesOf(plain(1001, 16_400).png()), 'page.png')
    assert.deepEqual([page.width, page.height], [1001, 16_400])
    assert.deepEqual(Object.keys(page.formats), ['small', 'medium'])
    const { width, height } = await imageAt(service, page.formats.medium.url)
    assert.deepEqual([width, height], [750, 12_288])
    assert.ok(page.placeholder)
  })

  it('have every variant that their format holds, whatever else has been asked for', slow, async () => {
    const media = await service.add(await bytesOf(plain(200, 30_000).jpeg()), 'strip.jpg')
    assert.ok(media.placeholder)
    for (const name of ['w640.webp', 'w640.avif']) {
      const refusal = await raw(service, `${media.url}/${name}`)
      assert.deepEqual([refusal.status, problemsIn(refusal)], [400, { format: 'range' }], name)
      assert.match(refusal.text, /would be 200 × 30000 pixels, and \.\w+ ends at 1638\d/)
    }
    for (const [name, size] of [
      ['w640.jpg', [200, 30_000]],
      ['w64.jpg', [64, 9_600]],
      ['w64.webp', [64, 9_600]],
    ] as const) {
      const { width, height } = await imageAt(service, `${media.url}/${name}`)
      assert.deepEqual([width, height], size, name)
    }
    assert.throws(
      () => service.kernel.get(imagesService).urlOf(media, { width: 200 }),
      /ask for less, or for another format/,
    )
  })

  it('are cut into parts, as PNG where WebP ends', async () => {
    const media = await service.add(await bytesOf(plain(20, 17_000).gif()), 'strip.gif')
    const area = { x: 0, y: 0, width: 20, height: 16_500 }
    const part = await service.admin.post(`/api/media/${media.id}/crop`, area)
    const { mimeType, height } = part.body.data
    assert.deepEqual([part.status, mimeType, height], [201, 'image/png', 16_500])
  })
})
