import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from '../../client/client.ts'
import { type ImageOptions, imageUrl, srcset } from '../../client/images.ts'
import { createImageAddresses } from '../../core-plugins/delivery/images/address/image-addresses.ts'
import { createPresets } from '../../core-plugins/delivery/images/address/presets.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { image, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'

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

describe('addresses of files for pages on another origin', () => {
  it('have that of the service in front of paths', () => {
    const cms = createClient({ url: 'https://example.com/cms/' })
    const { url: service } = cms
    assert.equal(service, 'https://example.com/cms')
    assert.equal(cms.fileUrl(photo), `https://example.com/cms${url}`)
    assert.equal(imageUrl(photo, { width: 640, service }), `https://example.com/cms${url}/w640.webp`)
    assert.equal(imageUrl({ ...photo, width: null }, { service }), `https://example.com/cms${url}`)
    const widths = [640, 384]
    assert.equal(
      srcset(photo, { widths, service }),
      `https://example.com/cms${url}/w384.webp 384w, https://example.com/cms${url}/w640.webp 640w`,
    )
    for (const elsewhere of [`https://cdn.example.com/${name}`, `//cdn.example.com/${name}`]) {
      assert.equal(cms.fileUrl(elsewhere), elsewhere)
      assert.equal(imageUrl({ ...photo, url: elsewhere }, { width: 16, service }), `${elsewhere}/w16.webp`)
    }
  })

  it('lead to files and images of a service', slow, async (test) => {
    const service = await startMediaService()
    test.after(() => service.stop())
    const { id } = await service.add(await image(900, 700), 'photo.png')
    const { token } = await newApiToken(service, ['media:read'])
    const cms = createClient({ url: `${service.url}/`, token })
    const file = await cms.media.get(id)
    const addresses = [
      cms.fileUrl(file),
      cms.fileUrl(file.formats.small ?? ''),
      cms.fileUrl(await cms.media.imageUrl(id, { width: 80, height: 80, fit: 'cover' })),
      imageUrl(file, { width: 64, service: cms.url }),
      ...srcset(file, { widths: [128, 256], service: cms.url }).split(/ \d+w(?:, )?/),
    ].filter((address) => address !== '')
    assert.equal(addresses.length, 6)
    for (const address of addresses) {
      assert.equal(new URL(address).origin, service.url)
      const { status, headers } = await fetch(address)
      assert.deepEqual([status, headers.get('content-type')?.split('/')[0]], [200, 'image'], address)
    }
  })
})
