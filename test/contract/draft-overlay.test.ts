import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entryDraftChanged, entryPublished, entryUpdated } from '../../core-plugins/content/content.ts'
import { databaseService } from '../../core-plugins/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser, problemsOf } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    options: { draftAndPublish: true, draftOverlay: true },
    attributes: {
      title: { type: 'string', required: true, maxLength: 100 },
      slug: { type: 'string', unique: true },
      price: { type: 'decimal' },
      big: { type: 'bigint' },
      starts: { type: 'datetime' },
      extra: { type: 'json' },
      author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'pages' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
      cover: { type: 'media', allowedTypes: ['images'] },
      gallery: { type: 'media', multiple: true },
      teaser: { type: 'component', component: 'part.teaser' },
    },
  },
  'author.json': {
    kind: 'collectionType',
    info: info('author'),
    attributes: {
      name: { type: 'string' },
      pages: { type: 'relation', relation: 'oneToMany', target: 'page', mappedBy: 'author' },
    },
  },
  'tag.json': {
    kind: 'collectionType',
    info: info('tag'),
    attributes: { name: { type: 'string' } },
  },
  'bin.json': {
    kind: 'collectionType',
    info: info('bin'),
    options: { draftAndPublish: true, draftOverlay: true, softDelete: true, timestamps: false },
    attributes: { title: { type: 'string' }, cover: { type: 'media' } },
  },
  'front.json': {
    kind: 'singleType',
    info: info('front'),
    options: { draftAndPublish: true, draftOverlay: true },
    attributes: { title: { type: 'string' } },
  },
  'plain.json': {
    kind: 'collectionType',
    info: info('plain'),
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
  'components/part.teaser.json': {
    uid: 'part.teaser',
    category: 'part',
    info: { displayName: 'Teaser' },
    attributes: {
      text: { type: 'string', required: true },
      image: { type: 'media' },
      tag: { type: 'relation', relation: 'manyToOne', target: 'tag' },
    },
  },
}

const readAll = { read: true, create: false, update: false, delete: false, publish: false }

