import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { imagesService } from '../../core-plugins/delivery/images/images.ts'
import { expectStatus, newApiToken, newUser } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { adapters } from '../support/adapters.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { bytesOf, imageAt, pattern, problemsIn, raw } from './images-support.ts'

const preset = { SVC_IMAGES_PRESETS: '["hero=w80-h40-cover", "tiny=w20-q30"]' }

for (const adapter of adapters) {
  describe(`sizes of images on ${adapter}`, () => {
    let service: MediaService
    // biome-ignore lint/suspicious/noExplicitAny: a media record
    let photo: any
    before(async () => {
      service = await startMediaService({ adapter, env: preset })
      photo = await service.add(await bytesOf(pattern(400, 200).jpeg()), 'photo.jpg')
    })
    after(() => service?.stop())

    const signed = (request: Parameters<ReturnType<typeof images>['urlOf']>[1], media = photo) =>
      images().urlOf(media, request)
    const images = () => service.kernel.get(imagesService)

    it('are made in every format, once, and for good', slow, async () => {
      for (const [format, type] of [
        ['avif', 'image/avif'],
        ['webp', 'image/webp'],
        ['jpg', 'image/jpeg'],
      ] as const) {
        const made = await imageAt(service, `${photo.url}/w128.${format}`)
        assert.deepEqual([made.type, made.width, made.height, made.exif], [type, 128, 64, undefined])
        const expected = {
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'accept-ranges': 'bytes',
          'content-disposition': 'inline',
          'content-length': String(made.bytes.length),
        }
        for (const [name, value] of Object.entries(expected))
          assert.equal(made.response.headers.get(name), value, name)
        const again = await imageAt(service, `${photo.url}/w128.${format}`)
        assert.deepEqual(again.bytes, made.bytes)
        assert.equal(again.response.headers.get('etag'), made.response.headers.get('etag'))
      }
      const png = await imageAt(service, signed({ width: 100, format: 'png' }))
      assert.deepEqual([png.format, png.width], ['png', 100])
    })

    it('come in parts, to HEAD, and not to whoever has them', async () => {
      const url = `${photo.url}/w96.webp`
      const head = await service.fetchFile(url, { method: 'HEAD' })
      const { bytes } = await imageAt(service, url)
      assert.deepEqual([head.response.status, head.bytes.length], [200, 0])
      assert.equal(head.response.headers.get('content-length'), String(bytes.length))
      const etag = head.response.headers.get('etag') ?? ''
      const part = await service.fetchFile(url, { headers: { range: 'bytes=2-4', 'if-range': etag } })
      assert.deepEqual([part.response.status, part.bytes], [206, bytes.subarray(2, 5)])
      assert.equal(part.response.headers.get('content-range'), `bytes 2-4/${bytes.length}`)
      const beyond = { range: `bytes=${bytes.length}-` }
      assert.equal((await service.fetchFile(url, { headers: beyond })).response.status, 416)
      const known = await service.fetchFile(url, { headers: { 'if-none-match': etag } })
      assert.deepEqual([known.response.status, known.bytes.length], [304, 0])
    })

    it('have one address, to which other spellings lead', async () => {
      for (const [written, canonical] of [
        ['w640-inside.webp', 'w640.webp'],
        ['fp50x50-q80-w640.webp', 'w640.webp'],
        ['w640.jpeg', 'w640.jpg'],
        ['h40-w80-cover.webp', 'w80-h40-cover.webp'],
      ]) {
        const { status, location } = await raw(service, `${photo.url}/${written}`)
        assert.deepEqual([status, location], [301, `${photo.url}/${canonical}`], written)
      }
      const url = signed({ width: 100, height: 50, fit: 'fill', quality: 3 })
      const shuffled = url.replace('w100-h50-fill-q3', 'q3-fill-h50-w100')
      const { status, location } = await raw(service, shuffled)
      assert.deepEqual([status, location], [301, url])
      // A signature that is not needed makes no address of its own.
      const needless = await raw(service, `${photo.url}/w640-s${'a'.repeat(16)}.webp`)
      assert.deepEqual([needless.status, needless.location], [301, `${photo.url}/w640.webp`])
    })

    it('beyond the ladder need the signature of this file and these options', async () => {
      for (const name of [
        'w641.webp',
        'h640.webp',
        'w640-q79.webp',
        'w640.png',
        'w640-blur1.webp',
        'w80-h41-cover.webp',
      ]) {
        const answer = await raw(service, `${photo.url}/${name}`)
        assert.deepEqual([answer.status, problemsIn(answer)], [400, { signature: 'required' }], name)
      }
      const url = signed({ width: 41 })
      assert.equal((await imageAt(service, url)).width, 41)
      // What has been made is as closed as what has not.
      assert.equal((await raw(service, `${photo.url}/w41.webp`)).status, 400)
      const other = await service.add(await image(300, 300), 'other.png')
      for (const wrong of [
        url.replace('w41', 'w42'),
        url.replace('.webp', '.avif'),
        url.replace(photo.filename, other.filename),
        url.replace(/s.{16}\./, `s${'A'.repeat(16)}.`),
      ]) {
        const answer = await raw(service, wrong)
        assert.deepEqual([answer.status, problemsIn(answer)], [400, { signature: 'signature' }], wrong)
      }
    })

    it('of presets are cut around the focal point, which moves without making two of them', async () => {
      const media = await service.add(await bytesOf(pattern(400, 200).png()), 'focus.png')
      const at = async (path: string) => {
        const { status, location } = await raw(service, `${media.url}/${path}`)
        return [status, location?.slice(media.url.length + 1)]
      }
      assert.deepEqual(await at('p-hero.webp'), [302, 'w80-h40-cover.webp'])
      assert.deepEqual(await at('p-tiny.jpg'), [302, 'w20-q30.jpg'])
      assert.deepEqual(await at('w80-h40-cover-fp1x1.webp'), [302, 'w80-h40-cover.webp'])
      assert.equal((await raw(service, `${media.url}/p-none.webp`)).status, 400)
      const square = { width: 40, height: 40, fit: 'cover' } as const
      for (const [focalX, share] of [
        [0, 1.5],
        [1, 1 / 1.5],
      ] as const) {
        const update = await service.admin.put(`/api/media/${media.id}`, { focalX, focalY: 0.5 })
        const record = expectStatus(update, 200).body.data
        const { bytes } = await imageAt(service, signed(square, record))
        const [red, , blue] = (await sharp(bytes).stats()).channels
        const found = (red?.mean ?? 0) / (blue?.mean ?? 1)
        assert.ok(share > 1 ? found > share : found < share, `${focalX}: ${found}`)
      }
      assert.deepEqual(await at('p-hero.webp'), [302, 'w80-h40-cover-fp100x50.webp'])
      // What pages have built in goes on working.
      assert.deepEqual(await at('w80-h40-cover.webp'), [302, 'w80-h40-cover-fp100x50.webp'])
      assert.deepEqual(await at('w80-h40-cover-fp0x50.webp'), [302, 'w80-h40-cover-fp100x50.webp'])
      assert.deepEqual(await at('w80-h40-cover-fp100x50.webp'), [200, undefined])
    })

    it('are refused for what is no name of a file or of an image', async () => {
      const at = async (path: string) => (await raw(service, path)).status
      const none = '0'.repeat(32)
      for (const path of [
        `/api/uploads/${none}.jpg/w640.webp`,
        `/api/uploads/../${photo.filename}/w640.webp`,
        `/api/uploads/..%2f${photo.filename}/w640.webp`,
        `/api/uploads/%2e%2e/w640.webp`,
        `/api/uploads/variants/${photo.filename}/w640.webp`,
        `/api/uploads/variants%2f${photo.filename}%2fw640.webp`,
        `/api/uploads/${photo.filename}/..%2fw640.webp`,
        `/api/uploads/${photo.filename}/w640.webp/`,
        `/api/uploads/${photo.filename}//w640.webp`,
        `/api/uploads/${photo.filename}/%00w640.webp`,
        `/api/uploads/${photo.filename}/w640%5c.webp`,
        `/api/uploads/${photo.filename.toUpperCase()}/w640.webp`,
        `/api/uploads/.incoming/w640.webp`,
        `/api/uploads/${photo.filename}/w%EF%BC%96.webp`,
        `/api/uploads/${photo.filename}/w99999999999999999999.webp`,
        `/api/uploads/${photo.filename}/w640.5.webp`,
        `/api/uploads/${photo.filename}/constructor.webp`,
        `/api/uploads/${photo.filename}/${'w640-'.repeat(200)}.webp`,
      ]) {
        assert.ok([400, 404].includes(await at(path)), `${path}: ${await at(path)}`)
      }
      // Percent-encoding is no other address.
      assert.equal(await at(`/api/uploads/${photo.filename}/%77640.webp?x=1`), 200)
    })
  })
}

