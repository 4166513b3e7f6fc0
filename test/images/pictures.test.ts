import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startBareBrowser, withoutBrowser } from '../admin-panel/browser/browser.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { type Shown, showIn } from './browser-pixels.ts'
import { colouredPictures } from './coloured-pictures.ts'
import { damagedPictures } from './damaged-pictures.ts'
import { drawings } from './drawings.ts'
import { without } from './encoders.ts'
import { imageAt } from './images-support.ts'
import type { PictureCase } from './picture-case.ts'

const usualTolerance = 8
const opaque = 255

/** As it looks on white, which is what a JPEG has instead of transparency. */
const onWhite = ([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]) =>
  [red, green, blue].map((value) => Math.round(opaque + ((value - opaque) * alpha) / opaque))

function assertAlike(made: Shown | undefined, original: Shown, picture: PictureCase, what: string): void {
  assert.ok(made !== undefined, `${what} is not shown`)
  for (const [index, wanted] of original.colours.entries()) {
    if (picture.isCut && wanted[3] !== opaque) continue
    const expected = what.endsWith('.jpg') ? onWhite(wanted) : wanted
    const found = made.colours[index] ?? []
    const distance = Math.max(...expected.map((value, channel) => Math.abs(value - (found[channel] ?? 0))))
    const { tolerance = usualTolerance } = picture
    assert.ok(distance <= tolerance, `${what}: ${found} instead of ${expected} at place ${index}`)
  }
}

describe('pictures look as a browser shows them', { skip: withoutBrowser }, () => {
  let service: MediaService
  let browser: Browser
  let page: Page
  before(async () => {
    ;[service, browser] = await Promise.all([
      startMediaService(),
      startBareBrowser(['--force-color-profile=srgb']),
    ])
    page = await browser.newPage()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function check(picture: PictureCase) {
    const bytes = new Uint8Array(await picture.make())
    const media = await service.add(bytes, picture.file)
    const original = await showIn(page, bytes, media.mimeType)
    assert.ok(original !== undefined, 'the browser does not show it either')
    assert.deepEqual([media.width, media.height], [original.width, original.height])
    assert.ok(media.placeholder)
    for (const url of [
      ...(media.formats.small ? [media.formats.small.url] : []),
      ...['webp', 'jpg', 'avif'].map((as) => `${media.url}/w256.${as}`),
    ]) {
      const { bytes: made, type } = await imageAt(service, url)
      assertAlike(await showIn(page, made, type ?? ''), original, picture, url)
    }
    const area = { x: 10, y: 10, width: 200, height: 100 }
    const part = await service.admin.post(`/api/media/${media.id}/crop`, area)
    assert.deepEqual([part.status, part.body.data?.width], [201, 200])
  }

  for (const picture of [...damagedPictures, ...colouredPictures]) {
    it(picture.name, { skip: without(picture.encoder) }, () => check(picture))
  }

  it('drawings have the size that browsers give them', async () => {
    for (const drawing of drawings) {
      const media = await service.add(drawing, 'drawing.svg')
      const shown = await showIn(page, Buffer.from(drawing), 'image/svg+xml')
      assert.deepEqual([media.width, media.height], [shown?.width, shown?.height], drawing)
    }
    for (const size of ['width="1e30" height="1"', 'width="0" height="5"', 'width="5" height="1e-400"']) {
      const { width, height } = await service.add(`<svg ${size}/>`, 'none.svg')
      assert.deepEqual([width, height], [null, null], size)
    }
  })
})
