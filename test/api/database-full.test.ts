import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Database, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus } from './auth-callers.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { body: { type: 'text' } },
  },
}

const body = 'x'.repeat(200_000)

describe('a database without room', slow, () => {
  let service: TestService
  let database: Database

  before(async () => {
    service = await startService({ schemas })
    database = service.kernel.get(databaseService)
  })

  after(() => service.stop())

  /** SQLite's own limit of a file, on the connection that writes. */
  async function limitPages(count: number): Promise<void> {
    await database.run(database.prepare(sql.raw(`pragma max_page_count = ${count}`)))
  }

  async function pageCount(): Promise<number> {
    const row = await database.get(database.prepare<{ page_count: number }>(sql`pragma page_count`))
    return row?.page_count ?? 0
  }

  const storageAlerts = async () => {
    const { body } = await service.admin.get('/api/admin/operational-alerts?kind=storage_low')
    return body.data.filter(({ message }: { message: string }) => message.includes('database'))
  }

  it('refuses writes with 507, is not ready, tells it, and recovers by itself', async () => {
    await limitPages((await pageCount()) + 2)
    const refused = await service.admin.post('/api/content/note', { body })
    expectStatus(refused, 507)
    assert.equal(refused.body.error.code, 'STORAGE_FULL')
    assert.match(refused.body.error.message, /database has no room/)
    await until(async () => (await service.get('/api/readyz')).status === 503)
    expectStatus(await service.admin.get('/api/content/note'), 200)
    await until(() =>
      service.logLines.some(({ message }) => message.startsWith('the database has no room left')),
    )

    await limitPages(1_000_000)
    await until(async () => (await service.get('/api/readyz')).status === 200)
    expectStatus(await service.admin.post('/api/content/note', { body }), 201)
    await until(async () =>
      (await storageAlerts()).every(({ status }: { status: string }) => status === 'resolved'),
    )
  })
})
