import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { runtimeSettingsService } from '../../core-plugins/foundation/config/config.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { expectStatus, newApiToken } from './auth-callers.ts'
import { type MediaService, startMediaService } from './media-support.ts'

const bytes = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))))

/** 48/1 and 12/1, as Exif has them. */
const latitude = Buffer.from([48, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0])

/** What says where and with what a photo was taken; it must not be found in anything public. */
const secrets = ['Pentacon Six', 'SN-4711', 'Schwedenplatz', '48,12.5N', 'serial="X9"', 'Vienna', latitude]

const exif = {
  IFD0: { Make: 'Pentacon Six', Model: 'Pentacon Six TL', Artist: 'Jana Nová', Copyright: '© Jana Nová' },
  IFD2: { BodySerialNumber: 'SN-4711', ColorSpace: '1' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 30/1' },
}

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
 xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
 exif:GPSLatitude="48,12.5N" photoshop:City="Vienna" aux:serial="X9" GPano:ProjectionType="equirectangular">
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Tram &amp; people</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>Jana Nová</rdf:li></rdf:Seq></dc:creator>
<Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li xml:lang="x-default">A red tram</rdf:li></rdf:Alt></Iptc4xmpCore:AltTextAccessibility>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

const pixels = { create: { width: 640, height: 480, channels: 3, background: '#a33' } } as const

type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff'

/** A photo as phones and programs make it: turned, in Display P3, with all kinds of data about it. */
async function photo(format: Format): Promise<Buffer> {
  const picture = sharp(pixels).withMetadata({ orientation: 6 }).withExifMerge(exif)
  return picture.withIccProfile('p3').withXmp(xmp).toFormat(format).toBuffer()
}

const dataset = (number: number, text: string) =>
  bytes(Uint8Array.of(0x1c, 2, number, 0, Buffer.byteLength(text)), text)

/** A JPEG with a segment of Photoshop in it. */
function withIptc(jpeg: Buffer, ...texts: readonly (readonly [number, string])[]): Uint8Array<ArrayBuffer> {
  const iptc = bytes(...texts.map(([number, text]) => dataset(number, text)))
  const even = iptc.length % 2 === 0 ? iptc : bytes(iptc, '\0')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(iptc.length)
  const data = bytes('Photoshop 3.0\0', '8BIM', Uint8Array.of(4, 4, 0, 0), size, even)
  const header = Uint8Array.of(0xff, 0xed, (data.length + 2) >> 8, (data.length + 2) & 255)
  return bytes(jpeg.subarray(0, 2), header, data, jpeg.subarray(2))
}

/** A part of a file of boxes: HEIC, JPEG XL, MP4, QuickTime. */
function box(type: string, ...content: readonly (string | Uint8Array)[]) {
  const data = bytes(...content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length + 8)
  head.write(type, 4, 'latin1')
  return bytes(head, data)
}

const zeros = (count: number) => Buffer.alloc(count)
const numbers = (...values: readonly number[]) => {
  const content = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) content.writeUInt32BE(value, 4 * index)
  return content
}
const handler = (kind: string) => box('hdlr', zeros(8), kind, zeros(13))

/** As phones write it: in user data, under keys, in XMP, in a track of places, in what is free, and in boxes of their own. */
function movie(brand: string): Uint8Array<ArrayBuffer> {
  const track = 'Schwedenplatz, every second'
  const kind = box('ftyp', brand, zeros(4), brand)
  const data = box('mdat', 'picture', track)
  const place = kind.length + 8 + 'picture'.length
  const table = box(
    'stbl',
    box('stsd', zeros(8)),
    box('stsz', numbers(0, 0, 2, 10, track.length - 10)),
    box('stsc', numbers(0, 1, 1, 2, 1)),
    box('stco', numbers(0, 1, place)),
  )
  const keys = [
    'com.apple.quicktime.location.ISO6709',
    'com.apple.quicktime.make',
    'com.apple.quicktime.title',
  ]
  const item = (key: number, text: string) => {
    const content = box('data', numbers(1, 0), text)
    return bytes(numbers(content.length + 8, key), content)
  }
  const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
  return bytes(
    kind,
    data,
    box(
      'moov',
      box('mvhd', zeros(100)),
      box('trak', box('mdia', handler('meta'), box('minf', table))),
      box('trak', box('udta', box('\xa9xyz', 'Vienna'), box('name', 'A tram'))),
      box('udta', box('loci', zeros(6), 'Vienna'), box('\xa9nam', 'A tram'), box('XMP_', xmp)),
      box(
        'meta',
        handler('mdta'),
        box('keys', numbers(0, keys.length), ...keys.map((key) => box('mdta', key))),
        box('ilst', item(1, 'Schwedenplatz'), item(2, 'Pentacon Six'), item(3, 'A tram')),
      ),
      box('uuid', 'SN-4711 and more bytes'),
    ),
    box('uuid', xmpId, xmp),
    box('free', 'Pentacon Six'),
    box('sefd', 'Schwedenplatz'),
  )
}

