import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contentService } from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { typeFile } from '../support/type-file.ts'

const type = (name: string, attributes: object, options: object = {}) =>
  typeFile(
    name,
    { title: { type: 'string', pluginOptions: { i18n: { localized: true } } }, ...attributes },
    options,
  )

const relation = (kind: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: 'topic',
  ...more,
})

const list = { type: 'component', component: 'page.block', repeatable: true }

const schemas = {
  'components/page.block.json': {
    uid: 'page.block',
    category: 'page',
    info: { displayName: 'Block' },
    attributes: {
      topic: relation('manyToOne'),
      topics: relation('manyToMany'),
      inner: { type: 'component', component: 'page.inner' },
    },
  },
  'components/page.inner.json': {
    uid: 'page.inner',
    category: 'page',
    info: { displayName: 'Inner' },
    attributes: { topic: relation('manyToOne') },
  },
  ...Object.fromEntries([
    type('topic', { next: relation('manyToOne') }, { i18n: { enabled: true } }),
    type('bin', {}, { i18n: { enabled: true }, softDelete: true }),
    type('text', {
      one: relation('manyToOne'),
      many: relation('manyToMany'),
      own: relation('oneToOne'),
      held: relation('oneToMany'),
      kept: relation('manyToOne', { onDelete: 'RESTRICT' }),
      bound: relation('manyToOne', { onDelete: 'CASCADE' }),
      bins: relation('manyToMany', { target: 'bin' }),
    }),
    type(
      'page',
      {
        topic: relation('manyToOne'),
        topics: relation('manyToMany'),
        list,
        zone: { type: 'dynamicZone', components: ['page.block'] },
      },
      { draftAndPublish: true, draftOverlay: true },
    ),
  ]),
}

interface Page {
  readonly topic: number | null
  readonly topics: number[]
  readonly list: {
    readonly topic: number
    readonly topics: number[]
    readonly inner?: { readonly topic: number }
  }[]
  readonly zone: { readonly topic: number }[]
}