describe('images of every kind', () => {
  let service: MediaService
  before(async () => {
    service = await startMediaService({ env: preset })
  })
  after(() => service?.stop())

  const signed = (media: never, request: object) => service.kernel.get(imagesService).urlOf(media, request)
  const problemsAt = async (url: string) => {
    const answer = await raw(service, url)
    return [answer.status, problemsIn(answer)]
  }

  it('are upright, in sRGB and without metadata', slow, async () => {
    const sideways = pattern(200, 400)
      .withExif({ IFD0: { Copyright: 'x' } })
      .withMetadata({ orientation: 6 })
    const media = await service.add(await bytesOf(sideways.jpeg()), 'sideways.jpg')
    const made = await imageAt(service, `${media.url}/w128.jpg`)
    assert.deepEqual([made.width, made.height, made.exif, made.orientation], [128, 64, undefined, undefined])
    const half = { left: 0, width: 128, height: 32 }
    for (const [top, share] of [
      [0, 1.2],
      [32, 1 / 1.2],
    ] as const) {
      const part = await sharp(made.bytes)
        .extract({ ...half, top })
        .toBuffer()
      const [red, , blue] = (await sharp(part).stats()).channels
      const found = (red?.mean ?? 0) / (blue?.mean ?? 1)
      assert.ok(share > 1 ? found > share : found < share, `${top}: ${found}`)
    }
    const cmyk = await service.add(await bytesOf(pattern(200, 100).toColourspace('cmyk').jpeg()), 'cmyk.jpg')
    for (const format of ['jpg', 'webp', 'avif']) {
      const { space } = await imageAt(service, `${cmyk.url}/w64.${format}`)
      assert.equal(space, 'srgb', format)
    }
  })

  it('keep what is transparent, or get white behind it', async () => {
    const create = {
      width: 300,
      height: 100,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    } as const
    const media = await service.add(await bytesOf(sharp({ create }).png()), 'clear.png')
    assert.equal((await imageAt(service, `${media.url}/w64.webp`)).hasAlpha, true)
    for (const url of [`${media.url}/w64.jpg`, signed(media as never, { ...square, format: 'jpg' })]) {
      const { bytes, hasAlpha } = await imageAt(service, url)
      const { channels } = await sharp(bytes).stats()
      assert.deepEqual([hasAlpha, channels.map(({ min }) => min > 250)], [false, [true, true, true]], url)
    }
  })

  const square = { width: 60, height: 60, fit: 'contain' } as const

  it('are cut, stretched, set into bars and blurred, and never grow', async () => {
    const media = await service.add(await bytesOf(pattern(400, 200).png()), 'shape.png')
    for (const [request, size] of [
      [{ width: 60, height: 60, fit: 'cover' }, [60, 60]],
      [{ width: 60, height: 60, fit: 'fill', blur: 3 }, [60, 60]],
      [square, [60, 60]],
      [{ width: 60, height: 60 }, [60, 30]],
      [{ width: 4096, height: 4096, fit: 'cover' }, [200, 200]],
      [{ width: 4096, quality: 95 }, [400, 200]],
    ] as const) {
      const { width, height } = await imageAt(service, signed(media as never, request))
      assert.deepEqual([width, height], size, JSON.stringify(request))
    }
    const { bytes } = await imageAt(service, signed(media as never, { ...square, format: 'png' }))
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.channels, data[3], data[(30 * 60 + 30) * 4 + 3]], [4, 0, 255])
  })

  it('that move are shown by their first picture', async () => {
    const frames = await sharp([Buffer.from(await image(100, 50)), await pattern(100, 50).png().toBuffer()], {
      join: { animated: true },
    })
      .gif()
      .toBuffer()
    const media = await service.add(new Uint8Array(frames), 'moving.gif')
    const { width, height, bytes } = await imageAt(service, `${media.url}/w64.webp`)
    assert.deepEqual([width, height, (await sharp(bytes).metadata()).pages], [64, 32, undefined])
  })

  it('are none for drawings, texts and what cannot be decoded', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'
    const photo = await bytesOf(pattern(900, 900).jpeg())
    for (const [content, name] of [
      [svg, 'drawing.svg'],
      ['just text', 'notes.txt'],
      [photo.slice(0, 100), 'headless.jpg'],
    ] as const) {
      const media = await service.add(content, name)
      assert.deepEqual(await problemsAt(`${media.url}/w64.webp`), [400, { file: 'image' }], name)
      const asked = await service.admin.get(`/api/media/${media.id}/image-url?width=64`)
      assert.equal(asked.status, 400, name)
    }
    const { variants } = await service.add(await image(20, 20), 'a.png')
    assert.equal(variants, undefined)
  })

  it('of a hundred megapixels in a few bytes do no harm', slow, async () => {
    const create = { width: 10_100, height: 10_000, channels: 3, background: '#fff' } as const
    const bomb = await sharp({ create, limitInputPixels: false }).png({ palette: true, colors: 2 }).toBuffer()
    const media = await service.add(new Uint8Array(bomb), 'bomb.png')
    assert.deepEqual([media.width, media.placeholder], [10_100, null])
    assert.deepEqual(await problemsAt(`${media.url}/w16.webp`), [400, { file: 'image' }])
  })

  it('that are heavy as AVIF are WebP until a job has made them', slow, async () => {
    const media = await service.add(await bytesOf(pattern(2600, 1700).jpeg()), 'large.jpg')
    const url = `${media.url}/w3840.avif`
    const first = await raw(service, url)
    assert.deepEqual([first.status, first.location], [302, `${media.url}/w3840.webp`])
    assert.equal(first.headers['cache-control'], 'no-store')
    await service.kernel.get(jobsService).drain()
    const { type, width } = await imageAt(service, url)
    assert.deepEqual([type, width], ['image/avif', 2600])
  })

  it('have signed addresses for those who build pages, and free ones for end users', async () => {
    const { id, url } = await service.add(await image(300, 200), 'asked.png')
    const path = `/api/media/${id}/image-url`
    const ask = async (query: string, client = service.admin) => {
      const { status, body } = await client.get(`${path}?${query}`)
      return status === 200 ? body.data.url : status
    }
    const address = await ask('width=100&height=100&fit=cover&format=avif&quality=40&blur=2')
    assert.match(address, /w100-h100-cover-q40-blur2-s[\w-]{16}\.avif$/)
    assert.equal((await imageAt(service, address)).width, 100)
    assert.equal(await ask('width=640'), `${url}/w640.webp`)
    assert.equal(await ask('preset=hero&format=jpg'), `${url}/w80-h40-cover.jpg`)
    for (const wrong of ['', 'width=0', 'width=1.5', 'width=9999', 'fit=none&width=1', 'preset=no', 'x=1']) {
      assert.equal(await ask(wrong), 400, wrong)
    }
    const { client: token } = await newApiToken(service, ['media:read'])
    assert.match(await ask('width=101', token), /-s/)
    const { client: writer } = await newApiToken(service, ['media:write'])
    assert.equal(await ask('width=640', writer), 403)
    assert.equal((await service.get(`${path}?width=640`)).status, 401)
    const role = { name: 'viewer', type: 'custom', permissions: { content: {}, media: { read: true } } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    const { client: viewer } = await newUser(service, 'viewer')
    assert.equal(await ask('width=640', viewer), `${url}/w640.webp`)
    assert.equal(await ask('width=641', viewer), 403)
  })
})

