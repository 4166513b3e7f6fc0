import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { mediaService } from '../../core-plugins/delivery/media/media.ts'
import { contentReadMiddleware, type EntryPage } from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newAdmin, newApiToken, problemsOf } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const picture = { type: 'media', allowedTypes: ['images'] }

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    options: { draftAndPublish: true, softDelete: true },
    attributes: {
      title: { type: 'string' },
      cover: { ...picture, required: true },
      attachments: { type: 'media', multiple: true },
      teaser: { type: 'component', component: 'part.teaser' },
      blocks: { type: 'dynamicZone', components: ['part.teaser', 'part.gallery'] },
      related: { type: 'relation', relation: 'manyToMany', target: 'page' },
    },
  },
  'coded.json': {
    kind: 'collectionType',
    info: info('coded'),
    pluginOptions: { panel: { title: 'code' } },
    attributes: { headline: { type: 'string' }, code: { type: 'string' }, cover: picture },
  },
  'components/part.teaser.json': {
    uid: 'part.teaser',
    category: 'part',
    info: { displayName: 'Teaser' },
    attributes: {
      image: { ...picture, required: true },
      more: { type: 'component', component: 'part.picture', repeatable: true },
    },
  },
  'components/part.picture.json': {
    uid: 'part.picture',
    category: 'part',
    info: { displayName: 'Picture' },
    attributes: { image: picture },
  },
  'components/part.gallery.json': {
    uid: 'part.gallery',
    category: 'part',
    info: { displayName: 'Gallery' },
    attributes: { images: { type: 'media', multiple: true, allowedTypes: ['images', 'videos'] } },
  },
}

