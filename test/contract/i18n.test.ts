import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newAdmin, newApiToken, newUser, problemsOf } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { dataOf, type Entry, speak, startLocalised } from './i18n-world.ts'

eachDatabase(({ name }) => {
  let service: TestService
  let say: ReturnType<typeof speak>
  let count = 0

  before(async () => {
    service = await startLocalised(name)
    say = speak(service.admin)
  })
  after(() => service.stop())

  /** Values that no other test has. */
  const fresh = () => `x${++count}`
  const newPage = (data: object = {}) => say.create('page', { title: 'Hello', rank: 1, ...data })
  /** In English, German and French. */
  async function translated(data: object = {}): Promise<[en: Entry, de: Entry, fr: Entry]> {
    const en = await newPage(data)
    const de = await say.localize('page', en.id, { locale: 'de', title: 'Hallo' })
    return [en, de, await say.localize('page', de.id, { locale: 'fr', title: 'Bonjour' })]
  }

  describe('an entry with locales', () => {
    it('has the default locale unless told otherwise, and none that the type does not have', async () => {
      assert.equal((await newPage()).locale, 'en')
      assert.equal((await newPage({ locale: 'it' })).locale, 'it')
      const wrong = expectStatus(
        await service.admin.post('/api/content/page', { locale: 'xx', title: 7 }),
        400,
      )
      assert.deepEqual(problemsOf(wrong), { locale: 'enum', title: 'type', rank: 'required' })
      for (const locale of [7, ['en'], '', {}]) {
        expectStatus(await service.admin.post('/api/content/note', { locale }), 400)
      }
      expectStatus(await service.admin.post('/api/content/note', { locale: 'it' }), 400)
      expectStatus(await service.admin.post('/api/content/tag', { locale: 'en' }), 400)
    })

    it('shows its locale, and nothing else that there is of it', async () => {
      const { id } = await newPage({ locale: 'de' })
      const names = Object.keys(await say.read('page', id))
      assert.deepEqual(names.slice(-4), ['locale', 'published_at', 'created_at', 'updated_at'])
      assert.deepEqual(
        names.filter((field) => field.startsWith('_')),
        [],
      )
      for (const query of ['fields=_i18n_group', 'sort=_i18n_group', 'filters[_i18n_group]=1']) {
        expectStatus(await service.admin.get(`/api/content/page?${query}`), 400)
      }
      assert.deepEqual(await say.read('page', id, '?fields=locale'), { id, locale: 'de' })
      const sent = await say.update('page', id, { ...(await say.read('page', id)), locale: 'fr' })
      assert.equal(sent.locale, 'de')
    })

    it('takes unique values in each locale', async () => {
      const slug = fresh()
      await newPage({ slug })
      const other = await newPage({ slug, locale: 'de' })
      const twice = expectStatus(
        await service.admin.post('/api/content/page', { title: 'x', rank: 1, slug }),
        409,
      )
      assert.equal(twice.body.error.code, 'CONFLICT')
      assert.deepEqual(problemsOf(twice), { slug: 'unique' })
      assert.match(twice.body.error.message, /^slug: is already taken in this locale/)
      expectStatus(
        await service.admin.post(`/api/content/page/${other.id}/localizations`, {
          locale: 'en',
          title: 'x',
          slug,
        }),
        409,
      )
    })
  })

  describe('a localisation', () => {
    it('is an entry of its own that takes over what is shared', async () => {
      const [person, tag, tagToo] = [
        await say.create('person', { name: 'P' }),
        await say.create('tag', {}),
        await say.create('tag', {}),
      ]
      const shared = {
        rank: 3,
        sku: fresh(),
        author: person.id,
        tags: [tagToo.id, tag.id],
        hint: { text: 'h' },
      }
      const en = await newPage({ ...shared, slug: fresh(), friends: [person.id] })
      const de = await say.localize('page', en.id, { locale: 'de', title: 'Hallo' })
      assert.notEqual(de.id, en.id)
      const { id: _id, created_at: _created, updated_at: _updated, ...rest } = de
      const own = { title: 'Hallo', slug: null, friends: [], body: [], locale: 'de', published_at: null }
      assert.deepEqual(rest, { ...shared, ...own })
      assert.deepEqual(await say.read('page', de.id), de)
    })

    it('is checked as a new entry is, all at once', async () => {
      const en = await newPage()
      const path = `/api/content/page/${en.id}/localizations`
      const wrong = expectStatus(await service.admin.post(path, { locale: 'xx', slug: 5, foo: 1 }), 400)
      assert.deepEqual(problemsOf(wrong), { locale: 'enum', slug: 'type', foo: 'unknown', title: 'required' })
      assert.deepEqual(problemsOf(await service.admin.post(path, { title: 'x' })), { locale: 'required' })
      expectStatus(await service.admin.post(path, []), 400)
      const taken = expectStatus(await service.admin.post(path, { locale: 'en', title: 'x' }), 409)
      assert.equal(taken.body.error.code, 'CONFLICT')
      assert.deepEqual(problemsOf(taken), { locale: 'unique' })
      expectStatus(await service.admin.post('/api/content/page/999999/localizations', { locale: 'de' }), 404)
      expectStatus(await service.admin.post('/api/content/tag/1/localizations', { locale: 'de' }), 404)
      expectStatus(await service.admin.get('/api/content/tag/1/localizations'), 404)
      assert.equal((await say.versions('page', en.id)).localizations.length, 1)
    })

    it('is made once in a locale, by however many at the same time', async () => {
      const en = await newPage()
      const de = await say.localize('page', en.id, { locale: 'de', title: 'Hallo' })
      const ids = [en.id, de.id]
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          service.admin.post(`/api/content/page/${ids[index % 2]}/localizations`, {
            locale: 'fr',
            title: `${index}`,
          }),
        ),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
      assert.equal((await say.versions('page', en.id)).localizations.length, 3)
    })

    it('may bring other values of what is shared, for all versions', async () => {
      const en = await newPage()
      const de = await say.localize('page', en.id, { locale: 'de', title: 'Hallo', rank: 9 })
      assert.equal(de.rank, 9)
      assert.equal((await say.read('page', en.id)).rank, 9)
    })
  })

  describe('shared attributes', () => {
    it('are written to all versions, and localised ones to their own only', async () => {
      const [en, de, fr] = await translated()
      const [tag, tagToo] = [await say.create('tag', {}), await say.create('tag', {})]
      const person = await say.create('person', {})
      const shared = {
        rank: 7,
        sku: fresh(),
        author: person.id,
        tags: [tag.id, tagToo.id],
        hint: { text: 'new' },
      }
      await say.update('page', de.id, { ...shared, title: 'Servus' })
      const after = await say.list('page', `?filters[id][$in]=${en.id},${de.id},${fr.id}&sort=id`)
      assert.deepEqual(
        after.map(({ title, rank, sku, author, tags, hint }) => ({ title, rank, sku, author, tags, hint })),
        ['Hello', 'Servus', 'Bonjour'].map((title) => ({ title, ...shared })),
      )
      await say.update('page', fr.id, { tags: [tagToo.id], author: null })
      assert.deepEqual((await say.read('page', en.id)).tags, [tagToo.id])
      assert.equal((await say.read('page', de.id)).author, null)
      dataOf(await service.admin.post(`/api/content/page/${en.id}/link/tags`, { id: tag.id }))
      assert.deepEqual((await say.read('page', fr.id)).tags, [tagToo.id, tag.id])
      await say.update('page', en.id, { tags: [] })
      assert.deepEqual((await say.read('page', fr.id)).tags, [])
    })

    it('move the versions of those entries on that they change', async () => {
      const [en, de] = await translated()
      const { headers } = await service.admin.get(`/api/content/page/${de.id}`)
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } }
      const before = await say.read('page', de.id)
      await say.update('page', en.id, { title: 'Hi' })
      assert.equal((await say.read('page', de.id)).updated_at, before.updated_at)
      await say.update('page', en.id, { rank: 70 })
      assert.ok(String((await say.read('page', de.id)).updated_at) > String(before.updated_at))
      expectStatus(await service.admin.put(`/api/content/page/${de.id}`, { rank: 71 }, ifMatch), 412)
      const logs = dataOf(await service.admin.get(`/api/content/page/${de.id}/revisions`))
      assert.deepEqual(
        logs.map(({ action }: { action: string }) => action),
        ['repair', 'create'],
      )
    })

    it('are the same in all versions, however many write them at the same time', async () => {
      const versions = await translated()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          service.admin.put(`/api/content/page/${versions[index % 3]?.id}`, {
            rank: index,
            title: `${index}`,
          }),
        ),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const { localizations } = await say.versions('page', versions[0].id)
      assert.equal(new Set(localizations.map(({ rank }: Entry) => rank)).size, 1)
    })

    it('are the same in versions that are made while they are written', async () => {
      for (let round = 0; round < 3; round++) {
        const en = await newPage()
        await Promise.all([
          ...['de', 'fr', 'it'].map((locale) => say.localize('page', en.id, { locale, title: locale })),
          ...[5, 6, 7].map((rank) => say.update('page', en.id, { rank })),
        ])
        const { localizations } = await say.versions('page', en.id)
        assert.equal(localizations.length, 4)
        assert.equal(new Set(localizations.map(({ rank }: Entry) => rank)).size, 1)
      }
    })

    it('are written by bulk operations, too', async () => {
      const [en, de, fr] = await translated()
      const tag = await say.create('tag', {})
      const answer = await service.admin.patch('/api/content/page/bulk-update', {
        ids: [en.id, de.id],
        data: { rank: 8, tags: [tag.id], title: 'Same' },
      })
      dataOf(answer)
      for (const [id, title] of [
        [en.id, 'Same'],
        [de.id, 'Same'],
        [fr.id, 'Bonjour'],
      ] as const) {
        const { rank, tags, title: found } = await say.read('page', id)
        assert.deepEqual({ rank, tags, title: found }, { rank: 8, tags: [tag.id], title })
      }
    })

    it('are written to all or to none', async () => {
      const [en, de] = await translated()
      const taken = await newPage({ sku: fresh(), locale: 'fr' })
      const answer = expectStatus(
        await service.admin.put(`/api/content/page/${en.id}`, { sku: taken.sku, rank: 99 }),
        409,
      )
      assert.equal(answer.body.error.code, 'CONFLICT')
      for (const { id } of [en, de]) assert.equal((await say.read('page', id)).rank, 1)
    })
  })

  describe('reading', () => {
    let versions: Entry[]
    let lonely: Entry
    const sku = () => `filters[sku]=${versions[0]?.sku}`

    before(async () => {
      versions = await translated({ sku: fresh() })
      lonely = await newPage({ sku: fresh() })
    })

    it('mixes locales, or keeps to one', async () => {
      const locales = async (query: string) =>
        (await say.list('page', `?${sku()}&sort=id${query}`)).map(({ locale }) => locale)
      assert.deepEqual(await locales(''), ['en', 'de', 'fr'])
      assert.deepEqual(await locales('&locale=de'), ['de'])
      assert.deepEqual(await locales('&locale=it'), [])
      assert.deepEqual(await locales('&filters[locale][$ne]=de'), ['en', 'fr'])
      const sorted = await say.list('page', `?${sku()}&sort=locale:desc`)
      assert.deepEqual(
        sorted.map(({ locale }) => locale),
        ['fr', 'en', 'de'],
      )
      for (const query of ['locale=xx', 'locale[x]=1', 'fallback=true', 'locale=de&fallback=maybe']) {
        expectStatus(await service.admin.get(`/api/content/page?${query}`), 400)
      }
      expectStatus(await service.admin.get('/api/content/tag?locale=en'), 400)
    })

    it('lets the default locale stand in, with right totals and pages', async () => {
      const ids = [versions[0]?.id, lonely.id].join()
      const groups = `filters[sku][$in]=${versions[0]?.sku},${lonely.sku}`
      const read = async (query: string) => {
        const { body } = await service.admin.get(`/api/content/page?${groups}&sort=id&fallback=true&${query}`)
        return [body.data.map((each: Entry) => `${each.id} ${each.locale}`), body.pagination]
      }
      const [de] = await read('locale=de')
      assert.deepEqual(de, [`${versions[1]?.id} de`, `${lonely.id} en`])
      assert.deepEqual(
        (await read('locale=it'))[0],
        ids.split(',').map((id) => `${id} en`),
      )
      assert.deepEqual(
        (await read('locale=en'))[0],
        ids.split(',').map((id) => `${id} en`),
      )
      const [page, pagination] = await read('locale=de&limit=1&offset=1')
      assert.deepEqual(page, [`${lonely.id} en`])
      assert.deepEqual(pagination, { total: 2, limit: 1, offset: 1, hasMore: false })
      const [first, { nextCursor }] = (await Promise.all([read('locale=de&limit=1&cursor=')]))[0]
      assert.deepEqual(first, [`${versions[1]?.id} de`])
      assert.deepEqual((await read(`locale=de&limit=1&cursor=${nextCursor}`))[0], [`${lonely.id} en`])
      const titled = await service.admin.get(
        `/api/content/page?${groups}&locale=de&fallback=true&filters[title]=Hello`,
      )
      assert.deepEqual(
        titled.body.data.map(({ id }: Entry) => id),
        [lonely.id],
      )
    })

    it('finds the version of an entry by the id of any', async () => {
      const [en, de] = versions as [Entry, Entry]
      assert.equal((await say.read('page', en.id, '?locale=de')).id, de.id)
      assert.equal((await say.read('page', de.id, '?locale=de')).id, de.id)
      assert.equal((await say.read('page', de.id, '?locale=en&fields=title')).id, en.id)
      expectStatus(await service.admin.get(`/api/content/page/${de.id}?locale=it`), 404)
      assert.equal((await say.read('page', de.id, '?locale=it&fallback=true')).id, en.id)
      expectStatus(await service.admin.get(`/api/content/page/${de.id}?locale=xx`), 400)
      const etag = (await service.admin.get(`/api/content/page/${en.id}?locale=de`)).headers.get('etag') ?? ''
      const headers = { 'if-match': etag }
      expectStatus(
        await service.admin.put(`/api/content/page/${de.id}`, { title: 'Hallo!' }, { headers }),
        200,
      )
    })

    it('counts and searches in a locale', async () => {
      const value = async (query: string) =>
        dataOf(await service.admin.get(`/api/content/page/aggregate?function=count&${sku()}${query}`))
      assert.deepEqual(await value(''), { value: 3 })
      assert.deepEqual(await value('&locale=fr'), { value: 1 })
      assert.deepEqual(await value('&locale=it&fallback=true'), { value: 1 })
      const [, , fr] = versions as [Entry, Entry, Entry]
      const word = `Zeitgeist${fresh()}`
      await say.update('page', fr.id, { title: word })
      const found = async (locale: string) =>
        dataOf(await service.admin.get(`/api/search?q=${word}&locale=${locale}`)).map(({ id }: Entry) => id)
      assert.deepEqual(await found('fr'), [fr.id])
      assert.deepEqual(await found('de'), [])
    })
  })

  describe('translations', () => {
    it('go out of date when the source says something else', async () => {
      const [en, de, fr] = await translated()
      assert.deepEqual(await say.statuses('page', en.id), { en: 'draft', de: 'draft', fr: 'draft' })
      for (const { id } of [en, de, fr]) await say.publish('page', id)
      assert.deepEqual(await say.statuses('page', de.id), {
        en: 'published',
        de: 'published',
        fr: 'published',
      })
      await say.update('page', en.id, { rank: 5 })
      await say.update('page', de.id, { title: 'Servus' })
      assert.deepEqual(await say.statuses('page', de.id), {
        en: 'published',
        de: 'published',
        fr: 'published',
      })
      await say.update('page', en.id, { title: 'Hi' })
      assert.deepEqual(await say.statuses('page', de.id), { en: 'published', de: 'outdated', fr: 'outdated' })
      await say.publish('page', de.id)
      assert.deepEqual(await say.statuses('page', en.id), {
        en: 'published',
        de: 'published',
        fr: 'outdated',
      })
      expectStatus(await service.admin.put(`/api/content/page/${de.id}/unpublish`), 200)
      assert.deepEqual(await say.statuses('page', en.id), { en: 'published', de: 'draft', fr: 'outdated' })
    })

    it('are published by a release, too', async () => {
      const [, de] = await translated()
      const release = dataOf(await service.admin.post('/api/admin/content-releases', { name: 'R' }), 201)
      const base = `/api/admin/content-releases/${release.id}`
      const item = { contentType: 'page', entryId: de.id, action: 'publish' }
      expectStatus(await service.admin.post(`${base}/entries`, item), 201)
      expectStatus(await service.admin.post(`${base}/publish`), 200)
      assert.equal((await say.statuses('page', de.id)).de, 'published')
    })

    it('have a status and notes that are set', async () => {
      const [en, de] = await translated()
      const path = `/api/content/page/${de.id}/localizations/status`
      const set = dataOf(await service.admin.put(path, { status: 'in_review', notes: 'please check' }))
      const { updated_at: updatedAt, ...meta } = set
      assert.deepEqual(meta, {
        ...{ locale: 'de', id: de.id, status: 'in_review' },
        ...{ sourceLocale: 'en', notes: 'please check' },
      })
      assert.match(updatedAt, /^\d{4}-.*Z$/)
      const kept = dataOf(await service.admin.put(path, { status: 'approved' }))
      assert.equal(kept.notes, 'please check')
      assert.equal(dataOf(await service.admin.put(path, { status: 'approved', notes: null })).notes, null)
      const { translationMeta } = await say.versions('page', en.id)
      assert.deepEqual(Object.keys(translationMeta), ['en', 'de', 'fr'])
      assert.equal(translationMeta.de.status, 'approved')
      for (const body of [{}, { status: 'done' }, { status: 'draft', notes: 5 }, { status: 'draft', x: 1 }]) {
        expectStatus(await service.admin.put(path, body), 400)
      }
      expectStatus(
        await service.admin.put('/api/content/page/999999/localizations/status', { status: 'draft' }),
        404,
      )
      const logs = await service.admin.get(`/api/admin/audit-logs?resource=page:${de.id}`)
      assert.ok(logs.body.data.some(({ action }: { action: string }) => action === 'localization.status'))
    })

    it('are compared with their source', async () => {
      const [en, de] = await translated({ body: [{ __component: 'part.hint', text: 'a' }] })
      await say.update('page', de.id, { slug: fresh() })
      const diff = dataOf(await service.admin.get(`/api/content/page/${de.id}/localizations/diff`))
      assert.equal(diff.sourceLocale, 'en')
      assert.equal(diff.locale, 'de')
      assert.deepEqual(
        diff.fields.map(({ field, same }: { field: string; same: boolean }) => `${field} ${same}`),
        ['title false', 'slug false', 'friends true', 'body false'],
      )
      const title = { field: 'title', source: 'Hello', translation: 'Hallo', same: false, changed: false }
      assert.deepEqual(diff.fields[0], title)
      const own = dataOf(await service.admin.get(`/api/content/page/${en.id}/localizations/diff`))
      assert.ok(own.fields.every(({ same }: { same: boolean }) => same))
      expectStatus(await service.admin.get('/api/content/page/999999/localizations/diff'), 404)
    })

    it('tell what has changed in the source since they were up to date, until they are so again', async () => {
      const hidden = (await say.create('person', { name: 'Draft' })).id
      const [en, de, fr] = await translated({ friends: [hidden] })
      const changed = async (id: number, client = service.admin) => {
        const diff = dataOf(await client.get(`/api/content/page/${id}/localizations/diff`))
        return Object.fromEntries(
          (diff.fields as { field: string; changed: boolean; before?: unknown }[]).flatMap((each) =>
            each.changed ? [[each.field, each.before]] : [],
          ),
        )
      }
      const listed = async (query: string) => {
        const answer = await service.admin.get(
          `/api/content/page?${query}&filters[id][$in]=${en.id},${de.id},${fr.id}`,
        )
        return (expectStatus(answer, 200).body.data as Entry[]).map(({ id }) => id)
      }
      await say.update('page', en.id, { title: 'Hello again', friends: [] })
      await say.update('page', en.id, { title: 'Hello, hello', slug: fresh() })
      assert.deepEqual(await changed(de.id), { title: 'Hello', slug: null, friends: [hidden] })
      const permissions = { content: { page: { read: true, update: true } }, media: {} }
      const role = { name: 'translator', description: '', permissions }
      expectStatus(await service.admin.post('/api/admin/roles', role), 201)
      const editor = await newAdmin(service, 'translator')
      assert.deepEqual(await changed(de.id, editor.client), { title: 'Hello', slug: null })
      assert.deepEqual(await changed(en.id), {})
      assert.deepEqual(await listed('filters[translation_status]=outdated'), [de.id, fr.id])
      assert.deepEqual(await listed('locale=de&filters[translation_status][$ne]=outdated'), [])
      assert.deepEqual(await listed('filters[translation_status][$null]=true'), [en.id])

      await say.update('page', en.id, { title: 'Hello' })
      assert.deepEqual(Object.keys(await changed(de.id)), ['slug', 'friends'])
      await say.publish('page', de.id)
      assert.deepEqual([await changed(de.id), Object.keys(await changed(fr.id))], [{}, ['slug', 'friends']])
      const status = { status: 'in_review' }
      expectStatus(await service.admin.put(`/api/content/page/${fr.id}/localizations/status`, status), 200)
      await say.update('page', en.id, { title: 'x'.repeat(200) })
      assert.deepEqual(await changed(fr.id), { title: 'Hello' })
      expectStatus(await service.admin.delete(`/api/content/page/${en.id}`), 200)
      assert.deepEqual(await changed(fr.id), {})
      assert.deepEqual(await listed('filters[translation_status]=outdated'), [fr.id])
      expectStatus(await service.admin.get('/api/content/page?filters[translation_status]=old'), 400)
      const token = await newApiToken(service, ['content:read'])
      expectStatus(await token.client.get('/api/content/page?filters[translation_status]=draft'), 403)
    })

    it('remain when one is deleted, and the oldest of them becomes the source', async () => {
      const [en, de, fr] = await translated()
      expectStatus(await service.admin.delete(`/api/content/page/${en.id}`), 200)
      const { localizations, translationMeta } = await say.versions('page', fr.id)
      assert.deepEqual(
        localizations.map(({ id }: Entry) => id),
        [de.id, fr.id],
      )
      assert.equal(translationMeta.fr.sourceLocale, 'de')
      await say.update('page', de.id, { title: 'Servus' })
      assert.deepEqual(await say.statuses('page', fr.id), { de: 'draft', fr: 'outdated' })
      await say.localize('page', fr.id, { locale: 'en', title: 'Back' })
      const answer = await service.admin.delete('/api/content/page/bulk-delete', { ids: [de.id, fr.id] })
      assert.equal(dataOf(answer).count, 2)
    })
  })

  describe('whoever does not see drafts', () => {
    it('does not learn of them from any version', async () => {
      const [en, de, fr] = await translated()
      await say.publish('page', de.id)
      await say.publish('page', fr.id)
      await say.update('page', en.id, { title: 'A draft of the source' })
      const admin = await newAdmin(service, 'super-admin')
      expectStatus(
        await admin.client.put(`/api/content/page/${fr.id}/localizations/status`, {
          status: 'outdated',
          notes: 'secret',
        }),
        200,
      )
      const reader = speak((await newApiToken(service, ['content:read'])).client)
      const { localizations, translationMeta } = await reader.versions('page', fr.id)
      assert.deepEqual(
        localizations.map(({ id }: Entry) => id),
        [de.id, fr.id],
      )
      assert.deepEqual(Object.keys(translationMeta), ['de', 'fr'])
      for (const meta of Object.values(translationMeta) as Record<string, unknown>[]) {
        assert.equal(meta.sourceLocale, 'de')
        assert.equal(meta.notes, null)
      }
      const { client } = await newApiToken(service, ['content:read'])
      for (const rest of [
        '/localizations',
        '/localizations/diff',
        '?locale=de',
        '?locale=de&fallback=true',
      ]) {
        expectStatus(await client.get(`/api/content/page/${en.id}${rest}`), 404)
      }
      expectStatus(await client.get(`/api/content/page/${de.id}?locale=en`), 404)
      const diff = dataOf(await client.get(`/api/content/page/${fr.id}/localizations/diff`))
      assert.equal(diff.sourceLocale, 'de')
      const list = dataOf(await client.get(`/api/content/page?locale=it&fallback=true&filters[id]=${en.id}`))
      assert.deepEqual(list, [])
    })

    it('reads the default locale where there is only a draft in the wanted one', async () => {
      const [en, de] = await translated({ sku: fresh() })
      await say.publish('page', en.id)
      const { client } = await newApiToken(service, ['content:read'])
      const query = `locale=de&fallback=true&filters[sku]=${en.sku}`
      const idsFor = async (who: typeof client, more = '') =>
        dataOf(await who.get(`/api/content/page?${query}${more}`)).map(({ id }: Entry) => id)
      assert.deepEqual(await idsFor(client), [en.id])
      assert.deepEqual(await idsFor(service.admin), [de.id])
      assert.deepEqual(await idsFor(service.admin, '&published=true'), [en.id])
      assert.equal(dataOf(await client.get(`/api/content/page/${en.id}?locale=de&fallback=true`)).id, en.id)
    })

    it('cannot find out by making versions', async () => {
      const [en] = await translated()
      await say.publish('page', en.id)
      const user = await newUser(service)
      const roles = dataOf(await service.admin.get('/api/admin/roles'))
      const { id } = roles.find(({ name }: { name: string }) => name === 'authenticated')
      const all = { read: true, create: true, update: true }
      const permissions = { content: { page: all, note: all } }
      dataOf(await service.admin.put(`/api/admin/roles/${id}`, { permissions }))
      const body = { locale: 'de', title: 'x' }
      expectStatus(await user.client.post(`/api/content/page/${en.id}/localizations`, body), 403)
      const note = await say.create('note', { text: 'a' })
      const text = { locale: 'de', text: 'x' }
      expectStatus(await user.client.post(`/api/content/note/${note.id}/localizations`, text), 201)
    })
  })

  describe('rights', () => {
    it('are those that scopes give', async () => {
      const [en, de] = await translated()
      await say.publish('page', de.id)
      const reader = (await newApiToken(service, ['content:read'])).client
      const writer = (await newApiToken(service, ['content:write'])).client
      const body = { locale: 'it', title: 'Ciao' }
      const status = { status: 'approved' }
      expectStatus(await reader.post(`/api/content/page/${de.id}/localizations`, body), 403)
      expectStatus(await reader.put(`/api/content/page/${de.id}/localizations/status`, status), 403)
      expectStatus(await writer.get(`/api/content/page/${de.id}/localizations`), 403)
      expectStatus(await writer.post(`/api/content/page/${en.id}/localizations`, body), 201)
      expectStatus(await writer.put(`/api/content/page/${de.id}/localizations/status`, status), 200)
      expectStatus(await service.get(`/api/content/page/${de.id}/localizations`), 401)
    })
  })
})