describe('sizes of images over GraphQL', () => {
  const type = {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' }, cover: { type: 'media' } },
  }
  const query = `{ notes(sort: "id") { data { cover {
    placeholder
    free: imageUrl(width: 640, format: avif)
    signed: imageUrl(width: 100, height: 50, fit: cover)
    wrong: imageUrl(width: 5000)
  } } } }`

  it(
    'are signed for those who build pages, free for everybody else, and none without the plugin',
    slow,
    async (test) => {
      const service = await startMediaService({ schemas: { 'note.json': type } })
      test.after(() => service.stop())
      const photo = await service.add(await image(300, 200), 'photo.png')
      const text = await service.add('just text', 'notes.txt')
      for (const cover of [photo.id, text.id]) {
        expectStatus(await service.admin.post('/api/content/note', { title: 'A note', cover }), 201)
      }
      const ask = async (client: Pick<MediaService, 'post'>) =>
        (await client.post('/api/graphql', { query })).body
      const { data, errors } = await ask(service.admin)
      const [first, second] = data.notes.data.map(({ cover }: { cover: unknown }) => cover)
      assert.equal(first.free, `${photo.url}/w640.avif`)
      assert.equal(first.placeholder, photo.placeholder)
      assert.match(first.signed, /w100-h50-cover-s[\w-]{16}\.webp$/)
      assert.equal((await imageAt(service, first.signed)).height, 50)
      assert.deepEqual(
        [first.wrong, second],
        [null, { placeholder: null, free: null, signed: null, wrong: null }],
      )
      assert.deepEqual(
        errors.map(({ path, extensions }: { path: unknown; extensions: { code: string } }) => [
          path,
          extensions.code,
        ]),
        [[['notes', 'data', 0, 'cover', 'wrong'], 'VALIDATION_ERROR']],
      )
      const { client: reader } = await newApiToken(service, ['content:read'])
      const read = await ask(reader)
      const [cover] = read.data.notes.data.map((note: { cover: unknown }) => note.cover)
      assert.deepEqual([cover.free, cover.signed], [`${photo.url}/w640.avif`, null])
      assert.ok(
        read.errors.some(
          ({ extensions }: { extensions: { code: string } }) => extensions.code === 'FORBIDDEN',
        ),
      )
    },
  )

  it('are switched off with the plugin, of which media knows nothing', async (test) => {
    const schemas = { 'note.json': type }
    const service = await startMediaService({ schemas, env: { SVC_PLUGINS_DISABLED: 'images' } })
    test.after(() => service.stop())
    const photo = await service.add(await image(300, 200), 'photo.png')
    assert.match(photo.placeholder, /^[\w+/]+=*$/)
    assert.equal((await raw(service, `${photo.url}/w64.webp`)).status, 404)
    assert.equal((await service.admin.get(`/api/media/${photo.id}/image-url?width=64`)).status, 404)
    const { body } = await service.admin.post('/api/graphql', { query })
    assert.match(body.errors[0].message, /imageUrl/)
    expectStatus(await service.admin.delete(`/api/media/${photo.id}`), 200)
  })

  it('are no reason to have a media library', async (test) => {
    const schemas = { 'note.json': { ...type, attributes: { title: { type: 'string' } } } }
    const service = await startService({ schemas, env: { SVC_PLUGINS_DISABLED: 'media' } })
    test.after(() => service.stop())
    assert.equal((await service.get(`/api/uploads/${'0'.repeat(32)}.jpg/w640.webp`)).status, 404)
    assert.throws(() => service.kernel.get(imagesService).urlOf({} as never, { width: 1 }), /media library/)
  })
})
