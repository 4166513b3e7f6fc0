import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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

const schemas = Object.fromEntries([
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
])

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
  const read = async (of: string, id: number) =>
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
  })
})