eachDatabase(({ name }) => {
  let service: TestService

  before(async () => {
    service = await startService({
      ...{ database: name, schemas },
      env: { SVC_LOCALIZATION_LOCALES: '["en","de","fr"]' },
    })
  })
  after(() => service.stop())

  const path = (of: string, rest: string | number = '') => `/api/content/${of}/${rest}`
  const add = async (of: string, data: object): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${of}`, data), 201).body.data.id
  const remove = async (of: string, id: number, query = '') =>
    expectStatus(await service.admin.delete(path(of, `${id}${query}`)), 200)
  const read = async (of: string, id: number | string) =>
    expectStatus(await service.admin.get(path(of, id)), 200).body.data

  /** The ids of an entry in English, German and French. */
  async function inAllLocales(of: string): Promise<[number, number, number]> {
    const en = await add(of, { title: 'en' })
    const other = async (locale: string): Promise<number> =>
      expectStatus(await service.admin.post(path(of, `${en}/localizations`), { locale, title: locale }), 201)
        .body.data.id
    return [en, await other('de'), await other('fr')]
  }

  describe('what refers to a localisation that is deleted for good', () => {
    it('refers to another one for as long as there is one', async () => {
      const [en, de, fr] = await inAllLocales('topic')
      const text = await add('text', {
        ...{ one: en, many: [en, de], own: en, held: [en], kept: en, bound: en },
      })
      const { updated_at } = await read('text', text)
      await remove('topic', en)
      const once = await read('text', text)
      assert.deepEqual(
        [once.one, once.many, once.own, once.held, once.kept, once.bound],
        [de, [de], de, [de], de, de],
      )
      assert.ok(once.updated_at > updated_at)
      expectStatus(await service.admin.put(path('text', text), { kept: null }), 200)
      await remove('topic', de)
      const twice = await read('text', text)
      assert.deepEqual(
        [twice.one, twice.many, twice.own, twice.held, twice.kept, twice.bound],
        [fr, [fr], fr, [fr], null, fr],
      )
      expectStatus(await service.admin.put(path('text', text), { bound: null }), 200)
      await remove('topic', fr)
      const last = await read('text', text)
      assert.deepEqual([last.one, last.many, last.own, last.held], [null, [], null, []])
    })

    it('is no entry twice, nor the entry itself', async () => {
      const [en, de] = await inAllLocales('topic')
      const [first, second] = [await add('text', { own: en }), await add('text', { own: de, held: [de] })]
      const third = await add('text', { held: [en] })
      expectStatus(await service.admin.put(path('topic', de), { next: en }), 200)
      await remove('topic', en)
      assert.deepEqual(
        [(await read('text', first)).own, (await read('text', second)).own, (await read('text', third)).held],
        [null, de, []],
      )
      assert.equal((await read('topic', de)).next, null)
    })

    it('stays with what is in the trash until that is removed from there', async () => {
      const [en, de] = await inAllLocales('bin')
      const text = await add('text', { bins: [en] })
      await remove('bin', en)
      expectStatus(await service.admin.post(path('bin', `${en}/restore`), {}), 200)
      assert.deepEqual((await read('text', text)).bins, [en])
      await remove('bin', en)
      await remove('bin', en, '?permanent=true')
      assert.deepEqual((await read('text', text)).bins, [de])
    })

    const block = (topic: number, more: object = {}) => ({ __component: 'page.block', topic, ...more })
    const shape = ({ topic, topics, list: blocks, zone }: Page) => ({
      ...{ topic, topics },
      ...{ list: blocks.map((each) => [each.topic, each.topics, each.inner?.topic]) },
      ...{ zone: zone.map((each) => each.topic) },
    })

    it('refers to another one from components, zones and drafts as well', async () => {
      const [en, de] = await inAllLocales('topic')
      const list = [{ topic: en, topics: [en, de], inner: { topic: en } }]
      const before = { list, zone: [block(en), block(de)] }
      const page = await add('page', before)
      expectStatus(await service.admin.put(path('page', `${page}/publish`), {}), 200)
      const waiting = { topic: en, topics: [de, en], list: [], zone: [block(en)] }
      expectStatus(await service.admin.put(path('page', page), waiting), 200)
      const { updated_at } = await read('page', page)
      await remove('topic', en)
      const row = await read('page', page)
      assert.deepEqual(shape(row), {
        ...{ topic: null, topics: [] },
        ...{ list: [[de, [de], de]], zone: [de, de] },
      })
      assert.ok(row.updated_at > updated_at)
      assert.deepEqual(shape(await read('page', `${page}?draft=true`)), {
        ...{ topic: de, topics: [de], list: [], zone: [de] },
      })
      const usages: { field: string }[] = expectStatus(
        await service.admin.get(path('topic', `${de}/usage`)),
        200,
      ).body.data.usages
      assert.equal(usages.length, 7)
    })

    it('refers to what is left at the end of a write that deletes several', async () => {
      const [en, de, fr] = await inAllLocales('topic')
      const page = await add('page', { zone: [block(en), block(de)] })
      expectStatus(await service.admin.delete(path('topic', 'bulk-delete'), { ids: [de, en] }), 200)
      assert.deepEqual(shape(await read('page', page)).zone, [fr, fr])
      await remove('topic', fr)
      assert.deepEqual(shape(await read('page', page)).zone, [null, null])
    })

    it('is published by a release that it waits in', async () => {
      const [en, de] = await inAllLocales('topic')
      const page = await add('page', {})
      expectStatus(await service.admin.put(path('page', `${page}/publish`), {}), 200)
      expectStatus(await service.admin.put(path('page', page), { topics: [en], zone: [block(en)] }), 200)
      const releases = '/api/admin/content-releases'
      const { id } = expectStatus(await service.admin.post(releases, { name: 'Spring' }), 201).body.data
      const item = { contentType: 'page', entryId: page, action: 'publish' }
      expectStatus(await service.admin.post(`${releases}/${id}/entries`, item), 201)
      await remove('topic', en)
      expectStatus(await service.admin.post(`${releases}/${id}/publish`, {}), 200)
      const { topics, zone } = shape(await read('page', page))
      assert.deepEqual([topics, zone], [[de], [de]])
    })

    it('finds what was written in the same transaction', async () => {
      const [en, de] = await inAllLocales('topic')
      const { kernel } = service
      const content = kernel.get(contentService)
      const principal = { kind: 'token', id: 0, name: 'test', scopes: new Set(['admin:*']) } as const
      const id = await kernel.get(databaseService).transaction(async (tx) => {
        const page = await content.create({ type: 'page', principal, tx }, { zone: [block(en)] })
        await content.delete({ type: 'topic', id: en, principal, tx })
        return page.id
      })
      assert.deepEqual(shape(await read('page', id)).zone, [de])
    })
  })
})