eachDatabase(({ name }) => {
  let service: MediaService
  let png: Uint8Array<ArrayBuffer>
  let reader: Caller
  const told: string[] = []
  const listener = definePlugin({
    name: 'listener',
    description: 'Listens to writes',
    register({ on }) {
      on(entryUpdated, ({ contentType, entry }) => told.push(`update ${contentType} ${entry.id}`))
      on(entryPublished, ({ contentType, entry }) => told.push(`publish ${contentType} ${entry.id}`))
      on(entryDraftChanged, ({ contentType, entry }) => told.push(`draft ${contentType} ${entry.id}`))
    },
  })

  before(async () => {
    png = await image(2, 2)
    service = await startMediaService({ database: name, schemas, plugins: [listener] })
    const content = Object.fromEntries(
      ['page', 'author', 'tag', 'front', 'bin'].map((type) => [type, readAll]),
    )
    const permissions = { content, media: { read: true, write: false, delete: false } }
    const role = { name: 'reader', description: '', type: 'custom', permissions }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    reader = await newUser(service, 'reader')
  })
  after(() => service.stop())

  const path = (id: number, rest = '', type = 'page') => `/api/content/${type}/${id}${rest}`
  const add = async (type: string, data: object): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${type}`, data), 201).body.data.id
  const publish = async (id: number, type = 'page') =>
    expectStatus(await service.admin.put(path(id, '/publish', type)), 200).body.data
  const addPublished = async (data: object, type = 'page') => {
    const id = await add(type, data)
    await publish(id, type)
    return id
  }
  const change = async (id: number, data: object, type = 'page') =>
    expectStatus(await service.admin.put(path(id, '', type), data), 200).body.data
  const get = async (address: string, client: Client = service.admin) =>
    expectStatus(await client.get(address), 200)
  const live = async (id: number, client?: Client) => (await get(path(id), client)).body.data
  const draft = async (id: number, rest = '') => (await get(path(id, `?draft=true${rest}`))).body.data
  const addImage = async (): Promise<number> => (await service.add(png, 'a.png')).id

  describe('an update of a published entry', () => {
    it('leaves what everybody sees as it is, and waits in the draft', async () => {
      const id = await addPublished({ title: 'One', slug: 'leaves', price: '1.10' })
      const before = await get(path(id), reader.client)
      const answer = await change(id, { title: 'Two', price: '12345678901234567890.5' })
      assert.deepEqual(
        { title: answer.title, price: answer.price, slug: answer.slug, has_draft: answer.has_draft },
        { title: 'Two', price: '12345678901234567890.5', slug: 'leaves', has_draft: true },
      )
      const after = await get(path(id), reader.client)
      assert.deepEqual(after.body, before.body)
      assert.equal(after.headers.get('etag'), before.headers.get('etag'))
      assert.equal('has_draft' in (await live(id)), false)
      assert.equal((await draft(id)).title, 'Two')
      const further = await change(id, {
        slug: 'leaves-2',
        extra: { z: 1, a: [null] },
        big: '9007199254740993',
      })
      assert.equal(further.title, 'Two')
      const { title, slug, price, extra, big, has_draft } = await draft(id)
      assert.deepEqual(
        { title, slug, price, extra, big, has_draft },
        {
          title: 'Two',
          slug: 'leaves-2',
          price: '12345678901234567890.5',
          extra: { z: 1, a: [null] },
          big: '9007199254740993',
          has_draft: true,
        },
      )
      const published = await publish(id)
      assert.equal(published.has_draft, false)
      assert.equal(published.published_at, before.body.data.published_at)
      const shown = await live(id, reader.client)
      assert.deepEqual(
        [shown.title, shown.slug, shown.price, shown.extra, shown.big],
        ['Two', 'leaves-2', '12345678901234567890.5', { z: 1, a: [null] }, '9007199254740993'],
      )
      assert.equal((await draft(id)).has_draft, false)
    })

    it('tells once of the draft, and once of its publication', async () => {
      const id = await addPublished({ title: 'Told' })
      told.length = 0
      await change(id, { title: 'Told 2' })
      assert.deepEqual(told, [`draft page ${id}`])
      await publish(id)
      assert.deepEqual(told, [`draft page ${id}`, `publish page ${id}`])
      await publish(id)
      assert.equal(told.length, 2)
    })

    it('is judged like any other, all problems at once', async () => {
      const id = await addPublished({ title: 'Strict' })
      const bad = { title: null, price: 'x', unknown: 1, author: 'y' }
      const answer = expectStatus(await service.admin.put(path(id), bad), 400)
      assert.deepEqual(problemsOf(answer), {
        title: 'required',
        price: 'type',
        unknown: 'unknown',
        author: 'type',
      })
      const missing = {
        author: 999_999,
        tags: [999_998],
        cover: 999_997,
        teaser: { text: 'x', tag: 999_996 },
      }
      const refused = expectStatus(await service.admin.put(path(id), missing), 400)
      assert.deepEqual(problemsOf(refused), {
        author: 'reference',
        cover: 'reference',
        'tags.0': 'reference',
        'teaser.tag': 'reference',
      })
      assert.equal((await draft(id)).has_draft, false)
      await change(id, {})
      assert.equal((await draft(id)).has_draft, false)
      await change(id, { ...(await draft(id)), title: 'Sent back' })
      assert.equal((await draft(id)).title, 'Sent back')
    })

    it('refuses a unique value that another entry has', async () => {
      const id = await addPublished({ title: 'A', slug: 'mine' })
      await addPublished({ title: 'B', slug: 'taken' })
      const answer = expectStatus(await service.admin.put(path(id), { slug: 'taken', title: 'C' }), 409)
      assert.deepEqual(problemsOf(answer), { slug: 'unique' })
      assert.equal((await draft(id)).has_draft, false)
      await change(id, { slug: 'mine' })
    })

    it('goes into the draft by bulk update and from both sides of a relation', async () => {
      const [author, tag, other] = [await add('author', {}), await add('tag', {}), await add('tag', {})]
      const id = await addPublished({ title: 'Linked', tags: [other] })
      const bulk = { ids: [id], data: { title: 'Bulk' } }
      expectStatus(await service.admin.patch('/api/content/page/bulk-update', bulk), 200)
      const linked = await service.admin.post(path(id, '/link/tags'), { id: tag })
      assert.deepEqual(expectStatus(linked, 200).body.data.tags, [other, tag])
      expectStatus(await service.admin.delete(path(id, '/unlink/tags'), { id: other }), 200)
      expectStatus(await service.admin.post(path(author, '/link/pages', 'author'), { id }), 200)
      const shown = await draft(id)
      assert.deepEqual([shown.title, shown.tags, shown.author], ['Bulk', [tag], author])
      const { title, tags, author: noAuthor } = await live(id)
      assert.deepEqual([title, tags, noAuthor], ['Linked', [other], null])
      expectStatus(await service.admin.delete(path(author, '/unlink/pages', 'author'), { id }), 200)
      assert.equal((await draft(id)).author, null)
      await publish(id)
      assert.deepEqual((await live(id)).tags, [tag])
    })

    it('changes entries at once that are not public: drafts and scheduled ones', async () => {
      const id = await add('page', { title: 'New' })
      assert.equal((await change(id, { title: 'Newer' })).has_draft, false)
      assert.equal((await live(id)).title, 'Newer')
      const publishedAt = new Date(Date.now() + 3_600_000).toISOString()
      expectStatus(await service.admin.put(path(id, '/publish'), { publishedAt }), 200)
      assert.equal((await change(id, { title: 'Newest' })).has_draft, false)
      const shown = await live(id)
      assert.deepEqual([shown.title, shown.published_at], ['Newest', publishedAt])
    })
  })

  describe('reading with draft=true', () => {
    it('expands what the draft points at, and shows the fields that are asked for', async () => {
      const [author, tag] = [await add('author', { name: 'Ann' }), await add('tag', { name: 'T' })]
      const [cover, inside] = [await addImage(), await addImage()]
      const id = await addPublished({ title: 'Populated', cover: inside })
      await change(id, {
        author,
        tags: [tag],
        cover,
        gallery: [inside, cover],
        teaser: { text: 't', image: inside, tag },
      })
      const shown = await draft(id, '&populate=author,tags,cover,gallery,teaser.image,teaser.tag')
      assert.equal(shown.author.name, 'Ann')
      assert.deepEqual(
        shown.tags.map(({ name }: { name: string }) => name),
        ['T'],
      )
      assert.deepEqual(
        [shown.cover.id, shown.gallery.map((file: { id: number }) => file.id)],
        [cover, [inside, cover]],
      )
      assert.deepEqual([shown.teaser.image.id, shown.teaser.tag.name], [inside, 'T'])
      const some = await draft(id, '&fields=tags')
      assert.deepEqual(some, { id, tags: [tag], has_draft: true })
      assert.deepEqual((await get(path(id, '?populate=author,tags'))).body.data.tags, [])
    })

    it('puts drafts into the entries of a list, which is chosen and sorted by what is public', async () => {
      const ids = [await addPublished({ title: 'List 1' }), await addPublished({ title: 'List 2' })]
      await change(ids[0] ?? 0, { title: 'Zed' })
      const list = async (query: string) =>
        (await get(`/api/content/page?filters[title][$startsWith]=List&sort=title&${query}`)).body
      const shown = await list('draft=true')
      assert.deepEqual(
        shown.data.map(({ title, has_draft }: { title: string; has_draft: boolean }) => [title, has_draft]),
        [
          ['Zed', true],
          ['List 2', false],
        ],
      )
      assert.equal(shown.pagination.total, 2)
      const plain = await list('draft=false')
      assert.deepEqual(
        plain.data.map((entry: { title: string }) => entry.title),
        ['List 1', 'List 2'],
      )
      const first = await list('draft=true&cursor=&limit=1')
      const second = await list(`draft=true&limit=1&cursor=${first.pagination.nextCursor}`)
      assert.deepEqual([first.data[0].title, second.data[0].title], ['Zed', 'List 2'])
      assert.equal((await get('/api/content/page?filters[title]=Zed&draft=true')).body.data.length, 0)
    })

    it('serves single types', async () => {
      expectStatus(await service.admin.put('/api/content/front', { title: 'Front' }), 201)
      const { id } = (await get('/api/content/front')).body.data
      await publish(id, 'front')
      const answer = expectStatus(await service.admin.put('/api/content/front', { title: 'Front 2' }), 200)
      assert.deepEqual([answer.body.data.title, answer.body.data.has_draft], ['Front 2', true])
      assert.equal((await get('/api/content/front')).body.data.title, 'Front')
      assert.equal((await get('/api/content/front?draft=true')).body.data.title, 'Front 2')
      expectStatus(await service.admin.delete(path(id, '/draft', 'front')), 200)
      assert.equal((await get('/api/content/front?draft=true')).body.data.title, 'Front')
    })

    it('is for those who may see drafts', async () => {
      const id = await addPublished({ title: 'Secret' })
      await change(id, { title: 'Very secret' })
      const token = await newApiToken(service, ['content:read'])
      for (const { client } of [reader, token]) {
        for (const address of [path(id), '/api/content/page', path(999_999)]) {
          expectStatus(await client.get(`${address}?draft=true`), 403)
        }
        expectStatus(await client.get(path(id, '/draft')), 403)
        expectStatus(await client.delete(path(id, '/draft')), 403)
      }
      const writer = await newApiToken(service, ['content:read', 'content:write'])
      assert.equal((await get(path(id, '?draft=true'), writer.client)).body.data.title, 'Very secret')
      expectStatus(await service.request('GET', path(id, '?draft=true')), 401)
    })

    it('is unknown to types without the option', async () => {
      const id = await addPublished({ title: 'Plain' }, 'plain')
      expectStatus(await service.admin.get(path(id, '?draft=true', 'plain')), 400)
      const answer = await change(id, { title: 'Plain 2' }, 'plain')
      assert.equal('has_draft' in answer, false)
      assert.equal((await get(path(id, '', 'plain'))).body.data.title, 'Plain 2')
      expectStatus(await service.admin.delete(path(id, '/draft', 'plain')), 404)
      expectStatus(await service.admin.get(path(id, '/draft', 'plain')), 404)
    })

    it('takes one query more for a whole list', async () => {
      const ids = []
      for (const title of ['Q1', 'Q2', 'Q3']) ids.push(await addPublished({ title }))
      for (const id of ids) await change(id, { title: 'Changed' })
      const query = '/api/content/page?filters[title][$startsWith]=Q&total=false'
      await get(query)
      await get(`${query}&draft=true`)
      const database = service.kernel.get(databaseService)
      // The service does something by itself now and then: the fewest count.
      const statements = async (address: string) => {
        const counts = []
        for (let run = 0; run < 4; run++) counts.push(await countStatements(database, () => get(address)))
        return Math.min(...counts)
      }
      assert.equal(await statements(`${query}&draft=true`), (await statements(query)) + 1)
    })
  })
})