/** Two pages of one pixel, and what a camera writes; places of values are counted from the beginning. */
function tiff(): Uint8Array<ArrayBuffer> {
  const [first, second, place, values] = [8, 150, 260, 320]
  const pixel = values + 60
  const entry = (tag: number, type: number, count: number, value: number) => {
    const content = Buffer.alloc(12)
    content.writeUInt16LE(tag)
    content.writeUInt16LE(type, 2)
    content.writeUInt32LE(count, 4)
    content.writeUInt32LE(value, 8)
    return content
  }
  const page = [
    ...[entry(256, 3, 1, 1), entry(257, 3, 1, 1), entry(258, 3, 1, 8), entry(259, 3, 1, 1)],
    ...[entry(262, 3, 1, 1), entry(273, 4, 1, pixel), entry(279, 4, 1, 1)],
  ]
  const directory = (entries: readonly Buffer[], next: number) => {
    const content = Buffer.alloc(2 + 12 * entries.length + 4)
    content.writeUInt16LE(entries.length)
    Buffer.concat(entries).copy(content, 2)
    content.writeUInt32LE(next, content.length - 4)
    return content
  }
  const content = Buffer.alloc(pixel + 1, 7)
  content.write('II*\0\x08\0\0\0', 'latin1')
  const make = entry(0x010f, 2, 13, values)
  const artist = entry(0x013b, 2, 5, values + 40)
  const photo = [...page.slice(0, 5), make, ...page.slice(5), artist, entry(0x8825, 4, 1, place)]
  directory(photo, second).copy(content, first)
  directory(page, 0).copy(content, second)
  directory([entry(2, 5, 2, values + 20)], 0).copy(content, place)
  content.write('Pentacon Six\0', values)
  latitude.copy(content, values + 20)
  content.write('Jana\0', values + 40)
  return bytes(content)
}

/** A picture of the container that both have. */
function heicOf(avif: Buffer): Buffer {
  const content = Buffer.from(avif)
  for (let at = content.indexOf('avif'); at !== -1 && at < 32; at = content.indexOf('avif'))
    content.write('heic', at)
  return content
}

/** An animation with a packet of XMP, which a row of numbers ends. */
async function gif() {
  const plain = await sharp(pixels).gif().toBuffer()
  const end = Uint8Array.from({ length: 258 }, (_, index) =>
    index === 0 ? 1 : index < 257 ? 256 - index : 0,
  )
  const extension = bytes(Uint8Array.of(0x21, 0xff, 11), 'XMP DataXMP', xmp, end)
  return bytes(plain.subarray(0, -1), extension, plain.subarray(-1))
}

const jxl = () =>
  bytes(
    box('JXL ', Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a)),
    box('ftyp', 'jxl ', zeros(4), 'jxl '),
    box('Exif', zeros(4), 'II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0\x0d\0\0\0\x1a\0\0\0', 'Pentacon Six\0'),
    box('xml ', xmp),
    box('brob', 'xml ', 'SN-4711'),
    box('jxlc', Buffer.from('/wroAGKAgOJCCAIBAGQASxiLFQDUH2PQ/18gAgBAcqqAAAKqtiQaCA==', 'base64')),
  )

const holds = (content: Buffer) => secrets.filter((secret) => content.includes(secret))

