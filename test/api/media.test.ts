import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { runtimeSettingsService } from '../../core-plugins/foundation/config/config.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { expectStatus, newApiToken, problemsOf } from './auth-callers.ts'
import { image, type MediaService, startMediaService } from './media-support.ts'

const extension = {
  attributes: { credit: { type: 'string', maxLength: 20 }, rating: { type: 'integer', default: 3 } },
}

/** 50 × 30 pixels by libheif, as phones write them: tiles in a grid. */
const heic =
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAADIAHgAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAMwACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAMgAAAB4AAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAADttZGF0AAAALygBrxMhZGNA+BD3Z//lzBf8KxP+UOx6c7IR0MDSIICbQEiTXVALFhCAh3alVtz4'

describe('media', () => {
  let service: MediaService
  before(async () => {
    service = await startMediaService({ schemas: { 'media.extension.json': extension } })
  })
  after(() => service.stop())

  const list = async (query: string) => expectStatus(await service.admin.get(`/api/media?${query}`), 200).body
  const names = async (query: string): Promise<string[]> =>
    (await list(query)).data.map(({ originalName }: { originalName: string }) => originalName)

  it('stores an image with thumbnails that are narrower than it', slow, async () => {
    const { status, body } = await service.upload(await image(800, 400), 'Größe ünd.PNG')
    assert.equal(status, 201, JSON.stringify(body))
    const { id, filename, url, formats, placeholder, size, created_at, updated_at, ...rest } = body.data
    const hash = Buffer.from(placeholder, 'base64')
    const { r, g, b } = thumbHashToAverageRGBA(hash)
    assert.ok(hash.length < 30 && r > 0.7 && g < 0.3 && b < 0.2, `${placeholder} is not that red`)
    assert.match(filename, /^[0-9a-f]{32}\.png$/)
    assert.equal(url, `/api/uploads/${filename}`)
    assert.ok(id > 0 && size > 0 && created_at === updated_at)
    assert.deepEqual(rest, {
      originalName: 'Größe ünd.PNG',
      mimeType: 'image/png',
      width: 800,
      height: 400,
      alt: null,
      caption: null,
      focalX: null,
      focalY: null,
      tags: null,
      folder: null,
      credit: null,
      rating: 3,
    })
    assert.deepEqual(Object.keys(formats), ['small', 'medium'])
    for (const format of Object.values<{ url: string; width: number }>(formats)) {
      const { response, bytes } = await service.fetchFile(format.url)
      assert.equal(response.headers.get('content-type'), 'image/webp')
      assert.equal((await sharp(bytes).metadata()).width, format.width)
    }
    const variants = expectStatus(await service.admin.get(`/api/media/${id}/variants`), 200).body.data
    assert.deepEqual(variants, [
      { name: 'small', ...formats.small },
      { name: 'medium', ...formats.medium },
    ])
  })

  it('turns thumbnails upright and takes metadata out of them', slow, async () => {
    const sideways = await sharp(await image(700, 1200, 'jpeg'))
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const media = await service.add(new Uint8Array(sideways), 'sideways.jpg')
    assert.deepEqual([media.width, media.height], [1200, 700])
    const { bytes } = await service.fetchFile(media.formats.large.url)
    const { width, height, exif, orientation } = await sharp(bytes).metadata()
    assert.deepEqual([width, height, exif, orientation], [1000, 583, undefined, undefined])
    assert.deepEqual((await service.fetchFile(media.url)).bytes, sideways)
  })

  it('keeps transparency in thumbnails', async () => {
    const create = {
      width: 600,
      height: 10,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    } as const
    const media = await service.add(new Uint8Array(await sharp({ create }).png().toBuffer()), 'clear.png')
    const { bytes } = await service.fetchFile(media.formats.small.url)
    assert.equal((await sharp(bytes).metadata()).hasAlpha, true)
  })

  it('stores a broken image without formats, and with the size that its header has', async () => {
    const whole = await image(900, 900)
    const headless = await service.add(whole.slice(0, 60), 'headless.png')
    assert.deepEqual([headless.width, headless.height, headless.formats], [null, null, {}])
    const avif = new Uint8Array(await sharp(whole).avif().toBuffer())
    const cut = await service.add(avif.slice(0, avif.length - 20), 'cut.avif')
    assert.deepEqual([cut.width, cut.height, cut.formats, cut.placeholder], [900, 900, {}, null])
  })

  it('knows the size of images that it does not decode, and makes no others of them', async () => {
    const jxl = '/wroAGKAgOJCCAIBAGQASxiLFQDUH2PQ/18gAgBAcqqAAAKqtiQaCA=='
    const container = (type: string, content: Uint8Array) => {
      const header = Buffer.alloc(8)
      header.writeUInt32BE(content.length + 8)
      header.write(type, 4)
      return Buffer.concat([header, content])
    }
    const signature = container('JXL ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a]))
    const kind = container('ftyp', Buffer.from('jxl \0\0\0\0jxl '))
    const stream = Buffer.from(jxl, 'base64')
    const psd = Buffer.alloc(60)
    psd.write('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x1e\0\0\0\x32\0\x08\0\x03', 'latin1')
    const bmp = (direction: number) => {
      const content = Buffer.alloc(60)
      content.write('BM')
      content.writeUInt32LE(40, 14)
      content.writeInt32LE(50, 18)
      content.writeInt32LE(30 * direction, 22)
      return content
    }
    // Of two pictures.
    const ico = Buffer.alloc(60)
    ico.write('\0\0\x01\0\x02\0\x10\x10', 'latin1')
    ico.write('\x32\x1e', 22, 'latin1')
    for (const [content, name, mimeType] of [
      [stream, 'a.jxl', 'image/jxl'],
      [Buffer.concat([signature, kind, container('jxlc', stream)]), 'b.jxl', 'image/jxl'],
      [psd, 'a.psd', 'image/vnd.adobe.photoshop'],
      [Buffer.from(heic, 'base64'), 'a.heic', 'image/heic'],
      [bmp(1), 'a.bmp', 'image/bmp'],
      [bmp(-1), 'upside-down.bmp', 'image/bmp'],
      [ico, 'a.ico', 'image/x-icon'],
    ] as const) {
      const media = await service.add(new Uint8Array(content), name)
      assert.deepEqual(
        [media.mimeType, media.width, media.height, media.formats],
        [mimeType, 50, 30, {}],
        name,
      )
      assert.equal((await service.get(`${media.url}/w16.webp`)).status, 400, name)
    }
    const cut = await service.add(new Uint8Array(stream.subarray(0, 4)), 'c.jxl')
    assert.deepEqual([cut.width, cut.height], [null, null])
  })

  it('goes by the settings as they are now', async () => {
    const runtime = service.kernel.get(runtimeSettingsService)
    const settings = {
      'media.thumbnails.small': 100,
      'media.thumbnails.large': 0,
      'media.maxFileSize': 9_000,
    }
    assert.deepEqual(runtime.replaceDatabaseLayer(settings), [])
    const { formats } = await service.add(await image(1200, 10), 'wide.png')
    assert.deepEqual([formats.small.width, formats.medium.width, formats.large], [100, 750, undefined])
    assert.equal((await service.upload('x'.repeat(9_001), 'large.txt')).status, 413)
    runtime.replaceDatabaseLayer({ 'media.allowedTypes': ['text/*'] })
    assert.equal((await service.upload(await image(1, 1), 'refused.png')).status, 415)
    runtime.replaceDatabaseLayer({})
    assert.equal((await service.upload(await image(1, 1), 'accepted.png')).status, 201)
  })

  it('answers several files with an array, and stores all or none', async () => {
    const picture = await image(10, 10)
    const parts = ['b.png', 'a.png'].map((filename) => ({ name: 'files', content: picture, filename }))
    const { status, body } = await service.send('POST', '/api/upload', parts)
    assert.equal(status, 201)
    assert.deepEqual(
      body.data.map(({ originalName }: { originalName: string }) => originalName),
      ['b.png', 'a.png'],
    )
    const before = service.files()
    const bad = { name: 'files', content: '<html>', filename: 'c.txt' }
    assert.equal((await service.send('POST', '/api/upload', [...parts, bad])).status, 415)
    assert.deepEqual(service.files(), before)
    assert.deepEqual(service.incoming(), [])
  })

  it('changes what is known of a file, extensions included', async () => {
    const media = await service.add(await image(10, 10), 'known.png')
    const path = `/api/media/${media.id}`
    const change = { ...media, alt: 'An image', caption: 'Here', credit: 'Ada', url: 'ignored' }
    const changed = expectStatus(await service.admin.put(path, change), 200).body.data
    assert.deepEqual(changed, {
      ...media,
      alt: 'An image',
      caption: 'Here',
      credit: 'Ada',
      updated_at: changed.updated_at,
    })
    const read = expectStatus(await service.admin.get(path), 200)
    assert.deepEqual(read.body.data, changed)
    const stale = await service.admin.put(path, { alt: '' }, { headers: { 'if-match': '"0-0"' } })
    assert.equal(stale.status, 412)
    const etag = read.headers.get('etag') ?? ''
    expectStatus(await service.admin.put(path, { alt: null }, { headers: { 'if-match': etag } }), 200)
    const wrong = await service.admin.put(path, { alt: 1, credit: 'x'.repeat(21), folder: 99, more: true })
    assert.equal(wrong.status, 400)
    assert.deepEqual(problemsOf(wrong), {
      ...{ alt: 'type', credit: 'maxLength', more: 'unknown' },
      folder: 'reference',
    })
    assert.equal((await service.admin.put('/api/media/999', { alt: '' })).status, 404)
  })

  it('replaces the content: the id stays, the old file goes, and its address leads to the new one', async () => {
    const media = await service.add(await image(800, 800), 'old.png')
    const old = service.files().filter((name) => name.startsWith(media.filename.slice(0, 32)))
    assert.equal(old.length, 3)
    const replacement = { name: 'file', content: await image(10, 20, 'jpeg'), filename: 'new.jpg' }
    const { status, body } = await service.send('PUT', `/api/media/${media.id}/file`, [replacement])
    assert.equal(status, 200, JSON.stringify(body))
    const { id, originalName, mimeType, url, width, formats } = body.data
    assert.deepEqual(
      [id, originalName, mimeType, width, formats],
      [media.id, 'new.jpg', 'image/jpeg', 10, {}],
    )
    assert.notEqual(url, media.url)
    await until(() => !service.files().some((name) => old.includes(name)))
    const { response } = await service.fetchFile(media.url)
    assert.deepEqual([response.status, new URL(response.url).pathname], [200, url], 'leads to the new one')
    assert.equal((await service.send('PUT', '/api/media/999/file', [replacement])).status, 404)
    assert.equal((await service.send('PUT', `/api/media/${media.id}/file`, [])).status, 400)
    assert.deepEqual(service.incoming(), [])
  })

  it('deletes a record with its files', async () => {
    const media = await service.add(await image(600, 10), 'gone.png')
    const deleted = expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200).body.data
    assert.equal(deleted.id, media.id)
    await until(() => !service.files().some((name) => name.startsWith(media.filename.slice(0, 32))))
    assert.equal((await service.admin.get(`/api/media/${media.id}`)).status, 404)
    assert.equal((await service.admin.delete(`/api/media/${media.id}`)).status, 404)
  })

  it('lists by folder, kind, type and name, sorted', async () => {
    const folder = expectStatus(await service.admin.post('/api/media-folders', { name: 'Lists' }), 201).body
      .data
    const upload = (content: string | Uint8Array<ArrayBuffer>, filename: string) =>
      service.send('POST', '/api/upload', [
        { name: 'file', content, filename },
        { name: 'folderId', content: String(folder.id) },
      ])
    for (const [content, name] of [
      ['plain text', 'B 100%_.txt'],
      ['x,y\n1,2\n', 'a.csv'],
      [await image(3, 3), 'C.png'],
    ] as const) {
      assert.equal((await upload(content, name)).status, 201)
    }
    const inFolder = `folder=${folder.id}`
    assert.deepEqual(await names(`${inFolder}&sort=originalName`), ['B 100%_.txt', 'C.png', 'a.csv'])
    assert.deepEqual(await names(`${inFolder}&sort=id&sortOrder=desc`), ['C.png', 'a.csv', 'B 100%_.txt'])
    assert.deepEqual(await names(`${inFolder}&sort=size:asc`), ['a.csv', 'B 100%_.txt', 'C.png'])
    assert.deepEqual(await names(`${inFolder}&type=images`), ['C.png'])
    assert.deepEqual(await names(`${inFolder}&type=files&sort=id`), ['B 100%_.txt', 'a.csv'])
    assert.deepEqual(await names(`${inFolder}&type=audio`), [])
    assert.deepEqual(await names(`${inFolder}&mimeType=text/csv`), ['a.csv'])
    assert.deepEqual(await names(`${inFolder}&mimeType=text/*&sort=id`), ['B 100%_.txt', 'a.csv'])
    assert.deepEqual(await names(`search=${encodeURIComponent('b 100%_')}`), ['B 100%_.txt'])
    assert.ok(!(await names('folder=root&limit=100')).includes('C.png'))
    assert.deepEqual((await list(`${inFolder}&limit=1&offset=1&sort=id`)).pagination, {
      total: 3,
      limit: 1,
      offset: 1,
      hasMore: true,
    })
    for (const query of ['folder=x', 'type=x', 'sort=nothing', 'limit=-1', 'more=1']) {
      assert.equal((await service.admin.get(`/api/media?${query}`)).status, 400, query)
    }
    const wrongFolder = await service.send('POST', '/api/upload', [
      { name: 'file', content: 'text', filename: 'a.txt' },
      { name: 'folderId', content: '9999' },
    ])
    assert.equal(wrongFolder.status, 400)
    assert.deepEqual(problemsOf(wrongFolder), { folderId: 'reference' })
  })

  it('moves and deletes many, all or none', async () => {
    const folder = expectStatus(await service.admin.post('/api/media-folders', { name: 'Many' }), 201).body
      .data
    const added = [await service.add('one', '1.txt'), await service.add('two', '2.txt')]
    const ids = added.map(({ id }) => id)
    const move = (body: unknown) => service.admin.put('/api/media/bulk-move', body)
    const moved = expectStatus(await move({ ids, folderId: folder.id }), 200).body.data
    assert.deepEqual(moved, { count: 2, ids })
    assert.equal((await move({ ids: [...ids, 9999], folderId: null })).status, 404)
    assert.equal((await move({ ids, folderId: 9999 })).status, 400)
    assert.deepEqual(await names(`folder=${folder.id}&sort=id`), ['1.txt', '2.txt'])
    assert.equal((await service.admin.delete('/api/media/bulk', { ids: [...ids, 9999] })).status, 404)
    assert.equal((await list(`folder=${folder.id}`)).pagination.total, 2)
    const removed = expectStatus(await service.admin.delete('/api/media/bulk', { ids }), 200).body.data
    assert.deepEqual(removed, { count: 2, ids })
    assert.equal((await list(`folder=${folder.id}`)).pagination.total, 0)
  })

  it('keeps folders in one another', async () => {
    const create = async (name: string, parent?: number) =>
      expectStatus(
        await service.admin.post('/api/media-folders', { name, ...(parent ? { parent } : {}) }),
        201,
      ).body.data
    const top = await create('Top')
    const middle = await create('Middle', top.id)
    const inner = await create('Inner', middle.id)
    const tree = expectStatus(await service.admin.get('/api/media-folders/tree'), 200).body.data
    const node = tree.find(({ id }: { id: number }) => id === top.id)
    assert.equal(node.children[0].children[0].name, 'Inner')
    const move = (id: number, parent: number | null) =>
      service.admin.put(`/api/media-folders/${id}`, { parent })
    assert.equal((await move(top.id, inner.id)).status, 409)
    assert.equal((await move(top.id, top.id)).status, 409)
    assert.equal((await move(top.id, 9999)).status, 400)
    assert.equal((await service.admin.delete(`/api/media-folders/${middle.id}`)).status, 409)
    expectStatus(await move(inner.id, null), 200)
    expectStatus(await service.admin.delete(`/api/media-folders/${middle.id}`), 200)
    assert.equal((await service.admin.get(`/api/media-folders/${middle.id}`)).status, 404)
    assert.equal((await service.admin.get(`/api/media-folders/${top.id}`)).body.data.name, 'Top')
    assert.deepEqual(problemsOf(await service.admin.post('/api/media-folders', { name: ' ' })), {
      name: 'required',
    })
    assert.deepEqual(problemsOf(await service.admin.post('/api/media-folders', { name: 7, x: 1 })), {
      name: 'type',
      x: 'unknown',
    })
    const file = await service.add('text', 'in.txt')
    const chain = async (length: number) => {
      const ids: number[] = []
      while (ids.length < length) ids.push((await create('Deep', ids.at(-1))).id)
      return ids
    }
    const [long, short] = [await chain(50), await chain(2)]
    const tooDeep = { parent: 'maxLevels' }
    const below = await service.admin.post('/api/media-folders', { name: 'Deeper', parent: long.at(-1) })
    assert.deepEqual(problemsOf(below), tooDeep)
    assert.deepEqual(problemsOf(await move(short[0] ?? 0, long.at(-2) ?? 0)), tooDeep)
    expectStatus(await move(short[0] ?? 0, long.at(-3) ?? 0), 200)
    expectStatus(await service.admin.put(`/api/media/${file.id}`, { folder: top.id }), 200)
    const refused = await service.admin.delete(`/api/media-folders/${top.id}`)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'RESTRICTED'])
  })

  it('lets tokens do what their scopes say', async () => {
    const media = await service.add('text', 'scoped.txt')
    const reading = await newApiToken(service, ['media:read'])
    const reader = createClient(service.url, reading.token)
    assert.equal((await reader.get(`/api/media/${media.id}`)).status, 200)
    assert.equal((await reader.put(`/api/media/${media.id}`, { alt: '' })).status, 403)
    assert.equal((await reader.delete(`/api/media/${media.id}`)).status, 403)
    const parts = [{ name: 'file', content: 'text', filename: 'a.txt' }]
    assert.equal((await service.send('POST', '/api/upload', parts, reading.token)).status, 403)
    assert.equal((await service.get('/api/media')).status, 401)
    const writing = await newApiToken(service, ['media:write'])
    assert.equal((await service.send('POST', '/api/upload', parts, writing.token)).status, 201)
  })
})
