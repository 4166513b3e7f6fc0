import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { basesTable } from '../../core-plugins/delivery/media/files/known-bases.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { defineRoute, Reply, routes } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin, type Plugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { typeFile } from '../support/type-file.ts'
import { until } from '../support/until.ts'
import { counted, exported, mediaTypes, sendFile, told } from './import-world.ts'

const schemas = Object.fromEntries([
  typeFile('page', {
    title: { type: 'string' },
    cover: { type: 'media' },
    gallery: { type: 'media', multiple: true },
  }),
])

const site = 'https://cms.example.com'

interface Shown {
  readonly id: number
  readonly filename: string
  readonly url: string
  readonly formats: Record<string, { readonly url: string; readonly width: number }>
}

/** Addresses of a file and its thumbnails with what stands before them. */
const addressesOf = ({ filename, formats }: Shown, base: string) => [
  `${base}/${filename}`,
  ...Object.keys(formats).map((name) => `${base}/${filename.replace('.png', `_${name}.webp`)}`),
]

const shownBy = ({ url, formats }: Shown) => [url, ...Object.values(formats).map((format) => format.url)]

eachDatabase((database) => {
  describe(`addresses of files that were replaced, on ${database.name}`, slow, () => {
    it('lead to the file that has taken their place, however often, and nowhere once the record is deleted', async () => {
      const created = await database.createUrl()
      const service = await startMediaService({ database: { url: created.url } })
      try {
        const first = await service.add(await image(900, 700), 'first.png')
        const replace = async (width: number): Promise<Shown> => {
          const part = { name: 'file', content: await image(width, 60), filename: 'next.png' }
          return expectStatus(await service.send('PUT', `/api/media/${first.id}/file`, [part]), 200).body.data
        }
        const second = await replace(90)
        const leadsTo = async (from: string, to: string) =>
          until(async () => {
            const answer = await fetch(`${service.url}${from}`, { redirect: 'manual' })
            return answer.status === 302 && answer.headers.get('location') === to
          }, `${from} leads to ${to}`)
        await leadsTo(first.url, second.url)
        await leadsTo(first.formats.small?.url ?? '', second.url)
        await leadsTo(`${first.url}/w64.webp`, `${second.url}/w64.webp`)
        const third = await replace(80)
        for (const { url } of [first, second]) await leadsTo(url, third.url)
        assert.equal((await fetch(`${service.url}${first.url}`)).status, 200)
        expectStatus(await service.admin.delete(`/api/media/${first.id}`), 200)
        await until(async () => (await fetch(`${service.url}${third.url}`)).status === 404, 'it is gone')
        assert.equal((await fetch(`${service.url}${first.url}`)).status, 404)
      } finally {
        await service.stop()
        await created.drop()
      }
    })
  })

  describe(`addresses of files after storage.baseUrl was changed, on ${database.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-addresses-'))
    let drop: () => Promise<void>
    let start: (baseUrl?: string, plugins?: readonly Plugin[]) => Promise<MediaService>
    let service: MediaService
    let first: Shown
    let second: Shown

    before(async () => {
      const created = await database.createUrl()
      drop = created.drop
      start = (baseUrl, plugins = []) =>
        startMediaService({
          ...{ database: { url: created.url }, schemas, plugins },
          env: {
            STORAGE_UPLOAD_DIR: join(folder, 'uploads'),
            SVC_DATA_DIR: join(folder, 'data'),
            SVC_SITE_URL: site,
            ...(baseUrl && { STORAGE_BASE_URL: baseUrl }),
          },
        })
      const png = await image(900, 700)
      const earliest = await start()
      first = await earliest.add(png, 'first.png')
      expectStatus(await earliest.admin.post('/api/content/page', { title: 'a', cover: first.id }), 201)
      await earliest.stop()
      service = await start('/files')
      second = await service.add(png, 'second.png')
      const gallery = [first.id, second.id]
      expectStatus(
        await service.admin.post('/api/content/page', { title: 'b', cover: second.id, gallery }),
        201,
      )
    })
    after(async () => {
      await service?.stop()
      await drop?.()
      rmSync(folder, { recursive: true, force: true })
    })

    const dataOf = async (path: string, client: Client = service.admin) =>
      expectStatus(await client.get(path), 200).body.data
    const titles = async (query: string): Promise<string[]> =>
      (await dataOf(`/api/content/page?sort=id&${query}`)).map(({ title }: { title: string }) => title)

    it('are the present ones in every record of every answer', slow, async () => {
      const expected = [first, second].map((file) => addressesOf(file, '/files'))
      assert.deepEqual((await dataOf('/api/media?sort=id')).map(shownBy), expected)
      assert.deepEqual(shownBy(await dataOf(`/api/media/${first.id}`)), expected[0])
      assert.deepEqual(
        (await dataOf(`/api/media/${first.id}/variants`)).map(({ url }: { url: string }) => url),
        expected[0]?.slice(1),
      )
      const pages = await dataOf('/api/content/page?sort=id&populate=cover,gallery')
      assert.deepEqual(
        pages.map(({ cover }: { cover: Shown }) => shownBy(cover)),
        expected,
      )
      assert.deepEqual(pages[1].gallery.map(shownBy), expected)
      const query = `{ media(sort: "id") { data { url formats } }
        pages(sort: "id") { data { cover { url formats imageUrl(width: 64) } } } }`
      const { media, pages: asked } = (await service.admin.post('/api/graphql', { query })).body.data
      assert.deepEqual(media.data.map(shownBy), expected)
      assert.deepEqual(
        asked.data.map(({ cover }: { cover: Shown }) => shownBy(cover)),
        expected,
      )
      assert.equal(asked.data[0].cover.imageUrl, `/files/${first.filename}/w64.webp`)
    })

    it('are answered to writes', async () => {
      const changed = expectStatus(await service.admin.put(`/api/media/${first.id}`, { alt: 'First' }), 200)
      assert.deepEqual(shownBy(changed.body.data), addressesOf(first, '/files'))
      const { data } = expectStatus(
        await service.admin.put('/api/media/bulk', { files: [{ id: first.id, alt: null }] }),
        200,
      ).body
      assert.deepEqual(shownBy(data[0]), addressesOf(first, '/files'))
    })

    it('are found, sorted, grouped and continued by as they are shown', async () => {
      const present = `/files/${first.filename}`
      assert.deepEqual(await titles(`filters[cover][url]=${present}`), ['a'])
      assert.deepEqual(await titles(`filters[cover][url][$ne]=${present}`), ['b'])
      assert.deepEqual(await titles(`filters[$not][cover][url]=${present}`), ['b'])
      for (const other of [`/wrong/${first.filename}`, first.filename, '/', '/files/']) {
        assert.deepEqual(await titles(`filters[cover][url]=${other}`), [], other)
      }
      assert.deepEqual(await titles('filters[cover][url][$startsWith]=/files/'), ['a', 'b'])
      assert.deepEqual(await titles('filters[cover][url][$startsWith]=/api/'), [])
      assert.deepEqual(await titles('filters[cover][url][$notNull]=true'), ['a', 'b'])
      assert.deepEqual(await titles(`filters[gallery][url][$in]=${present}`), ['b'])
      const byUrl = [first, second].map(({ filename }) => `/files/${filename}`).sort()
      const listed = (await dataOf('/api/media?sort=url')).map(({ url }: Shown) => url)
      assert.deepEqual(listed, byUrl)
      const reversed = await dataOf('/api/content/page?sort=cover.url:desc&populate=cover')
      assert.deepEqual(
        reversed.map(({ cover }: { cover: Shown }) => cover.url),
        [...byUrl].reverse(),
      )
      const { 'cover.url': distinct } = await dataOf('/api/content/page/distinct?field=cover.url')
      assert.deepEqual(distinct.values.map(({ value }: { value: string }) => value).sort(), byUrl)
      const query = `{ media(filters: { url: { eq: "${present}" } }) { data { originalName } } }`
      const { media } = (await service.admin.post('/api/graphql', { query })).body.data
      assert.deepEqual(media.data, [{ originalName: 'first.png' }])
    })

    it('of thumbnails are refused in queries, which would not find them', async () => {
      const path = `/api/content/page?filters[cover][formats][small][url]=${second.formats.small?.url}`
      assert.match(JSON.stringify((await service.admin.get(path)).body.error.details), /use that/)
      assert.equal((await service.admin.get(path)).status, 400)
      const inside = '/api/content/page/distinct?field=cover.formats.small.url'
      assert.equal((await service.admin.get(inside)).status, 400)
      assert.deepEqual(await titles('filters[cover][formats][small][width]=500'), ['a', 'b'])
    })

    it('that were given out before go on working, of thumbnails and images as well', async () => {
      const former = addressesOf(first, '/api/uploads')
      for (const address of [...former, ...addressesOf(first, '/files')]) {
        const { response } = await service.fetchFile(address)
        assert.equal(response.status, 200, address)
        assert.match(String(response.headers.get('content-type')), /^image\//)
      }
      const sized = await service.fetchFile(`/api/uploads/${first.filename}/w64.webp`)
      assert.equal(sized.response.headers.get('content-type'), 'image/webp')
      const range = { headers: { range: 'bytes=0-9' } }
      assert.equal((await service.fetchFile(former[0] ?? '', range)).bytes.length, 10)
      assert.equal((await service.fetchFile('/api/uploads/other.png')).response.status, 404)
    })

    it('are exported as they are, and imported whether they are present or former', async () => {
      const path = '/api/content/page/export?format=json&media=url'
      const pages = JSON.parse(await exported(service.admin, path))
      assert.deepEqual(
        pages.map(({ cover }: { cover: object }) => cover),
        [first, second].map(({ filename }) => ({ url: `${site}/files/${filename}` })),
      )
      const covers = [`${site}/files/`, `${site}/api/uploads/`, '/api/uploads/'].map((base) => ({
        url: base + second.filename,
      }))
      const rows = covers.map((cover, index) => ({ title: `imported ${index}`, cover }))
      const file = JSON.stringify(rows)
      const { data } = await sendFile(service.admin, '/api/content/page/import', file, mediaTypes.json)
      assert.deepEqual([told(data), counted(data)], [[], [rows.length, 0, 0, 0]])
      const imported = await dataOf('/api/content/page?populate=cover&filters[title][$startsWith]=imported')
      assert.deepEqual(
        imported.map(({ cover }: { cover: Shown }) => cover.id),
        covers.map(() => second.id),
      )
      for (const { id } of imported) expectStatus(await service.admin.delete(`/api/content/page/${id}`), 200)
    })

    it('leave paths to those who have them now', async () => {
      const route = (path: string) =>
        defineRoute({
          ...{ name: `shop:own${path.replaceAll('/', '.').replace(':', '')}`, method: 'GET', path },
          ...{ mountedAt: 'root', summary: 'Own', access: 'open', rawResponse: 'text/plain' },
          handler: () => new Reply(200, { kind: 'raw', body: path, mediaType: 'text/plain' }),
        })
      const shop = definePlugin({
        name: 'shop',
        description: 'Has paths of its own',
        register({ contribute }) {
          for (const path of ['/files/about', '/files/:article']) contribute(routes, route(path))
        },
      })
      await service.stop()
      service = await start('/here', [shop])
      const bodyOf = async (path: string) => (await service.fetchFile(path)).bytes.toString()
      assert.equal(await bodyOf('/files/about'), '/files/about')
      assert.equal(await bodyOf('/files/a-story'), '/files/:article')
      assert.equal((await service.fetchFile(`/files/${first.filename}`)).response.status, 200)
    })

    it('are learnt from the records where nothing else tells them, as after an upgrade', async () => {
      await service.kernel.get(databaseService).transaction(async (tx) => {
        await basesTable.on(service.kernel.get(databaseService)).delete([]).run({}, tx)
      })
      await service.stop()
      service = await start('/there')
      for (const base of ['/api/uploads', '/files', '/there']) {
        assert.equal((await service.fetchFile(`${base}/${second.filename}`)).response.status, 200, base)
      }
      assert.equal((await service.fetchFile(`/here/${second.filename}`)).response.status, 404)
    })

    it('are learnt from start to start, and from restores', slow, async () => {
      const path = `/api/media/${first.id}`
      const { headers } = await service.admin.get(path)
      await service.stop()
      service = await start('https://cdn.example.com/media')
      // Whoever has kept the former answer gets the new one.
      const kept = { 'if-none-match': String(headers.get('etag')) }
      assert.equal((await service.admin.get(path, { headers: kept })).status, 200)
      const expected = addressesOf(first, 'https://cdn.example.com/media')
      assert.deepEqual(shownBy(await dataOf(`/api/media/${first.id}`)), expected)
      for (const base of ['/api/uploads', '/files']) {
        assert.equal((await service.fetchFile(`${base}/${first.filename}`)).response.status, 200, base)
      }
      const backup = expectStatus(await service.admin.post('/api/admin/backups', {}), 201).body.data
      await service.stop()
      service = await start('/here')
      expectStatus(await service.admin.post(`/api/admin/backups/${backup.id}/restore`, {}), 200)
      assert.deepEqual(
        (await dataOf('/api/media?sort=id')).map(shownBy),
        [first, second].map((file) => addressesOf(file, '/here')),
      )
      for (const base of ['/api/uploads', '/files', '/here']) {
        assert.equal((await service.fetchFile(`${base}/${second.filename}`)).response.status, 200, base)
      }
    })
  })
})