eachDatabase(({ name }) => {
  let service: MediaService
  let png: Uint8Array<ArrayBuffer>
  before(async () => {
    png = await image(2, 2)
    service = await startMediaService({ database: name, schemas })
  })
  after(() => service.stop())

  const addImage = async (): Promise<number> => (await service.add(png, 'a.png')).id
  const create = async (data: Record<string, unknown>) =>
    expectStatus(await service.admin.post('/api/content/page', data), 201).body.data
  const read = async (id: number, query = '') =>
    expectStatus(await service.admin.get(`/api/content/page/${id}${query}`), 200)
  const usageOf = async (id: number) =>
    expectStatus(await service.admin.get(`/api/media/${id}/usage`), 200).body
  const fieldsOf = async (id: number): Promise<string[]> =>
    (await usageOf(id)).data.map((usage: { id: number; field: string }) => `${usage.id} ${usage.field}`)

  /** An entry with a file in every kind of place. */
  const everywhere = (file: number, other: number) => ({
    title: 'Everywhere',
    cover: file,
    attachments: [other, file],
    teaser: { image: file, more: [{ image: file }, { image: other }] },
    blocks: [
      { __component: 'part.teaser', image: other },
      { __component: 'part.gallery', images: [file, other] },
    ],
  })

  it('usages are known for every place, drafts included', slow, async () => {
    const [file, other] = [await addImage(), await addImage()]
    const { id } = await create(everywhere(file, other))
    const { data, pagination } = await usageOf(file)
    const places = ['attachments', 'blocks.images', 'cover', 'teaser.image', 'teaser.more.image']
    assert.deepEqual(
      data,
      places.map((field) => ({ type: 'page', id, field, title: 'Everywhere' })),
    )
    assert.equal(pagination.total, 5)
    assert.deepEqual(await fieldsOf(other), [
      `${id} attachments`,
      `${id} blocks.image`,
      `${id} blocks.images`,
      `${id} teaser.more.image`,
    ])
    const both = await service.admin.get(`/api/media/usage?ids=${other},${file},9999&limit=6`)
    assert.equal(expectStatus(both, 200).body.pagination.total, 9)
    assert.deepEqual(
      both.body.data.map((usage: { mediaId: number; field: string }) => [
        usage.mediaId === file,
        usage.field,
      ])[5],
      [true, 'cover'],
    )
    expectStatus(await service.admin.put(`/api/content/page/${id}`, { blocks: [], attachments: [file] }), 200)
    assert.deepEqual(await fieldsOf(other), [`${id} teaser.more.image`])
    expectStatus(await service.admin.delete(`/api/content/page/${id}`), 200)
    assert.deepEqual(await fieldsOf(file), [])
    assert.equal((await service.admin.get('/api/media/9999/usage')).status, 404)
  })

  it('usages are told by the title that the type chooses', async () => {
    const file = await addImage()
    const data = { headline: 'A headline', code: 'B-7', cover: file }
    const { id } = expectStatus(await service.admin.post('/api/content/coded', data), 201).body.data
    assert.deepEqual((await usageOf(file)).data, [{ type: 'coded', id, field: 'cover', title: 'B-7' }])
  })

  it('usages are those that the caller sees, and nobody is told of others', async () => {
    const file = await addImage()
    const published = await create({ title: 'Public', cover: file })
    expectStatus(await service.admin.put(`/api/content/page/${published.id}/publish`), 200)
    const { id } = await create({ title: 'Draft', cover: file })
    const media = { read: true, write: true }
    const callers = { seeing: { page: { read: true } }, blind: {} }
    for (const [role, content] of Object.entries(callers)) {
      const made = { name: role, description: '', permissions: { content, media } }
      expectStatus(await service.admin.post('/api/admin/roles', made), 201)
    }
    const seen = async ({ client }: { readonly client: Client }) => {
      const { data, pagination } = expectStatus(await client.get(`/api/media/${file}/usage`), 200).body
      assert.equal(pagination.total, data.length)
      return data.map((usage: { id: number; title: string }) => [usage.id, usage.title])
    }
    const both = [
      [published.id, 'Public'],
      [id, 'Draft'],
    ]
    const blind = await newAdmin(service, 'blind')
    assert.deepEqual(await seen(await newAdmin(service, 'seeing')), both)
    assert.deepEqual(await seen(blind), [])
    assert.deepEqual(await seen(await newApiToken(service, ['media:read', 'content:read'])), [both[0]])
    assert.deepEqual(await seen(await newApiToken(service, ['media:read'])), [])
    const text = { name: 'file', content: 'text', filename: 'b.txt' }
    const refused = await service.send('PUT', `/api/media/${file}/file`, [text], blind.token)
    assert.equal(refused.body.error.message, 'an entry has it in a field, which does not take files')
  })

  it('deleting a file takes it out of everything that names it, and gives that a new version', async () => {
    const [file, other] = [await addImage(), await addImage()]
    const { id } = await create(everywhere(file, other))
    const untouched = await create({ title: 'Other', cover: other })
    const etag = (await read(id)).headers.get('etag') ?? ''
    expectStatus(await service.admin.delete(`/api/media/${file}`), 200)
    const { body, headers } = await read(id)
    const { cover, attachments, teaser, blocks } = body.data
    assert.deepEqual(
      { cover, attachments, teaser, blocks },
      {
        cover: null,
        attachments: [other],
        teaser: { image: null, more: [{ image: null }, { image: other }] },
        blocks: [
          { __component: 'part.teaser', image: other, more: [] },
          { __component: 'part.gallery', images: [other] },
        ],
      },
    )
    assert.notEqual(headers.get('etag'), etag)
    const stale = await service.admin.put(
      `/api/content/page/${id}`,
      { title: 'x' },
      { headers: { 'if-match': etag } },
    )
    assert.equal(stale.status, 412)
    assert.equal((await read(untouched.id)).body.data.updated_at, untouched.updated_at)
  })

  it('deleting many files touches each entry once', async () => {
    const ids = [await addImage(), await addImage(), await addImage()]
    const [first = 0, second = 0, kept = 0] = ids
    const { id } = await create({ title: 'Many', cover: first, attachments: [second, kept, first] })
    expectStatus(await service.admin.delete('/api/media/bulk', { ids: [first, second] }), 200)
    const { cover, attachments } = (await read(id)).body.data
    assert.deepEqual({ cover, attachments }, { cover: null, attachments: [kept] })
  })

  it('an entry that comes back does not bring back files that are gone', async () => {
    const [file, other] = [await addImage(), await addImage()]
    const { id } = await create(everywhere(file, other))
    expectStatus(await service.admin.delete(`/api/content/page/${id}`), 200)
    expectStatus(await service.admin.delete(`/api/media/${file}`), 200)
    const restored = expectStatus(await service.admin.post(`/api/content/page/${id}/restore`), 200).body.data
    assert.deepEqual(restored.teaser, { image: null, more: [{ image: null }, { image: other }] })
    assert.deepEqual((await read(id)).body.data.teaser, restored.teaser)
    assert.deepEqual(await fieldsOf(other), [
      `${id} attachments`,
      `${id} blocks.image`,
      `${id} blocks.images`,
      `${id} teaser.more.image`,
    ])
  })

  it('tells what is wrong with shape, files and relations in one answer', async () => {
    const text = (await service.add('text', 'a.txt')).id
    const wrong = {
      title: 1,
      cover: text,
      attachments: [99_999],
      related: [99_998],
      teaser: { image: 99_997, more: 'x' },
    }
    const expected = {
      title: 'type',
      cover: 'allowedTypes',
      'attachments.0': 'reference',
      'related.0': 'reference',
      'teaser.image': 'reference',
      'teaser.more': 'type',
    }
    assert.deepEqual(problemsOf(await service.admin.post('/api/content/page', wrong)), expected)
    const { id } = await create({ cover: await addImage() })
    assert.deepEqual(problemsOf(await service.admin.put(`/api/content/page/${id}`, wrong)), expected)
    const { title: _, teaser: __, ...shaped } = wrong
    const rest = { cover: 'allowedTypes', 'attachments.0': 'reference', 'related.0': 'reference' }
    assert.deepEqual(problemsOf(await service.admin.put(`/api/content/page/${id}`, shaped)), rest)
  })

  it('media fields take files of their kinds only', async () => {
    const file = await addImage()
    const text = (await service.add('text', 'a.txt')).id
    const wrong = await service.admin.post('/api/content/page', {
      ...everywhere(text, file),
      attachments: [text],
    })
    assert.equal(wrong.status, 400)
    assert.deepEqual(problemsOf(wrong), {
      cover: 'allowedTypes',
      'teaser.image': 'allowedTypes',
      'teaser.more.0.image': 'allowedTypes',
      'blocks.1.images.0': 'allowedTypes',
    })
    const missing = await service.admin.post('/api/content/page', { cover: file, teaser: { image: 99_999 } })
    assert.deepEqual(problemsOf(missing), { 'teaser.image': 'reference' })
    const { id } = await create({ cover: file })
    const changed = await service.admin.put(`/api/content/page/${id}`, { cover: text })
    assert.deepEqual(problemsOf(changed), { cover: 'allowedTypes' })
    const replacement = { name: 'file', content: 'text', filename: 'b.txt' }
    const replaced = await service.send('PUT', `/api/media/${file}/file`, [replacement])
    assert.equal(replaced.status, 415)
    const other = await service.send('PUT', `/api/media/${text}/file`, [
      { ...replacement, content: png, filename: 'b.png' },
    ])
    assert.equal(other.status, 200)
  })

  it('populated media are whole records, in components too', async () => {
    const file = await addImage()
    const record = expectStatus(await service.admin.get(`/api/media/${file}`), 200).body.data
    const { id } = await create(everywhere(file, file))
    const { cover, teaser, blocks } = (await read(id, '?populate=cover,teaser.image,blocks.images')).body.data
    assert.deepEqual(cover, record)
    assert.deepEqual(teaser.image, record)
    assert.deepEqual(blocks[1].images, [record])
  })

  it('writes and deletes at the same time leave no entry that names a file that is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const [file, other] = [await addImage(), await addImage()]
      const { id } = await create({ title: 'Race', cover: other, teaser: { image: file } })
      const answers = await Promise.all([
        service.admin.delete(`/api/media/${file}`),
        service.admin.put(`/api/content/page/${id}`, {
          blocks: [{ __component: 'part.gallery', images: [file] }],
        }),
        service.admin.post('/api/content/page', everywhere(other, file)),
        service.admin.put(`/api/content/page/${id}`, { title: 'Raced' }),
      ])
      assert.ok(
        answers.every(({ status }) => [200, 201, 400].includes(status)),
        JSON.stringify(answers.map(({ body }) => body)),
      )
      const pages = expectStatus(await service.admin.get('/api/content/page?limit=100&sort=id:desc'), 200)
        .body.data
      for (const { id: _, created_at, updated_at, published_at, title, ...page } of pages) {
        const named = [
          ...JSON.stringify(page).matchAll(/"(?:image|images|cover|attachments)":(\[[\d,]*\]|\d+)/g),
        ]
        const ids = named.flatMap(([, value = '']) => value.match(/\d+/g) ?? []).map(Number)
        assert.ok(!ids.includes(file), JSON.stringify(page))
      }
    }
  })

  it('the index is built anew from all entries, and what is gone is taken out of them', async () => {
    const [file, other] = [await addImage(), await addImage()]
    const { id } = await create(everywhere(file, other))
    const before = await usageOf(file)
    const database = service.kernel.get(databaseService)
    const gone = JSON.stringify({ image: 99_999, more: [{ image: file }] })
    await database.run(database.prepare(sql`delete from svc_media_usages`))
    const teaser = database.dialect.placeholder('teaser', 'json')
    await database.run(
      database.prepare(sql`update content_page set teaser = ${teaser} where id = ${sql.raw(String(id))}`),
      {
        teaser: database.dialect.bind(JSON.parse(gone), 'json'),
      },
    )
    assert.deepEqual(await fieldsOf(file), [])
    await database.transaction((tx) => service.kernel.get(mediaService).reindexUsages(tx))
    await service.kernel.get(jobsService).drain()
    assert.deepEqual(
      (await usageOf(file)).data,
      before.data.filter(({ field }: { field: string }) => field !== 'teaser.image'),
    )
    assert.deepEqual((await read(id)).body.data.teaser, { image: null, more: [{ image: file }] })
  })
})

it('usages call entries what read middleware makes of their titles', slow, async (test) => {
  const plugin = definePlugin({
    name: 'titles',
    description: 'Hides titles',
    register({ contribute }) {
      contribute(contentReadMiddleware, {
        name: 'titles: hide',
        matches: ({ type, operation }) => type.name === 'page' && operation === 'list',
        async run(_, next) {
          const page = (await next()) as EntryPage
          for (const entry of page.entries) entry.title = 'hidden'
          return page
        },
      })
    },
  })
  const service = await startMediaService({ schemas, plugins: [plugin] })
  test.after(() => service.stop())
  const { id } = await service.add(await image(2, 2), 'a.png')
  expectStatus(await service.admin.post('/api/content/page', { title: 'secret', cover: id }), 201)
  const { body } = expectStatus(await service.admin.get(`/api/media/${id}/usage`), 200)
  assert.equal(body.data[0].title, 'hidden')
})
