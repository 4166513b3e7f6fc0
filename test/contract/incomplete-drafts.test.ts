import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import type { Answer } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, options: object, attributes: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true, ...options },
    attributes,
  },
})

const localized = { pluginOptions: { i18n: { localized: true } } }

const schemasWith = (incompleteDrafts: boolean) => ({
  ...typeFile(
    'piece',
    { incompleteDrafts, draftOverlay: true, softDelete: true },
    {
      title: { type: 'string', required: true, minLength: 5 },
      rank: { type: 'integer', required: true, min: 10 },
      source: { type: 'relation', relation: 'manyToOne', target: 'piece', required: true },
      parts: { type: 'component', component: 'shared.part', repeatable: true, min: 2 },
    },
  ),
  ...typeFile(
    'story',
    { incompleteDrafts, i18n: { enabled: true, locales: ['en', 'de'] } },
    { title: { type: 'string', required: true, ...localized }, sku: { type: 'string', required: true } },
  ),
  'components/shared.part.json': {
    uid: 'shared.part',
    category: 'shared',
    info: { displayName: 'Part' },
    attributes: { text: { type: 'string', required: true } },
  },
})

eachDatabase(({ createUrl }) => {
  let service: TestService
  let database: { readonly url: string; readonly drop: () => Promise<void> }
  before(async () => {
    database = await createUrl()
    service = await startService({ database: { url: database.url }, schemas: schemasWith(true) })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
  const create = async (data: object, type = 'piece'): Promise<number> =>
    dataOf(await service.admin.post(`/api/content/${type}`, data), 201).id
  const put = (id: number, data: object, type = 'piece') =>
    service.admin.put(`/api/content/${type}/${id}`, data)
  const publish = (id: number, body: object = {}, type = 'piece') =>
    service.admin.put(`/api/content/${type}/${id}/publish`, body)
  const problems = (answer: Answer): string[] =>
    expectStatus(answer, 400).body.error.details.map(
      (each: { path: string; code: string }) => `${each.path} ${each.code}`,
    )

  const incomplete = { title: 'One', rank: 1, parts: [{}] }
  const lacking = ['title minLength', 'rank min', 'parts min', 'parts.0.text required', 'source required']
  const parts = [{ text: 'a' }, { text: 'b' }]

  describe('an incomplete draft', () => {
    it('is kept, and cannot be made public in any way before it is complete', async () => {
      const id = await create(incomplete)
      const { title, rank, source } = dataOf(await service.admin.get(`/api/content/piece/${id}?draft=true`))
      assert.deepEqual([title, rank, source], ['One', 1, null])
      assert.deepEqual(problems(await publish(id)), lacking)
      assert.deepEqual(problems(await publish(id, { publishedAt: '2999-01-01T00:00:00.000Z' })), lacking)
      const other = await create({})
      const bulk = await service.admin.post('/api/content/piece/bulk-publish', { ids: [other] })
      assert.match(JSON.stringify(problems(bulk)), new RegExp(`piece:${other}`))
      const mutation = `mutation { publishPiece(id: ${other}) { data { id } } }`
      const answer = await service.admin.post('/api/graphql', { query: mutation })
      assert.match(JSON.stringify(answer.body.errors), /required/)
      const releases = '/api/admin/content-releases'
      const release = dataOf(await service.admin.post(releases, { name: 'Spring' }), 201).id
      const item = { contentType: 'piece', entryId: other, action: 'publish' }
      expectStatus(await service.admin.post(`${releases}/${release}/entries`, item), 201)
      const refused = await service.admin.post(`${releases}/${release}/publish`)
      assert.ok([400, 409].includes(refused.status), `the release answers ${refused.status}`)
      assert.match(JSON.stringify(refused.body.error), /required/)
      assert.equal(dataOf(await service.admin.get(`/api/content/piece/${other}`)).published_at, null)
      // Everything else is checked as ever.
      assert.deepEqual(problems(await put(id, { title: 7, nothing: 1 })), ['nothing unknown', 'title type'])
    })

    it('is told what it lacks before it is published', async () => {
      const id = await create(incomplete)
      const path = `/api/content/piece/${id}/check`
      assert.deepEqual(dataOf(await service.admin.post(path, {})), { valid: true })
      const { valid, details } = dataOf(await service.admin.post(`${path}?publishing=true`, { rank: 10 }))
      assert.equal(valid, false)
      assert.equal(details.length, lacking.length - 1)
    })

    it('may wait beside what is public, which stays complete', async () => {
      const source = await create({})
      const id = await create({ title: 'Whole', rank: 10, source, parts })
      expectStatus(await publish(id), 200)
      expectStatus(await put(id, { title: '', parts: [] }), 200)
      assert.deepEqual(problems(await publish(id)), ['title minLength', 'parts min', 'title required'])
      assert.equal(dataOf(await service.admin.get(`/api/content/piece/${id}`)).title, 'Whole')
      expectStatus(await put(id, { title: 'Whole again', parts }), 200)
      expectStatus(await publish(id), 200)
      assert.equal(dataOf(await service.admin.get(`/api/content/piece/${id}`)).title, 'Whole again')
      const later = await create({ title: 'Later', rank: 10, source, parts })
      expectStatus(await publish(later, { publishedAt: '2999-01-01T00:00:00.000Z' }), 200)
      assert.deepEqual(problems(await put(later, { rank: null })), ['rank required'])
    })

    it('takes nothing from its public versions in other languages', async () => {
      const en = await create({ title: 'Hello', sku: 'a' }, 'story')
      const body = { locale: 'de', title: 'Hallo' }
      const de = dataOf(await service.admin.post(`/api/content/story/${en}/localizations`, body), 201).id
      expectStatus(await publish(de, {}, 'story'), 200)
      expectStatus(await put(en, { title: null }, 'story'), 200)
      assert.deepEqual(problems(await put(en, { sku: null }, 'story')), ['sku required'])
      assert.equal(dataOf(await service.admin.get(`/api/content/story/${de}`)).sku, 'a')
      expectStatus(await service.admin.put(`/api/content/story/${de}/unpublish`), 200)
      expectStatus(await put(en, { sku: null }, 'story'), 200)
      assert.deepEqual(problems(await publish(de, {}, 'story')), ['sku required'])
    })

    it('is described as it is', async () => {
      const { components } = (await service.admin.get('/api/_docs/openapi.json')).body
      const input = components.schemas['piece.input']
      assert.deepEqual(input.required ?? [], [])
      assert.equal(JSON.stringify(input).includes('minLength'), false)
      const entry = components.schemas.piece
      assert.ok(entry.properties.title.anyOf?.some(({ type }: { type: string }) => type === 'null'))
    })
  })

  describe('incompleteDrafts switched off while drafts are incomplete', () => {
    let draft: number
    let public_: number
    let trashed: number
    const read = async (id: number, more = '') =>
      dataOf(await service.admin.get(`/api/content/piece/${id}?draft=true${more}`))

    it('is answered with a warning that counts them', async () => {
      const source = await create({ title: 'Source', rank: 10, parts })
      draft = await create(incomplete)
      expectStatus(await put(draft, { rank: 2 }), 200)
      public_ = await create({ title: 'Public', rank: 10, source, parts })
      expectStatus(await publish(public_), 200)
      expectStatus(await put(public_, { title: null, parts: [] }), 200)
      trashed = await create({})
      expectStatus(await service.admin.delete(`/api/content/piece/${trashed}`), 200)
      const files = { 'piece.json': Object.values(schemasWith(false))[0] }
      const { problems, warnings } = dataOf(await service.admin.post('/api/admin/schemas/check', { files }))
      assert.deepEqual(problems, [])
      assert.equal(warnings.length, 1)
      assert.equal(warnings[0].file, 'piece.json')
      assert.equal(warnings[0].pointer, '/options/incompleteDrafts')
      assert.match(warnings[0].message, /switched off, and [1-9]\d* drafts lack what is required/)
    })

    it('loses nothing, and publishes none of them before it is complete', async () => {
      await service.stop()
      service = await startService({ database: { url: database.url }, schemas: schemasWith(false) })
      const { title, rank, source } = await read(draft, '&populate=*')
      assert.deepEqual([title, rank, source], ['One', 2, null])
      assert.equal((await read(public_)).title, null)
      const listed = dataOf(await service.admin.get('/api/content/piece?draft=true&limit=100'))
      assert.ok([draft, public_].every((id) => listed.some((each: { id: number }) => each.id === id)))
      const query = `{ piece(id: ${draft}) { data { title rank source { id } parts { text } } } }`
      const { body } = await service.admin.post('/api/graphql', { query })
      const seen = { title: 'One', rank: 2, source: null, parts: [{ text: null }] }
      assert.deepEqual(body, { data: { piece: { data: seen } } })

      const missing = lacking.filter((each) => each !== 'rank min')
      assert.deepEqual(problems(await publish(draft)), lacking)
      const later = { publishedAt: '2999-01-01T00:00:00.000Z' }
      assert.deepEqual(problems(await publish(draft, later)), lacking)
      assert.deepEqual(problems(await put(draft, { title: 'One', rank: 10 })), ['title minLength'])
      expectStatus(await put(draft, { rank: 10 }), 200)
      assert.deepEqual(problems(await publish(draft)), missing)
      const path = `/api/content/piece/${draft}`
      const { valid } = dataOf(await service.admin.post(`${path}/check?publishing=true`, {}))
      assert.equal(valid, false)

      const revisions = dataOf(await service.admin.get(`${path}/revisions`))
      assert.ok(revisions.length >= 2)
      const oldest = revisions.at(-1).id
      assert.equal(dataOf(await service.admin.get(`${path}/revisions/${oldest}`)).data.rank, 1)
      const restored = dataOf(await service.admin.post(`${path}/revisions/${oldest}/restore`))
      assert.equal(restored.rank, 10)
      const leftOut: { path: string; code: string }[] = restored._leftOut
      assert.deepEqual(
        leftOut.map(({ path: at, code }) => `${at} ${code}`),
        lacking,
      )

      expectStatus(await service.admin.post(`/api/content/piece/${trashed}/restore`), 200)
      assert.equal((await read(trashed)).title, null)
      assert.deepEqual(problems(await publish(public_)), ['parts min', 'title required'])
      assert.equal(dataOf(await service.admin.get(`/api/content/piece/${public_}`)).title, 'Public')
      for (const id of [draft, public_]) {
        expectStatus(await put(id, { title: 'Whole', source: public_, parts }), 200)
        expectStatus(await publish(id), 200)
      }
    })
  })
})