describe('where a photo was taken', () => {
  let service: MediaService
  before(async () => {
    service = await startMediaService()
  })
  after(() => service.stop())

  const original = async (id: number, token?: string) =>
    fetch(`${service.url}/api/media/${id}/original`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })

  for (const format of ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const) {
    it(`is not in a public ${format}; how it is shown, and who made it, is`, slow, async () => {
      const sent = await photo(format)
      assert.ok(holds(sent).length >= 3 && (holds(sent).includes(latitude) || format === 'tiff'))
      const media = await service.add(new Uint8Array(sent), `a.${format === 'jpeg' ? 'jpg' : format}`)
      const { bytes: shown } = await service.fetchFile(media.url)
      assert.deepEqual(holds(shown), [])
      assert.equal(shown.length, sent.length)
      const [before, after] = [await sharp(sent).metadata(), await sharp(shown).metadata()]
      for (const name of ['orientation', 'width', 'height', 'space'] as const)
        assert.equal(after[name], before[name], name)
      assert.deepEqual(after.icc, before.icc)
      // Of a TIFF, that is in its own directory.
      assert.ok((format === 'tiff' ? shown : after.exif)?.includes('Jana Nov'))
      // sharp compresses that of a PNG, of which nothing stays.
      if (format !== 'png') assert.match(after.xmpAsString ?? '', /GPano:ProjectionType="equirectangular"/)
      const raw = (content: Buffer) => sharp(content).raw().toBuffer()
      assert.deepEqual(await raw(shown), await raw(sent))
      // Browsers do not turn a WebP.
      assert.deepEqual([media.width, media.height], format === 'webp' ? [640, 480] : [480, 640])
    })
  }

  it('is not in what IPTC says; its caption and creator are texts of the record', slow, async () => {
    const jpeg = await sharp(pixels).jpeg().toBuffer()
    const sent = withIptc(jpeg, [90, 'Vienna'], [92, 'Schwedenplatz'], [120, 'A tram'], [80, 'Jana'])
    const media = await service.add(sent, 'iptc.jpg')
    const { bytes: shown } = await service.fetchFile(media.url)
    assert.deepEqual(holds(shown), [])
    assert.ok(shown.includes('A tram') && shown.includes('Jana'))
    assert.equal(media.caption, 'A tram (Jana)')
    const described = await service.add(new Uint8Array(await photo('jpeg')), 'xmp.jpg')
    assert.deepEqual([described.alt, described.caption], ['A red tram', 'Tram & people (Jana Nová)'])
  })

  for (const [name, make] of [
    ['a.gif', gif],
    ['pages.tif', tiff],
    ['a.jxl', jxl],
    ['a.mp4', () => movie('isom')],
    ['a.mov', () => movie('qt  ')],
    ['a.m4a', () => movie('M4A ')],
    ['a.heic', async () => heicOf(await photo('avif'))],
    ['moving.jpg', async () => bytes(await sharp(pixels).jpeg().toBuffer(), movie('mp42'))],
  ] as const) {
    it(`is not in ${name}, of which nothing else is changed`, slow, async () => {
      const sent = new Uint8Array(await make())
      assert.ok(holds(Buffer.from(sent)).length > 0)
      const media = await service.add(sent, name)
      const { bytes: shown } = await service.fetchFile(media.url)
      assert.deepEqual(holds(shown), [])
      assert.equal(shown.length, sent.length)
      for (const kept of ['A tram', 'Tram &amp; people', 'picture', 'Jana']) {
        assert.equal(shown.includes(kept), Buffer.from(sent).includes(kept), kept)
      }
      const raw = (content: Uint8Array) =>
        sharp(content, { pages: name === 'pages.tif' ? -1 : 1 })
          .raw()
          .toBuffer()
      if (/gif|jpg|tif/.test(name)) assert.deepEqual(await raw(shown), await raw(sent))
    })
  }

  it('a stream of JPEG XL without boxes, and one of another kind, stay as they are', async () => {
    const stream = Buffer.from('/wroAGKAgOJCCAIBAGQASxiLFQDUH2PQ/18gAgBAcqqAAAKqtiQaCA==', 'base64')
    const media = await service.add(new Uint8Array(stream), 'a.jxl')
    assert.deepEqual((await service.fetchFile(media.url)).bytes, stream)
  })

  it('is not in pictures within the picture, nor in one that is cut off', async () => {
    const jpeg = await sharp(pixels).jpeg().toBuffer()
    const gainMap = await photo('jpeg')
    for (const content of [bytes(jpeg, gainMap), gainMap.subarray(0, -60), gainMap.subarray(0, 9_000)]) {
      const media = await service.add(new Uint8Array(content), 'two.jpg')
      assert.deepEqual(holds((await service.fetchFile(media.url)).bytes), [])
    }
  })

  it('stays in the file as it was uploaded, for those who may write media', async () => {
    const sent = await photo('jpeg')
    const media = await service.add(new Uint8Array(sent), 'Jána.jpg')
    const writer = await newApiToken(service, ['media:read', 'media:write'])
    const answer = await original(media.id, writer.token)
    assert.equal(answer.status, 200)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), sent)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment;.*J%C3%A1na\.jpg/)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    const reader = await newApiToken(service, ['media:read'])
    assert.equal((await original(media.id, reader.token)).status, 403)
    assert.equal((await original(media.id)).status, 401)

    const [key = ''] = service.files().filter((name) => name.includes('_original-'))
    const own = service.files().filter((name) => name.startsWith(media.filename.slice(0, 32)))
    const secret = own.find((name) => name.includes('_original-')) ?? ''
    assert.notEqual(key, '')
    assert.equal((await service.fetchFile(`/api/uploads/${secret}`)).response.status, 404)
    assert.equal((await service.fetchFile(`/api/uploads/${secret}/w64.webp`)).response.status, 404)
    const client = createClient(service.url, reader.token)
    for (const path of [
      `/api/media/${media.id}`,
      '/api/media?limit=100',
      `/api/media/${media.id}/variants`,
    ]) {
      assert.ok(!JSON.stringify((await client.get(path)).body).includes('_original-'), path)
    }
    assert.equal((await client.get('/api/media?filters[untouched][$contains]=a')).status, 400)
    assert.equal((await service.admin.put(`/api/media/${media.id}`, { untouched: 'x.jpg' })).status, 400)
  })

  it('goes with its record, and with the file that replaces it', async () => {
    const content = await photo('webp')
    const media = await service.add(new Uint8Array(content), 'a.webp')
    const own = (filename: string) =>
      service.files().filter((name) => name.startsWith(`${filename.slice(0, 32)}_original-`))
    assert.equal(own(media.filename).length, 1)
    const file = { name: 'file', content: new Uint8Array(content), filename: 'b.webp' }
    const { body } = await service.send('PUT', `/api/media/${media.id}/file`, [file])
    await until(() => own(media.filename).length === 0)
    assert.equal(own(body.data.filename).length, 1)
    expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
    await until(() => own(body.data.filename).length === 0)
  })

  it('stays where a setting says so; files that say nothing are kept once', slow, async () => {
    const plain = await sharp(pixels).jpeg().toBuffer()
    const media = await service.add(new Uint8Array(plain), 'plain.jpg')
    assert.deepEqual((await service.fetchFile(media.url)).bytes, plain)
    assert.ok(!service.files().some((name) => name.startsWith(`${media.filename.slice(0, 32)}_original-`)))
    const open = await startMediaService({ env: { SVC_MEDIA_REMOVE_PRIVATE_DATA: 'false' } })
    const sent = await photo('jpeg')
    const kept = await open.add(new Uint8Array(sent), 'a.jpg')
    assert.deepEqual((await open.fetchFile(kept.url)).bytes, sent)
    await open.stop()
  })

  it(
    'is taken out of files of before when somebody asks for it, and nothing else of them changes',
    slow,
    async () => {
      const open = await startMediaService()
      const setting = (isOn: boolean) =>
        open.kernel.get(runtimeSettingsService).replaceDatabaseLayer({ 'media.removePrivateData': isOn })
      setting(false)
      const sent = await photo('jpeg')
      const plain = await sharp(pixels).jpeg().toBuffer()
      const photos = [await open.add(new Uint8Array(sent), 'a.jpg'), await open.add(movie('isom'), 'b.mp4')]
      const untouched = await open.add(new Uint8Array(plain), 'plain.jpg')
      const gone = await open.add(new Uint8Array(sent), 'gone.jpg')
      rmSync(join(open.workingDirectory, 'uploads', gone.filename))
      const said = { alt: 'Mine', caption: null, focalX: 0.2, focalY: 0.3, tags: 'a, b' }
      expectStatus(await open.admin.put(`/api/media/${photos[0].id}`, said), 200)
      const ask = () => open.admin.post('/api/media/clean-private-data', {})
      expectStatus(await ask(), 409)
      setting(true)
      const writer = await newApiToken(open, ['media:read'])
      expectStatus(await createClient(open.url, writer.token).post('/api/media/clean-private-data', {}), 403)
      const run = async () => {
        const { status, body } = await ask()
        assert.equal(status, 202)
        const job = await open.kernel.get(jobsService).finished(body.data.jobId)
        assert.deepEqual([job.status, job.error], ['completed', null])
      }
      await run()
      for (const before of photos) {
        const { data } = (await open.admin.get(`/api/media/${before.id}`)).body
        const { bytes: shown } = await open.fetchFile(data.url)
        assert.notEqual(data.filename, before.filename)
        assert.deepEqual(holds(shown), [])
        assert.equal(shown.length, before.size)
        await until(() => !open.files().includes(before.filename))
        const moved = await open.fetchFile(before.url)
        assert.deepEqual([moved.response.redirected, moved.bytes], [true, shown])
        if (before.mimeType !== 'image/jpeg') continue
        const { alt, caption, focalX, focalY, tags, width, originalName } = data
        assert.deepEqual({ alt, caption, focalX, focalY, tags }, said)
        assert.deepEqual([width, originalName], [480, 'a.jpg'])
        const own = open.files().filter((name) => name.startsWith(`${data.filename.slice(0, 32)}_original-`))
        assert.equal(own.length, 1)
        assert.deepEqual(readFileSync(join(open.workingDirectory, 'uploads', own[0] ?? '')), sent)
      }
      const names = open.files()
      assert.ok(names.includes(untouched.filename))
      await run()
      assert.deepEqual(open.files(), names)
      await open.stop()
    },
  )

  it('of files that attack the reader is no way to stop it', async () => {
    const jpeg = await sharp(pixels).jpeg().toBuffer()
    const tags = Buffer.alloc(60_000, 0xff)
    tags.write('Exif\0\0II*\0\x08\0\0\0', 'latin1')
    const loop = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08', 'latin1')
    for (const data of [
      tags,
      loop,
      Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1'),
      Buffer.from('Exif\0\0'),
    ]) {
      const header = Uint8Array.of(0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255)
      await service.add(bytes(jpeg.subarray(0, 2), header, data, jpeg.subarray(2)), 'a.jpg')
    }
    await service.add(bytes(jpeg, Buffer.alloc(3_000_000, Buffer.from([0xff, 0xd8, 0xff, 0xe1]))), 'b.jpg')
    const open = `<x:xmpmeta>${'<dc:title>'.repeat(20_000)}`
    const webp = await sharp(pixels).webp().withXmp(`${xmp}${open}`).toBuffer()
    await service.add(new Uint8Array(webp), 'c.webp')
  })

  it('of files that name the same thousands of times is looked for once', slow, async () => {
    const sign = '\x21\xff\x0bXMP DataXMP'
    const end = Uint8Array.of(1, 0xff, 0xfe, 0xfd)
    const packet = bytes(sign, '<rdf:Description '.repeat(7_000), '<dc:title>'.repeat(12_000), end)
    const manyParts = Buffer.alloc(6 * 65_535, Buffer.from([0, 9, 0, 0, 0xff, 0xff]))
    const items = box('meta', zeros(4), box('iinf', zeros(6)), box('iloc', zeros(6), '\xff\xff', manyParts))
    const count = 1_000_000
    const directories = Buffer.alloc(64 + 4 * count)
    directories.write('II*\0\x08\0\0\0\x01\0\x4a\x01\x04\0', 'latin1')
    directories.writeUInt32LE(count, 14)
    directories.writeUInt32LE(64, 18)
    for (let index = 0; index < count; index++) directories.writeUInt32LE(64 + 4 * index, 64 + 4 * index)
    const brand = box('ftyp', 'avif', zeros(4), 'avif')
    await service.add(bytes('GIF89a', Buffer.alloc(9_000_000, Buffer.from(sign, 'latin1'))), 'a.gif')
    await service.add(bytes('GIF89a', ...Array.from({ length: 40 }, () => packet)), 'b.gif')
    await service.add(bytes(brand, items), 'c.avif')
    await service.add(bytes(directories), 'd.tiff')
  })

  it('of files that end within the head of a box is looked for before it', async () => {
    const brand = box('ftyp', 'avif', zeros(4), 'avif')
    const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
    await service.add(bytes(brand, numbers(1), 'Exif\x7f'), 'a.avif')
    await service.add(bytes(brand, numbers(8), 'uuid', xmpId), 'b.avif')
    const far = box('co64', numbers(0, 1, 0x7fffffff, 0xffffffff))
    const table = box('stbl', box('stsz', numbers(0, 5, 1)), box('stsc', numbers(0, 1, 1, 1, 1)), far)
    const track = box('trak', box('mdia', handler('meta'), box('minf', table)))
    await service.add(bytes(box('ftyp', 'mp42', zeros(4), 'mp42'), box('moov', track)), 'c.mp4')
  })
})
