import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  entryDraftChanged,
  entryPublished,
  entryUpdated,
} from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type Caller, expectStatus, newApiToken, newUser, problemsOf } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startReceiver } from '../webhooks/receiver.ts'

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
  'reviewed.json': {
    kind: 'collectionType',
    info: info('reviewed'),
    options: {
      draftAndPublish: true,
      draftOverlay: true,
      workflow: {
        enabled: true,
        initialState: 'open',
        states: [{ name: 'open' }, { name: 'done', publishable: true }],
        transitions: [
          { from: 'open', to: 'done', label: 'Finish' },
          { from: 'done', to: 'open', label: 'Reopen' },
        ],
      },
    },
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
    service = await startMediaService({
      ...{ database: name, schemas, plugins: [listener] },
      // Statements are counted.
      env: { SVC_PLUGINS_DISABLED: 'cache' },
    })
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

    it('is checked like any other, all problems at once', async () => {
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
    it('expands what the draft points at, and shows the fields that are asked for', slow, async () => {
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

  describe('versions of drafts', () => {
    const etagOf = async (id: number, query = '') => (await get(path(id, query))).headers.get('etag') ?? ''
    const changeIf = (id: number, etag: string, data: object) =>
      service.admin.put(path(id), data, { headers: { 'if-match': etag } })

    it('let no editor overwrite what another has saved unseen', async () => {
      const id = await addPublished({ title: 'Versions' })
      const first = await etagOf(id)
      assert.equal((await etagOf(id, '?draft=true')) === '', false)
      expectStatus(await changeIf(id, first, { title: 'Mine' }), 200)
      const stale = expectStatus(await changeIf(id, first, { title: 'Theirs' }), 412)
      assert.equal(stale.body.error.code, 'PRECONDITION_FAILED')
      const second = await etagOf(id, '?draft=true')
      assert.notEqual(second, first)
      assert.equal(await etagOf(id), first)
      expectStatus(await changeIf(id, second, { title: 'Mine 2' }), 200)
      const headers = { 'if-match': second }
      expectStatus(await service.admin.put(path(id, '/publish'), undefined, { headers }), 412)
      expectStatus(await service.admin.delete(path(id, '/draft'), undefined, { headers }), 412)
      expectStatus(await service.admin.delete(path(id), undefined, { headers: { 'if-match': first } }), 412)
      const third = { 'if-match': await etagOf(id, '?draft=true') }
      expectStatus(await service.admin.put(path(id, '/publish'), undefined, { headers: third }), 200)
      expectStatus(await changeIf(id, third['if-match'], { title: 'Late' }), 412)
      assert.equal((await live(id)).title, 'Mine 2')
    })

    it('tell whoever may not see drafts nothing of them', async () => {
      const allowed = { read: true, create: true, update: true, delete: true, publish: true }
      const permissions = { content: { page: allowed }, media: { read: false, write: false, delete: false } }
      const role = { name: 'contributor', description: '', type: 'custom', permissions }
      expectStatus(await service.admin.post('/api/admin/roles', role), 201)
      const { client } = await newUser(service, 'contributor')
      const [with_, without] = [
        await addPublished({ title: 'With' }),
        await addPublished({ title: 'Without' }),
      ]
      await change(with_, { title: 'With 2' })
      for (const id of [with_, without]) {
        const refused = expectStatus(await client.put(path(id), { title: 'x' }), 403)
        assert.match(refused.body.error.message, /go to a draft/)
        expectStatus(await client.post(path(id, '/link/tags'), { id: await add('tag', {}) }), 403)
        const read = await get(path(id), client)
        const headers = { 'if-match': read.headers.get('etag') ?? '' }
        const answer = expectStatus(await client.put(path(id, '/publish'), undefined, { headers }), 200)
        assert.equal('has_draft' in answer.body.data, false)
        expectStatus(await client.put(path(id, '/unpublish')), 200)
      }
      assert.equal((await live(with_)).title, 'With 2')
    })

    it('lose nothing when many write and publish at the same time', async () => {
      const id = await addPublished({ title: 'Race', extra: {} })
      const texts = Array.from({ length: 6 }, (_, index) => `t${index}`)
      const fields = ['price', 'big', 'slug', 'starts']
      const values = ['7.5', 42, 'raced', '2026-01-31T08:00:00.000Z']
      const writes = fields.map((field, index) => service.admin.put(path(id), { [field]: values[index] }))
      const publications = texts.map(() => service.admin.put(path(id, '/publish')))
      for (const answer of await Promise.all([...writes, ...publications])) expectStatus(answer, 200)
      await publish(id)
      const { price, big, slug, starts } = await live(id)
      assert.deepEqual([price, big, slug, starts].map(String), values.map(String))
      const edits = await Promise.all(
        texts.map(async (title) => changeIf(id, await etagOf(id, '?draft=true'), { title })),
      )
      const won = edits.filter(({ status }) => status === 200)
      assert.ok(won.length >= 1)
      assert.ok(edits.every(({ status }) => status === 200 || status === 412))
      const etag = await etagOf(id, '?draft=true')
      const sameTime = await Promise.all(texts.map((title) => changeIf(id, etag, { title })))
      assert.deepEqual(sameTime.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412])
    })
  })

  describe('publishing', () => {
    const draftsOf = async (id: number) => (await draft(id)).has_draft

    it('is refused with the reason where the draft does not fit any more', async () => {
      const author = await add('author', { name: 'Gone' })
      const tag = await add('tag', {})
      const id = await addPublished({ title: 'Fits', slug: 'fits' })
      await change(id, { slug: 'wanted', title: 'Fits not', author, teaser: { text: 't', tag } })
      const other = await addPublished({ title: 'Other', slug: 'wanted' })
      const before = await get(path(id))
      const taken = expectStatus(await service.admin.put(path(id, '/publish')), 409)
      assert.deepEqual(problemsOf(taken), { slug: 'unique' })
      expectStatus(await service.admin.delete(path(other)), 200)
      expectStatus(await service.admin.delete(path(author, '', 'author')), 200)
      const gone = expectStatus(await service.admin.put(path(id, '/publish')), 400)
      assert.deepEqual(problemsOf(gone), { author: 'reference' })
      assert.equal((await draft(id)).author, null)
      expectStatus(await service.admin.delete(path(tag, '', 'tag')), 200)
      const inside = expectStatus(await service.admin.put(path(id, '/publish')), 400)
      assert.equal(problemsOf(inside)['teaser.tag'], 'reference')
      assert.deepEqual((await get(path(id))).body, before.body)
      assert.equal(await draftsOf(id), true)
      await change(id, { author: null, teaser: null })
      await publish(id)
      assert.equal((await live(id)).slug, 'wanted')
    })

    it('at a time to come takes the draft along', async () => {
      const id = await addPublished({ title: 'Later' })
      await change(id, { title: 'Later 2' })
      const publishedAt = new Date(Date.now() + 3_600_000).toISOString()
      expectStatus(await service.admin.put(path(id, '/publish'), { publishedAt }), 200)
      const shown = await draft(id)
      assert.deepEqual([shown.title, shown.published_at, shown.has_draft], ['Later 2', publishedAt, false])
    })

    it('taken back keeps the draft, which is published with the entry', async () => {
      const id = await addPublished({ title: 'Back' })
      await change(id, { title: 'Back 2' })
      const version = (await get(path(id, '?draft=true'))).headers.get('etag')
      const answer = expectStatus(await service.admin.put(path(id, '/unpublish')), 200).body.data
      assert.deepEqual([answer.title, answer.published_at, answer.has_draft], ['Back', null, true])
      assert.notEqual((await get(path(id, '?draft=true'))).headers.get('etag'), version)
      await change(id, { slug: 'back' })
      assert.deepEqual([(await live(id)).slug, (await draft(id)).title], [null, 'Back 2'])
      await publish(id)
      const shown = await live(id, reader.client)
      assert.deepEqual([shown.title, shown.slug], ['Back 2', 'back'])
    })

    it('needs a state of the workflow that allows it', async () => {
      const id = await add('reviewed', { title: 'One' })
      const take = (to: string) => service.admin.put(path(id, '/workflow/transition', 'reviewed'), { to })
      expectStatus(await take('done'), 200)
      await publish(id, 'reviewed')
      expectStatus(await take('open'), 200)
      await change(id, { title: 'Two' }, 'reviewed')
      const refused = expectStatus(await service.admin.put(path(id, '/publish', 'reviewed')), 409)
      assert.equal(refused.body.error.code, 'NOT_PUBLISHABLE')
      assert.equal((await get(path(id, '?draft=true', 'reviewed'))).body.data.has_draft, true)
      expectStatus(await take('done'), 200)
      assert.equal((await publish(id, 'reviewed')).title, 'Two')
    })

    it('by a release takes the drafts of all along, or none', async () => {
      const publishMany = async (ids: readonly number[]) => {
        const release = await service.admin.post('/api/admin/content-releases', { name: 'R' })
        const address = `/api/admin/content-releases/${expectStatus(release, 201).body.data.id}`
        for (const entryId of ids) {
          const item = { contentType: 'page', entryId, action: 'publish' }
          expectStatus(await service.admin.post(`${address}/entries`, item), 201)
        }
        return service.admin.post(`${address}/publish`)
      }
      const tag = await add('tag', {})
      const ids: number[] = []
      for (let index = 0; index < 6; index++) {
        const id = await addPublished({ title: `Release ${index}`, slug: `r-${index}` })
        if (index < 5)
          await change(id, { title: `Released ${index}`, slug: `released-${index}`, tags: [tag] })
        ids.push(id)
      }
      ids.push(await add('page', { title: 'Release 6' }))
      told.length = 0
      const [first = 0, second = 0] = ids
      const thief = await addPublished({ title: 'Thief', slug: 'released-0' })
      const refused = expectStatus(await publishMany(ids), 409)
      assert.match(refused.body.error.message, new RegExp(`page:${first} slug: is already taken`))
      assert.deepEqual(problemsOf(refused), { [`page:${first}`]: 'CONFLICT' })
      for (const id of [first, second]) assert.equal(await draftsOf(id), true)
      assert.equal((await live(second)).title, 'Release 1')
      expectStatus(await service.admin.delete(path(thief)), 200)
      told.length = 0
      const database = service.kernel.get(databaseService)
      const work = async () => expectStatus(await publishMany(ids), 200)
      // Loaded and removed.
      assert.equal(await countStatements(database, work, 'svc_drafts'), 2)
      const published = told.filter((event) => event.startsWith('publish'))
      assert.deepEqual(
        published.sort(),
        [...ids.slice(0, 5), ids[6]].map((id) => `publish page ${id}`).sort(),
      )
      for (const [index, id] of ids.slice(0, 5).entries()) {
        const shown = await draft(id)
        assert.deepEqual([shown.title, shown.tags, shown.has_draft], [`Released ${index}`, [tag], false])
      }
    })
  })

  describe('the draft beside an entry', () => {
    it('tells what it changes, and can be dropped', async () => {
      const id = await addPublished({ title: 'Dropped', price: '1' })
      expectStatus(await service.admin.get(path(id, '/draft')), 404)
      expectStatus(await service.admin.delete(path(id, '/draft')), 404)
      await change(id, { title: 'Dropped 2', price: '1' })
      const changes = expectStatus(await service.admin.get(path(id, '/draft')), 200).body.data
      assert.deepEqual(changes.fields, [{ field: 'title', live: 'Dropped', draft: 'Dropped 2' }])
      assert.equal(changes.updated_at, (await draft(id)).updated_at)
      told.length = 0
      const answer = expectStatus(await service.admin.delete(path(id, '/draft')), 200).body.data
      assert.deepEqual([answer.title, answer.has_draft], ['Dropped', false])
      assert.deepEqual(told, [`draft page ${id}`])
      assert.equal((await draft(id)).title, 'Dropped')
      expectStatus(await service.admin.delete(path(999_999, '/draft')), 404)
    })

    it('goes with the entry, and comes back with a soft-deleted one', async () => {
      const id = await addPublished({ title: 'Gone' })
      await change(id, { title: 'Gone 2' })
      expectStatus(await service.admin.delete(path(id)), 200)
      const database = service.kernel.get(databaseService)
      const left = await database.all(
        database.prepare(
          sql`select entry_id from svc_drafts where type = 'page' and entry_id = ${sql.raw(String(id))}`,
        ),
      )
      assert.deepEqual(left, [])
      const [kept, lost] = [await addImage(), await addImage()]
      const bin = await addPublished({ title: 'Bin', cover: kept }, 'bin')
      const first = (await get(path(bin, '', 'bin'))).headers.get('etag') ?? ''
      await change(bin, { title: 'Bin 2', cover: lost }, 'bin')
      expectStatus(await service.admin.put(path(bin, '', 'bin'), {}, { headers: { 'if-match': first } }), 412)
      expectStatus(await service.admin.delete(path(bin, '', 'bin')), 200)
      expectStatus(await service.admin.delete(`/api/media/${lost}`), 200)
      expectStatus(await service.admin.post(path(bin, '/restore', 'bin')), 200)
      const shown = (await get(path(bin, '?draft=true', 'bin'))).body.data
      assert.deepEqual([shown.title, shown.cover, shown.has_draft], ['Bin 2', null, true])
      assert.equal((await get(path(bin, '', 'bin'))).body.data.cover, kept)
    })

    it('is known to use files, and loses those that are deleted', async () => {
      const [old, next, both] = [await addImage(), await addImage(), await addImage()]
      const id = await addPublished({ title: 'Files', cover: old, gallery: [both] })
      await change(id, { cover: next, gallery: [both, next], teaser: { text: 't', image: next } })
      const usage = async (file: number) =>
        (await get(`/api/media/${file}/usage`)).body.data.map(({ field }: { field: string }) => field)
      assert.deepEqual([await usage(old), await usage(both)], [['cover'], ['gallery']])
      assert.deepEqual(await usage(next), ['cover', 'gallery', 'teaser.image'])
      const forReader = (await get(`/api/media/${next}/usage`, reader.client)).body
      assert.deepEqual([forReader.data, forReader.pagination.total], [[], 0])
      assert.equal((await get(`/api/media/${both}/usage`, reader.client)).body.data.length, 1)
      const before = await get(path(id))
      const version = (await get(path(id, '?draft=true'))).headers.get('etag')
      expectStatus(await service.admin.delete(`/api/media/${next}`), 200)
      const shown = await draft(id)
      assert.deepEqual([shown.cover, shown.gallery, shown.teaser.image], [null, [both], null])
      assert.notEqual((await get(path(id, '?draft=true'))).headers.get('etag'), version)
      assert.deepEqual((await get(path(id))).body, before.body)
      expectStatus(await service.admin.delete(`/api/media/${both}`), 200)
      assert.deepEqual([(await live(id)).gallery, (await draft(id)).gallery], [[], []])
      await publish(id)
      assert.deepEqual(await usage(old), [])
      const text = (await service.add('some text', 'a.txt')).id
      const refused = expectStatus(await service.admin.put(path(id), { cover: text }), 400)
      assert.deepEqual(problemsOf(refused), { cover: 'allowedTypes' })
      await change(id, { cover: old })
      expectStatus(await service.admin.delete(path(id, '/draft')), 200)
      assert.deepEqual(await usage(old), [])
    })

    it('has revisions, and takes what is restored', async () => {
      const id = await addPublished({ title: 'Rev 1' })
      await change(id, { title: 'Rev 2' })
      await change(id, { title: 'Rev 3' })
      const list = async () => (await get(path(id, '/revisions'))).body.data
      const actions = (await list()).map(({ action, data }: { action: string; data: { title: string } }) => [
        action,
        data.title,
      ])
      assert.deepEqual(actions, [
        ['draft', 'Rev 3'],
        ['draft', 'Rev 2'],
        ['publish', 'Rev 1'],
        ['create', 'Rev 1'],
      ])
      const [, second] = await list()
      const restored = await service.admin.post(path(id, `/revisions/${second.id}/restore`))
      assert.deepEqual(
        [expectStatus(restored, 200).body.data.title, restored.body.data.has_draft],
        ['Rev 2', true],
      )
      assert.equal((await live(id)).title, 'Rev 1')
      await publish(id)
      await change(id, { title: 'Rev 4' })
      expectStatus(await service.admin.delete(path(id, '/draft')), 200)
      const newest = (await list()).slice(0, 4)
      assert.deepEqual(
        newest.map(({ action, data }: { action: string; data: { title: string } }) => [action, data.title]),
        [
          ['discard', 'Rev 2'],
          ['draft', 'Rev 4'],
          ['publish', 'Rev 2'],
          ['restore', 'Rev 2'],
        ],
      )
    })

    it('is told to previews, and not as an update', async () => {
      const receiver = await startReceiver()
      const events = ['entry.update', 'entry.publish', 'entry.preview.invalidate']
      const webhook = { name: 'all', url: receiver.url, events, content_types: ['page'] }
      const { id: webhookId } = expectStatus(await service.admin.post('/api/webhooks', webhook), 201).body
        .data
      try {
        const id = await addPublished({ title: 'Hook' })
        await receiver.gets(2)
        await change(id, { title: 'Hook 2' })
        await receiver.gets(3)
        await publish(id)
        await receiver.gets(5)
        const seen = receiver.received.map(({ body }) => [body.event, body.data.entry.title])
        assert.deepEqual(seen[2], ['entry.preview.invalidate', 'Hook 2'])
        assert.deepEqual(seen.slice(3).sort(), [
          ['entry.preview.invalidate', 'Hook 2'],
          ['entry.publish', 'Hook 2'],
        ])
      } finally {
        expectStatus(await service.admin.delete(`/api/webhooks/${webhookId}`), 200)
        await receiver.close()
      }
    })

    it('is neither found nor counted', async () => {
      const id = await addPublished({ title: 'Quokka' })
      await change(id, { title: 'Wombat', price: '5' })
      const hits = async (word: string) => (await get(`/api/search?q=${word}`)).body.data.length
      assert.deepEqual([await hits('quokka'), await hits('wombat')], [1, 0])
      const sum = '/api/content/page/aggregate?function=count&filters[title]=Wombat'
      assert.equal((await get(sum)).body.data.value, 0)
      await publish(id)
      assert.deepEqual([await hits('quokka'), await hits('wombat')], [0, 1])
    })
  })

  describe('drafts over GraphQL', () => {
    const ask = async (client: Client, query: string) => client.post('/api/graphql', { query })
    const dataIn = async (query: string) => expectStatus(await ask(service.admin, query), 200).body.data

    it('are shown where they are asked for, by those who may see them', async () => {
      const author = await add('author', { name: 'Graph' })
      const id = await addPublished({ title: 'Graph 1' })
      const updated = await dataIn(
        `mutation { updatePage(id: ${id}, data: { title: "Graph 2", author: ${author} }) { data { title has_draft author { name } } } }`,
      )
      assert.deepEqual(updated.updatePage.data, {
        title: 'Graph 2',
        has_draft: true,
        author: { name: 'Graph' },
      })
      const shown = await dataIn(`{
        live: page(id: ${id}) { data { title has_draft } }
        page(id: ${id}, draft: true) { data { title has_draft author { name } } }
        pages(draft: true, filters: { id: { eq: ${id} } }) { data { title author { name pages { title has_draft } } } }
      }`)
      assert.deepEqual(shown.live.data, { title: 'Graph 1', has_draft: null })
      assert.deepEqual(shown.page.data, { title: 'Graph 2', has_draft: true, author: { name: 'Graph' } })
      assert.deepEqual(shown.pages.data, [{ title: 'Graph 2', author: { name: 'Graph', pages: [] } }])
      for (const query of [
        `{ page(id: ${id}, draft: true) { data { title } } }`,
        '{ pages(draft: true) { data { id } } }',
      ]) {
        const { body } = await ask(reader.client, query)
        assert.deepEqual(
          body.errors.map((error: { extensions: { code: string } }) => error.extensions.code),
          ['FORBIDDEN'],
        )
      }
    })
  })

  // Last: who signed in before is signed out by the restore.
  it('drafts are in backups', slow, async () => {
    const id = await addPublished({ title: 'Backed' })
    await change(id, { title: 'Backed up' })
    const made = await service.admin.post('/api/admin/backups', { name: 'drafts' })
    const backup = expectStatus(made, 201).body.data
    await publish(id)
    await change(id, { title: 'Later' })
    expectStatus(await service.admin.post(`/api/admin/backups/${backup.id}/restore`, { dryRun: false }), 200)
    assert.deepEqual([(await live(id)).title, (await draft(id)).title], ['Backed', 'Backed up'])
  })
})
