import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ImageOptions, imageUrl, srcset } from '../../client/images.ts'
import { createImageAddresses } from '../../core-plugins/images/address/image-addresses.ts'
import { createPresets } from '../../core-plugins/images/address/presets.ts'

const name = `${'a'.repeat(32)}.jpg`
const url = `/api/uploads/${name}`
const photo = { url, mimeType: 'image/jpeg', width: 1000, focalX: '0.255', focalY: 0.5 }

describe('addresses of images, as the client makes them', () => {
  it('are on the ladder', () => {
    for (const [options, expected] of [
      [{ width: 640 }, 'w640.webp'],
      [{ width: 641, format: 'avif' }, 'w750.avif'],
      [{ width: 1 }, 'w16.webp'],
      [{ width: 9999 }, 'w3840.webp'],
      [{ preset: 'hero', format: 'jpg' }, 'p-hero.jpg'],
    ] as const) {
      assert.equal(imageUrl(photo, options), `${url}/${expected}`)
    }
  })

  it('are otherwise what the service would make, but for the signature', () => {
    const addresses = createImageAddresses(Buffer.alloc(32), () => createPresets([]))
    const file = { filename: name, focalX: photo.focalX, focalY: photo.focalY }
    for (const options of [
      { width: 800, height: 450, fit: 'cover' },
      { width: 800, height: 450, fit: 'cover', quality: 75, blur: 3, format: 'avif' },
      { width: 800, fit: 'cover', quality: 50, format: 'avif' },
      { height: 7, quality: 80 },
      { height: 7, width: 8, fit: 'fill', quality: 80, format: 'png' },
    ] satisfies ImageOptions[]) {
      const signed = addresses.nameOf(name, addresses.optionsOf(file, options))
      assert.equal(imageUrl(photo, options), `${url}/${signed.replace(/-s[\w-]{16}\./, '.')}`)
    }
  })

  it('come in sets that end with the whole image', () => {
    const widths = (set: string) => set.split(', ').map((each) => each.split(' ').at(-1))
    assert.deepEqual(widths(srcset(photo)), ['256w', '384w', '640w', '750w', '828w', '1000w'])
    assert.equal(srcset(photo, { widths: [600, 300, 310] }), `${url}/w384.webp 384w, ${url}/w640.webp 640w`)
    assert.equal(srcset({ ...photo, width: 20 }, { format: 'avif' }), `${url}/w256.avif 20w`)
    const large = { ...photo, width: 9000 }
    assert.equal(widths(srcset(large)).at(-1), '3840w')
  })

  it('are those of the file where there are no sizes', () => {
    for (const other of [{ mimeType: 'image/svg+xml' }, { mimeType: 'text/plain' }, { width: null }]) {
      assert.equal(imageUrl({ ...photo, ...other }, { width: 8 }), url)
      assert.equal(srcset({ ...photo, ...other }), '')
    }
  })
})
