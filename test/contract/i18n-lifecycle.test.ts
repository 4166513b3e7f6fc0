import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entryUpdated } from '../../core-plugins/entries/content/content.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, problemsOf } from '../api/auth-callers.ts'
import { startBackupWorld } from '../backups/backup-world.ts'
import { ask } from '../graphql/graphql-world.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { dataOf, type Entry, i18nEnv, i18nSchemas, speak, startLocalised, typeFile } from './i18n-world.ts'

eachDatabase((database) => {
  const { name } = database
  describe('localised entries', () => {
    let service: TestService
    let say: ReturnType<typeof speak>
    const updated: number[] = []
    const listener = definePlugin({
      name: 'listener',
      description: 'Listens to updates',
      register({ on }) {
        on(entryUpdated, ({ entry }) => updated.push(entry.id))
      },
    })

    before(async () => {
      service = await startLocalised(name, { plugins: [listener] })
      say = speak(service.admin)
    })
    after(() => service.stop())

    it('that are deleted softly leave their locale to others, and come back where it is free', async () => {
      const en = await say.create('note', { text: 'en', code: 'soft', weight: 1 })
      const de = await say.localize('note', en.id, { locale: 'de', text: 'de' })
      expectStatus(await service.admin.delete(`/api/content/note/${de.id}`), 200)
      assert.deepEqual(await say.statuses('note', en.id), { en: 'published' })
      const deleted = await say.list('note', '?deleted=true&locale=de')
      assert.deepEqual(
        deleted.map(({ id }) => id),
        [de.id],
      )
      await say.update('note', en.id, { weight: 2, code: 'soft 2' })
      const answer = expectStatus(await service.admin.post(`/api/content/note/${de.id}/restore`), 200)
      const restored = await say.read('note', de.id)
      assert.deepEqual([restored.text, restored.weight, restored.code], ['de', 2, 'soft 2'])
      assert.deepEqual(answer.body.data, restored)

      expectStatus(await service.admin.delete(`/api/content/note/${de.id}`), 200)
      const other = await say.localize('note', en.id, { locale: 'de', text: 'other' })
      const refused = expectStatus(await service.admin.post(`/api/content/note/${de.id}/restore`), 409)
      assert.deepEqual(problemsOf(refused), { locale: 'unique' })
      expectStatus(await service.admin.delete(`/api/content/note/${other.id}`), 200)
      expectStatus(await service.admin.post(`/api/content/note/${de.id}/restore`), 200)
      const answers = await Promise.all([
        service.admin.post(`/api/content/note/${other.id}/restore`),
        service.admin.post(`/api/content/note/${en.id}/localizations`, { locale: 'de', text: 'x' }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [409, 409],
      )
    })

    it('that are deleted softly hand the source over, and take it back', async () => {
      const en = await say.create('note', { text: 'en' })
      const de = await say.localize('note', en.id, { locale: 'de', text: 'de' })
      expectStatus(await service.admin.delete(`/api/content/note/${en.id}`), 200)
      const sourceOf = async () => (await say.versions('note', de.id)).translationMeta.de.sourceLocale
      assert.equal(await sourceOf(), 'de')
      expectStatus(await service.admin.post(`/api/content/note/${en.id}/restore`), 200)
      assert.equal(await sourceOf(), 'en')
    })

    it('of a single type are one for each locale', async () => {
      const path = '/api/content/home'
      expectStatus(await service.admin.get(`${path}?locale=de`), 404)
      const en = dataOf(await service.admin.put(path, { title: 'Home', color: 'red' }), 201)
      assert.equal(en.locale, 'en')
      const de = dataOf(await service.admin.put(`${path}?locale=de`, { title: 'Heim' }), 201)
      assert.deepEqual([de.locale, de.color], ['de', 'red'])
      const twice = expectStatus(await service.admin.post(path, { title: 'x', locale: 'de' }), 409)
      assert.equal(twice.body.error.code, 'CONFLICT')
      expectStatus(await service.admin.post(path, { title: 'x' }), 409)
      assert.equal(dataOf(await service.admin.get(path)).id, en.id)
      assert.equal(dataOf(await service.admin.get(`${path}?locale=de`)).id, de.id)
      expectStatus(await service.admin.get(`${path}?locale=fr`), 404)
      assert.equal(dataOf(await service.admin.get(`${path}?locale=fr&fallback=true`)).id, en.id)
      expectStatus(await service.admin.get(`${path}?locale=xx`), 400)
      expectStatus(await service.admin.put(`${path}?locale=xx`, { title: 'x' }), 400)
      // What was read can be sent back.
      const sent = dataOf(await service.admin.put(path, { ...de, title: 'Zuhause', color: 'blue' }))
      assert.deepEqual([sent.id, sent.title], [de.id, 'Zuhause'])
      assert.equal(dataOf(await service.admin.get(path)).color, 'blue')
      const { localizations } = await say.versions('home', en.id)
      assert.equal(localizations.length, 2)
      dataOf(await service.admin.delete(path))
      assert.equal(dataOf(await service.admin.get(path)).id, de.id)
      dataOf(await service.admin.delete(`${path}?locale=de`))
      expectStatus(await service.admin.get(path), 404)
    })

    it('of a single type are alike, however many make the first of them at the same time', async () => {
      const locales = ['en', 'de', 'fr', 'en', 'de', 'fr']
      const answers = await Promise.all(
        locales.map((locale, index) =>
          service.admin.put(`/api/content/home?locale=${locale}`, { title: locale, color: `c${index}` }),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, 200, 200, 201, 201, 201])
      const { data } = (await service.admin.get('/api/content/home')).body
      const { localizations } = await say.versions('home', data.id)
      assert.equal(localizations.length, 3)
      assert.equal(new Set(localizations.map(({ color }: Entry) => color)).size, 1)
    })

    it('are told of each, and have revisions and an index that can be searched', async () => {
      const en = await say.create('page', { title: 'Told', rank: 1, sku: 'told' })
      const de = await say.localize('page', en.id, { locale: 'de', title: 'Erzählt' })
      updated.length = 0
      await say.update('page', en.id, { title: 'Told again' })
      assert.deepEqual(updated, [en.id])
      await say.update('page', en.id, { sku: 'quokka' })
      assert.deepEqual(updated.sort(), [en.id, en.id, de.id].sort())
      const found = dataOf(await service.admin.get('/api/search?q=quokka'))
      assert.deepEqual(found.map(({ id }: Entry) => id).sort(), [en.id, de.id].sort())
      const revisions = dataOf(await service.admin.get(`/api/content/page/${de.id}/revisions`))
      const first = revisions.at(-1)
      dataOf(await service.admin.post(`/api/content/page/${de.id}/revisions/${first.id}/restore`))
      assert.equal((await say.read('page', en.id)).sku, 'told')
    })

    it('cost as many statements in thirty-five locales as in two', slow, async () => {
      const letters = [...'abcdefghijklmnopqrstuvwxyz']
      const locales = letters.flatMap((letter) => [`q${letter}`, `x${letter}`]).slice(0, 35)
      const many = await startService({
        database: name,
        env: { SVC_LOCALIZATION_LOCALES: JSON.stringify(['en', ...locales]) },
        schemas: {
          ...typeFile(
            'page',
            { i18n: { enabled: true } },
            {
              title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
              shared: { type: 'string' },
              pages: { type: 'relation', relation: 'manyToMany', target: 'page' },
            },
          ),
        },
      })
      try {
        const speaker = speak(many.admin)
        const costOf = async (count: number) => {
          const en = await speaker.create('page', { title: 'x', shared: 'a' })
          for (const locale of locales.slice(1, count)) {
            await speaker.localize('page', en.id, { locale, title: locale })
          }
          const target = await speaker.create('page', {})
          const counts: number[] = []
          for (let round = 0; round < 4; round++) {
            const data = { title: `t${round}`, shared: `s${round}`, pages: round % 2 ? [target.id] : [en.id] }
            counts.push(
              await countStatements(many.kernel.get(databaseService), () =>
                speaker.update('page', en.id, data),
              ),
            )
          }
          const { localizations } = await speaker.versions('page', en.id)
          assert.deepEqual(new Set(localizations.map(({ shared }: Entry) => shared)), new Set(['s3']))
          assert.equal(localizations.length, count)
          return Math.min(...counts)
        }
        const few = await costOf(3)
        const all = await costOf(35)
        // Others may do something meanwhile.
        assert.ok(all <= few + 3, `${all} statements, and ${few} for three locales`)
      } finally {
        await many.stop()
      }
    })

    it('are read and written over GraphQL', async () => {
      const create = `mutation($data: PageInput!) { createPage(data: $data) { data { id locale } } }`
      const made = await ask(service.admin, create, {
        data: { title: 'Q', rank: 1, locale: 'de', sku: 'gql' },
      })
      assert.equal(made.createPage.data.locale, 'de')
      const { id } = made.createPage.data
      await say.localize('page', Number(id), { locale: 'en', title: 'E' })
      const list = `query($locale: String, $fallback: Boolean) {
        pages(locale: $locale, fallback: $fallback, filters: { sku: { eq: "gql" } }) {
          data { title locale } pagination { total } } }`
      const read = async (variables: object) => (await ask(service.admin, list, variables)).pages
      assert.equal((await read({})).pagination.total, 2)
      assert.deepEqual(await read({ locale: 'de' }), {
        data: [{ title: 'Q', locale: 'de' }],
        pagination: { total: 1 },
      })
      assert.deepEqual((await read({ locale: 'it', fallback: true })).data, [{ title: 'E', locale: 'en' }])
      const one = await ask(service.admin, `{ page(id: ${id}, locale: "en") { data { title } } }`)
      assert.equal(one.page.data.title, 'E')
      const single = await ask(
        service.admin,
        `mutation { updateHome(locale: "fr", data: { title: "Maison" }) { data { locale title } } }`,
      )
      assert.deepEqual(single.updateHome.data, { locale: 'fr', title: 'Maison' })
      const home = await ask(service.admin, `{ home(locale: "fr") { data { title } } }`)
      assert.equal(home.home.data.title, 'Maison')
    })

    it('are in the API document', async () => {
      const { body } = await service.admin.get('/api/_docs/openapi.json')
      const names = (path: string, method = 'get') =>
        body.paths[path][method].parameters.map((parameter: { name: string }) => parameter.name)
      assert.ok(names('/content/page').includes('locale'))
      assert.ok(names('/content/page/{id}').includes('fallback'))
      assert.ok(names('/content/home', 'put').includes('locale'))
      assert.ok(!names('/content/tag').includes('locale'))
    })
  })

  it('a draft beside a version changes the others when it is published', async () => {
    const attributes = {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      rank: { type: 'integer' },
      pages: { type: 'relation', relation: 'manyToMany', target: 'page' },
    }
    const options = {
      draftAndPublish: true,
      draftOverlay: true,
      i18n: { enabled: true, locales: ['en', 'de'] },
    }
    const service = await startService({ database: name, schemas: typeFile('page', options, attributes) })
    try {
      const say = speak(service.admin)
      const en = await say.create('page', { title: 'a', rank: 1 })
      const de = await say.localize('page', en.id, { locale: 'de', title: 'b' })
      for (const { id } of [en, de]) await say.publish('page', id)
      await say.update('page', en.id, { title: 'c', rank: 2, pages: [de.id] })
      const shown = async () => {
        const { rank, pages } = await say.read('page', de.id)
        return { rank, pages, status: (await say.statuses('page', en.id)).de }
      }
      assert.deepEqual(await shown(), { rank: 1, pages: [], status: 'published' })
      await say.publish('page', en.id)
      assert.deepEqual(await shown(), { rank: 2, pages: [de.id], status: 'outdated' })
    } finally {
      await service.stop()
    }
  })

  it('a type that becomes localised keeps its entries, and back again', slow, async () => {
    const { url, drop } = await database.createUrl()
    const attributes = {
      title: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
      rank: { type: 'integer' },
    }
    const plain = {
      ...typeFile('page', {}, attributes),
      ...typeFile('home', {}, attributes, { kind: 'singleType' }),
    }
    const i18n = { i18n: { enabled: true, locales: ['de', 'en'], defaultLocale: 'de' } }
    const localised = {
      ...typeFile('page', i18n, attributes),
      ...typeFile('home', i18n, attributes, { kind: 'singleType' }),
    }
    const withService = async (
      schemas: object,
      env: Record<string, string>,
      work: (service: TestService) => Promise<void>,
    ) => {
      const service = await startService({ database: { url }, schemas: schemas as typeof plain, env })
      try {
        await work(service)
      } finally {
        await service.stop()
      }
    }
    const ids: number[] = []
    try {
      await withService(plain, {}, async ({ admin }) => {
        const say = speak(admin)
        for (const title of ['a', 'b']) ids.push((await say.create('page', { title, rank: 1 })).id)
        expectStatus(await admin.put('/api/content/home', { title: 'h' }), 201)
        expectStatus(await admin.get('/api/content/page?locale=de'), 400)
      })
      await withService(localised, {}, async ({ admin }) => {
        const say = speak(admin)
        const pages = await say.list('page', '?locale=de&sort=id')
        assert.deepEqual(
          pages.map(({ id, title, locale }) => [id, title, locale]),
          ids.map((id, index) => [id, ['a', 'b'][index], 'de']),
        )
        const en = await say.localize('page', ids[0] ?? 0, { locale: 'en', title: 'a' })
        assert.equal(en.rank, 1)
        assert.deepEqual(Object.keys(await say.statuses('page', ids[1] ?? 0)), ['de'])
        assert.equal(dataOf(await admin.get('/api/content/home?locale=de')).title, 'h')
        expectStatus(await admin.put('/api/content/home?locale=en', { title: 'home' }), 201)
        ids.push(en.id)
      })
      await withService(localised, { SVC_PLUGINS_DISABLED: 'i18n' }, async ({ admin }) => {
        const say = speak(admin)
        const pages = await say.list('page', '?sort=id')
        assert.deepEqual(
          pages.map(({ id }) => id),
          ids,
        )
        assert.ok(pages.every((page) => !('locale' in page)))
        expectStatus(await admin.get('/api/content/page?locale=de'), 400)
        expectStatus(await admin.post('/api/content/page', { title: 'c', locale: 'de' }), 400)
        expectStatus(await admin.get(`/api/content/page/${ids[0]}/localizations`), 404)
        await say.update('page', ids[0] ?? 0, { rank: 5 })
        assert.equal((await say.read('page', ids[2] ?? 0)).rank, 1)
        expectStatus(await admin.post('/api/content/home', { title: 'again' }), 409)
        ids.push((await say.create('page', { title: 'c' })).id)
      })
      await withService(localised, {}, async ({ admin }) => {
        const say = speak(admin)
        assert.deepEqual(Object.keys(await say.statuses('page', ids[0] ?? 0)), ['de', 'en'])
        assert.equal((await say.read('page', ids[3] ?? 0)).locale, 'de')
        await say.localize('page', ids[3] ?? 0, { locale: 'en', title: 'c' })
        assert.equal(dataOf(await admin.get('/api/content/home?locale=en')).title, 'home')
      })
    } finally {
      await drop()
    }
  })

  it('a backup has the versions of entries, and how far they have come', slow, async () => {
    const options = { database: name, schemas: i18nSchemas, env: i18nEnv }
    const source = await startBackupWorld(options)
    const target = await startBackupWorld(options)
    try {
      const say = speak(source.admin)
      const en = await say.create('page', { title: 'en', rank: 1, sku: 'kept' })
      const de = await say.localize('page', en.id, { locale: 'de', title: 'de' })
      const note = await say.create('note', { text: 'n' })
      await say.localize('note', note.id, { locale: 'fr', text: 'f' })
      const status = { status: 'in_review', notes: 'soon' }
      dataOf(await source.admin.put(`/api/content/page/${de.id}/localizations/status`, status))
      expectStatus(await source.admin.put('/api/content/home?locale=fr', { title: 'Maison' }), 201)
      const archive = await source.download((await source.backUp()).id)
      const restored = await target.restore(await target.take(archive))
      assert.equal(restored.status, 200, JSON.stringify(restored.body))
      const there = speak(target.admin)
      for (const [type, id] of [
        ['page', en.id],
        ['note', note.id],
      ] as const) {
        assert.deepEqual(await there.versions(type, id), await say.versions(type, id))
      }
      await there.update('page', de.id, { rank: 2 })
      assert.equal((await there.read('page', en.id)).rank, 2)
      expectStatus(
        await target.admin.post(`/api/content/page/${en.id}/localizations`, { locale: 'de', title: 'x' }),
        409,
      )
      assert.equal(dataOf(await target.admin.get('/api/content/home?locale=fr')).title, 'Maison')
    } finally {
      await source.stop()
      await target.stop()
    }
  })
})
