import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { createClient } from '../support/client.ts'
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

type Format = 'jpeg' | 'png' | 'webp'

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

  for (const format of ['jpeg', 'png', 'webp'] as const) {
    it(`is not in a public ${format}; how it is shown, and who made it, is`, async () => {
      const sent = await photo(format)
      assert.ok(holds(sent).length >= 3 && holds(sent).includes(latitude), String(holds(sent)))
      const media = await service.add(new Uint8Array(sent), `a.${format === 'jpeg' ? 'jpg' : format}`)
      const { bytes: shown } = await service.fetchFile(media.url)
      assert.deepEqual(holds(shown), [])
      assert.equal(shown.length, sent.length)
      const [before, after] = [await sharp(sent).metadata(), await sharp(shown).metadata()]
      for (const name of ['orientation', 'width', 'height', 'space'] as const)
        assert.equal(after[name], before[name], name)
      assert.deepEqual(after.icc, before.icc)
      assert.ok(after.exif?.includes('Jana Nov'))
      // sharp compresses that of a PNG, of which nothing stays.
      if (format !== 'png') assert.match(after.xmpAsString ?? '', /GPano:ProjectionType="equirectangular"/)
      const raw = (content: Buffer) => sharp(content).raw().toBuffer()
      assert.deepEqual(await raw(shown), await raw(sent))
      // Browsers do not turn a WebP.
      assert.deepEqual([media.width, media.height], format === 'webp' ? [640, 480] : [480, 640])
    })
  }

  it('is not in what IPTC says; its caption and creator are texts of the record', async () => {
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

  it('stays where a setting says so; files that say nothing are kept once', async () => {
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
})
