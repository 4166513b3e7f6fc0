import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schemasWith = (rules: object) => ({
  'city.json': {
    kind: 'collectionType',
    info: { singularName: 'city', pluralName: 'cities', displayName: 'City' },
    options: { draftAndPublish: true, draftOverlay: true, softDelete: true },
    attributes: {
      slug: { type: 'string', ...rules },
      name: { type: 'string' },
    },
  },
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { i18n: { enabled: true } },
    attributes: {
      slug: { type: 'string', ...rules, pluginOptions: { i18n: { localized: true } } },
      title: { type: 'string' },
      near: { type: 'relation', relation: 'manyToOne', target: 'city' },
    },
  },
})

eachDatabase((database) => {
  const city = '/api/content/city'
  const page = '/api/content/page'
  const env = { SVC_LOCALIZATION_LOCALES: '["en","de"]' }

  /** Two entries with the slug `same` in each type, made before it was unique. */
  async function withDuplicates(
    work: (service: TestService, ids: readonly number[], url: string) => Promise<void>,
  ) {
    const { url, drop } = await database.createUrl()
    try {
      const first = await startService({ database: { url }, schemas: schemasWith({}), env })
      const ids: number[] = []
      for (const path of [city, page]) {
        for (const slug of ['same', 'same', 'other']) {
          ids.push(expectStatus(await first.admin.post(path, { slug }), 201).body.data.id)
        }
      }
      await first.stop()
      const service = await startService({ database: { url }, schemas: schemasWith({ unique: true }), env })
      try {
        await work(service, ids, url)
      } finally {
        await service.stop()
      }
    } finally {
      await drop()
    }
  }

  const taken = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.equal(status, 409, JSON.stringify(body))
    assert.match(JSON.stringify(body), /slug/)
  }

  describe('an attribute that became unique while entries had the same value', () => {
    it('takes no further duplicates, whatever the way in', slow, () =>
      withDuplicates(async ({ admin }, [first = 0, , third = 0, page1 = 0, , page3 = 0]) => {
        for (const path of [city, page]) {
          await taken(admin.post(path, { slug: 'same' }))
          await taken(admin.post(path, { slug: 'other' }))
          await taken(admin.post(`${path}/bulk-create`, [{ slug: 'x' }, { slug: 'other' }]))
          await taken(admin.post(`${path}/bulk-create`, [{ slug: 'y' }, { slug: 'y' }]))
          const { body } = await admin.post(`${path}/check`, { slug: 'other' })
          assert.deepEqual([body.data.valid, body.data.details?.[0]?.path], [false, 'slug'])
        }
        await taken(admin.put(`${city}/${third}`, { slug: 'same' }))
        await taken(admin.put(`${page}/${page3}`, { slug: 'same' }))
        await taken(admin.patch(`${city}/bulk-update`, { ids: [first, third], data: { slug: 'new' } }))
        // What was there stays, and can be mended.
        expectStatus(await admin.put(`${city}/${first}`, { slug: 'same', name: 'Same' }), 200)
        expectStatus(await admin.put(`${page}/${page1}`, { slug: 'same', title: 'Same' }), 200)
        expectStatus(await admin.post(city, { slug: 'fresh' }), 201)
        expectStatus(await admin.post(city, {}), 201)
        expectStatus(await admin.post(city, {}), 201)
        expectStatus(await admin.post(page, { slug: 'other', locale: 'de' }), 201)
        const other = expectStatus(await admin.post(city, { slug: 'drafted' }), 201).body.data.id
        expectStatus(await admin.put(`${city}/${other}/publish`), 200)
        await taken(admin.put(`${city}/${other}`, { slug: 'other' }))
      }),
    )

    it('takes one of several that are written at the same time', slow, () =>
      withDuplicates(async ({ admin }) => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => admin.post(city, { slug: 'at once' })),
        )
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
      }),
    )

    it('is matched by in other processes, too, once one of them has made the index', async (t) => {
      if (database.name === 'sqlite') return t.skip('processes do not look at what others make of a file')
      await withDuplicates(async ({ admin }, [, second = 0, , , page2 = 0], url) => {
        const other = await startService({
          ...{ database: { url }, schemas: schemasWith({ unique: true }), env },
        })
        try {
          const matched = () => other.admin.post(`${city}/bulk-create?match=slug`, [{ slug: 'same' }])
          expectStatus(await matched(), 409)
          expectStatus(await admin.put(`${city}/${second}`, { slug: 'mended' }), 200)
          expectStatus(await admin.put(`${page}/${page2}`, { slug: 'mended' }), 200)
          expectStatus(await admin.post('/api/database/safe-sync', {}), 200)
          await until(async () => (await matched()).status === 200)
          await taken(other.admin.post(city, { slug: 'same' }))
        } finally {
          await other.stop()
        }
      })
    })

    it('is nothing to match by, and no key that names one of several, until it is', slow, () =>
      withDuplicates(async ({ admin }, [, second = 0, , , page2 = 0]) => {
        const headers = { 'content-type': 'application/x-ndjson' }
        const send = (path: string, record: object) =>
          admin.request('POST', path, { body: Buffer.from(JSON.stringify(record)), headers })
        for (const path of [city, page]) {
          const bulk = await admin.post(`${path}/bulk-create?match=slug`, [{ slug: 'same' }])
          const file = await send(`${path}/import?match=slug`, { slug: 'same' })
          for (const { status, body } of [bulk, file]) {
            assert.equal(status, 409, JSON.stringify(body))
            assert.match(body.error.message, /same slug.*safe-sync/)
          }
        }
        const named = await send(`${page}/import`, { title: 'x', near: { slug: 'same' } })
        assert.deepEqual(
          named.body.data.problems.map(({ path, code }: Record<string, string>) => `${path} ${code}`),
          ['near ambiguous'],
        )
        const version = await send(`${page}/import`, {
          locale: 'de',
          localization_of: { slug: 'same', locale: 'en' },
        })
        assert.deepEqual(
          version.body.data.problems.map(({ path, code }: Record<string, string>) => `${path} ${code}`),
          ['localization_of ambiguous'],
        )
        expectStatus(await admin.put(`${city}/${second}`, { slug: 'mended' }), 200)
        expectStatus(await admin.put(`${page}/${page2}`, { slug: 'mended' }), 200)
        const synced = expectStatus(await admin.post('/api/database/safe-sync', {}), 200)
        assert.deepEqual(synced.body.data.pending, [])
        for (const path of [city, page]) {
          const { body } = await admin.post(`${path}/bulk-create?match=slug`, [{ slug: 'same' }])
          assert.equal(body.data.unchanged, 1, JSON.stringify(body))
          await taken(admin.post(path, { slug: 'same' }))
        }
      }),
    )
  })
})
