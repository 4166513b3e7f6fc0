import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { databasesUnderTest } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type CdnDouble, startCdnDouble } from './cdn-double.ts'
import { doubleEnv, isQuiet, letAllRead, withPolicy } from './cdn-world.ts'

const note = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' } },
  },
}
const schemas = withPolicy(note, { sMaxAge: 3_600 })

const start = (double: CdnDouble, env: Readonly<Record<string, string>> = {}) =>
  startService({ schemas, env: { ...doubleEnv(double.url), SVC_CDN_SECOND_PURGE_MS: '400', ...env } })

const write = async ({ admin }: TestService, title: string): Promise<number> =>
  expectStatus(await admin.post('/api/content/note', { title }), 201).body.data.id

async function createDatabase() {
  const [database] = await databasesUnderTest()
  assert.ok(database)
  return database.createUrl()
}

let double: CdnDouble

describe('a CDN that fails', slow, () => {
  beforeEach(async () => {
    double = await startCdnDouble()
  })

  it('an answer that was on its way while the CDN was purged is purged as well', async () => {
    const service = await start(double)
    try {
      double.origin = service.url
      await letAllRead(service.admin, ['note'])
      const id = await write(service, 'old')
      await until(() => isQuiet(service), 'the CDN has been told of everything')
      const cdn = createClient(double.url)
      const { arrive } = double.delay()
      const answered = cdn.get(`/api/content/note/${id}`)
      await until(async () => double.fetched === 1, 'the answer is on its way')
      const purges = double.purges.length
      expectStatus(await service.admin.put(`/api/content/note/${id}`, { title: 'new' }), 200)
      await until(() => double.purges.length > purges, 'the CDN is purged')
      arrive()
      assert.equal((await answered).body.data.title, 'old')
      await until(() => isQuiet(service), 'the CDN is purged again')
      assert.equal((await cdn.get(`/api/content/note/${id}`)).body.data.title, 'new')
    } finally {
      await service.stop()
      await double.close()
    }
  })

  it('what somebody has allowed to be lost is purged, although no entry was written', async () => {
    const { url, drop } = await createDatabase()
    try {
      const first = await startService({ database: { url }, schemas: note })
      for (const title of ['same', 'same']) await write(first, title)
      await letAllRead(first.admin, ['note'])
      await first.stop()
      const unique = {
        'note.json': { ...note['note.json'], attributes: { title: { type: 'string', unique: true } } },
      }
      const service = await startService({
        database: { url },
        schemas: withPolicy(unique, { sMaxAge: 3_600 }),
        env: { ...doubleEnv(double.url), SVC_CDN_SECOND_PURGE_MS: '400' },
      })
      try {
        double.origin = service.url
        await until(() => double.purges.length >= 2, 'the CDN has been told to begin anew, twice')
        await until(() => isQuiet(service))
        const cdn = createClient(double.url)
        assert.equal((await cdn.get('/api/content/note/2')).body.data.title, 'same')
        assert.ok(double.objects.has('/api/content/note/2'))
        expectStatus(await service.admin.post('/api/database/safe-sync', { allowDestructive: true }), 200)
        await until(() => isQuiet(service), 'the CDN is purged')
        assert.equal((await cdn.get('/api/content/note/2')).body.data.title, null)
      } finally {
        await service.stop()
      }
    } finally {
      await double.close()
      await drop()
    }
  })

  it('administrators are told when it has not been purged for a minute, and that it is over', async () => {
    const service = await start(double)
    try {
      await until(() => isQuiet(service), 'the CDN has been told of everything')
      double.refuse(Number.POSITIVE_INFINITY)
      await write(service, 'late')
      const database = service.kernel.get(databaseService)
      const longAgo = database.dialect.bind(new Date(Date.now() - 61_000).toISOString(), 'datetime')
      await database.run(database.prepare(sql`update svc_changes set created_at = ${longAgo}`))
      const open = async () => {
        const { body } = await service.admin.get(
          '/api/admin/operational-alerts?status=open&kind=cdn_purge_late',
        )
        return body.data
      }
      await until(async () => (await open()).length === 1, 'there is an alert')
      const [{ severity, message }] = await open()
      assert.equal(severity, 'critical')
      assert.match(message, /answered 503/)
      double.refuse(0)
      await until(async () => (await open()).length === 0, 'the alert is over')
    } finally {
      await service.stop()
      await double.close()
    }
  })

  it('no purge reaches a private address from production, unless it may', async () => {
    for (const isAllowed of [false, true]) {
      const production = { NODE_ENV: 'production', SVC_CDN_ALLOW_PRIVATE_NETWORKS: String(isAllowed) }
      const service = await start(double, production)
      try {
        await write(service, 'private')
        if (isAllowed) await until(() => double.purges.length > 0, 'the CDN is purged')
        else {
          const failure = async () => {
            const { body } = await service.admin.get('/api/admin/jobs?name=cdn.purge')
            return String(body.data[0]?.error)
          }
          await until(async () => /loopback addresses are not reached/.test(await failure()), 'it is refused')
          assert.equal(double.purges.length, 0)
        }
      } finally {
        await service.stop()
      }
    }
    await double.close()
  })
})
