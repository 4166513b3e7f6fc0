import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Alerts, alertRaised, alertsService } from '../../core-plugins/background/alerts/alerts.ts'
import { jobFailed } from '../../core-plugins/background/jobs/jobs.ts'
import { appStart, definePlugin, type PluginContext } from '../../kernel/index.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, newAdmin, newApiToken } from './auth-callers.ts'

interface Alert {
  readonly id: number
  readonly kind: string
  readonly severity: string
  readonly message: string
  readonly details: Record<string, unknown> | null
  readonly status: string
  readonly count: number
  readonly first_seen_at: string
  readonly last_seen_at: string
}

const path = '/api/admin/operational-alerts'

const raisedHere: { kind: string; count: number; isNew: boolean }[] = []
let emit: PluginContext['emit']

const spy = definePlugin({
  name: 'spy',
  description: 'Hears of alerts, and can tell hooks',
  register(context) {
    context.on(alertRaised, ({ alert: { kind, count }, isNew }) => raisedHere.push({ kind, count, isNew }))
    emit = context.emit
  },
})

const broken = definePlugin({
  name: 'broken',
  description: 'Fails at the start',
  register({ on }) {
    on(appStart, () => {
      throw new Error('broken on purpose')
    })
  },
})

const thing = (attributes: object) => ({
  'thing.json': {
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
    attributes: { name: { type: 'string' }, ...attributes },
  },
})

eachDatabase((database) => {
  describe('alerts', () => {
    let here: TestService
    let there: TestService
    let alerts: Alerts
    let shared: TestDatabase
    before(async () => {
      shared = await database.createUrl()
      const url = shared.url
      here = await startService({ database: { url }, plugins: [spy, broken] })
      there = await startService({ database: { url } })
      alerts = here.kernel.get(alertsService)
    })
    after(async () => {
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    const list = async (search = ''): Promise<Alert[]> =>
      expectStatus(await here.admin.get(`${path}?${search}`), 200).body.data

    const only = async (search: string): Promise<Alert> => {
      const found = await list(search)
      assert.equal(found.length, 1, `${found.length} alerts for ${search}`)
      return found[0] as Alert
    }

    const stats = async () => expectStatus(await here.admin.get(`${path}/stats`), 200).body.data

    it('are counted up while they are not resolved, and made anew afterwards', async () => {
      raisedHere.length = 0
      const raise = (message: string) =>
        alerts.raise({ kind: 'test_count', severity: 'info', message, subject: '7', details: { message } })
      await raise('one')
      const first = await only('kind=test_count')
      assert.deepEqual(first, {
        id: first.id,
        kind: 'test_count',
        severity: 'info',
        message: 'one',
        details: { message: 'one' },
        status: 'open',
        count: 1,
        first_seen_at: first.first_seen_at,
        last_seen_at: first.first_seen_at,
      })
      await raise('two')
      expectStatus(await here.admin.post(`${path}/${first.id}/acknowledge`), 200)
      await raise('three')
      const third = await only('kind=test_count')
      assert.deepEqual(
        [third.id, third.count, third.message, third.status],
        [first.id, 3, 'three', 'acknowledged'],
      )
      assert.equal(third.first_seen_at, first.first_seen_at)
      assert.ok(third.last_seen_at >= first.last_seen_at)
      await alerts.resolve('test_count', '8')
      await alerts.resolve('test_count')
      assert.equal((await only('kind=test_count')).status, 'acknowledged')
      await alerts.resolve('test_count', '7')
      await alerts.resolve('test_count', '7')
      await raise('four')
      const both = await list('kind=test_count')
      assert.deepEqual(
        both.map(({ status, count }) => [status, count]),
        [
          ['open', 1],
          ['resolved', 3],
        ],
      )
      assert.deepEqual(
        raisedHere.map(({ count, isNew }) => [count, isNew]),
        [
          [1, true],
          [2, false],
          [3, false],
          [1, true],
        ],
      )
    })

    it('of other subjects are others', async () => {
      for (const subject of ['a', 'b', undefined]) {
        const about = subject === undefined ? {} : { subject }
        await alerts.raise({ kind: 'test_subject', severity: 'info', message: 'x', ...about })
      }
      assert.equal((await list('kind=test_subject')).length, 3)
    })

    it('are one, however many processes raise it at the same moment', async () => {
      const raise = (service: TestService) =>
        service.kernel.get(alertsService).raise({ kind: 'test_race', severity: 'warning', message: 'x' })
      await Promise.all(Array.from({ length: 20 }, (_, index) => raise(index % 2 === 0 ? here : there)))
      assert.equal((await only('kind=test_race')).count, 20)
    })

    it('are acknowledged and resolved, as often as one likes, but not backwards', async () => {
      await alerts.raise({ kind: 'test_states', severity: 'critical', message: 'x' })
      const { id } = await only('kind=test_states')
      const post = async (verb: string, status: number) =>
        expectStatus(await here.admin.post(`${path}/${id}/${verb}`), status).body
      assert.equal((await post('acknowledge', 200)).data.status, 'acknowledged')
      assert.equal((await post('acknowledge', 200)).data.status, 'acknowledged')
      assert.equal((await post('resolve', 200)).data.status, 'resolved')
      assert.equal((await post('resolve', 200)).data.status, 'resolved')
      assert.equal((await post('acknowledge', 409)).error.code, 'INVALID_TRANSITION')
      const read = expectStatus(await here.admin.get(`${path}/${id}`), 200).body.data
      assert.equal(read.status, 'resolved')
      for (const verb of ['acknowledge', 'resolve']) {
        expectStatus(await here.admin.post(`${path}/999999/${verb}`), 404)
        expectStatus(await here.admin.post(`${path}/x/${verb}`), 404)
      }
      expectStatus(await here.admin.get(`${path}/999999`), 404)
    })

    it('are listed by status, kind and severity, in pages', async () => {
      const before = await stats()
      await alerts.raise({ kind: 'test_list', severity: 'critical', message: 'x' })
      const { id } = await only('kind=test_list&severity=critical&status=open')
      assert.equal((await list('limit=1'))[0]?.id, id)
      assert.equal((await list('kind=test_list&severity=info')).length, 0)
      assert.equal((await list('kind=test_list&status=resolved')).length, 0)
      const after = await stats()
      assert.equal(after.total, before.total + 1)
      assert.equal(after.byStatus.open, before.byStatus.open + 1)
      assert.equal(after.bySeverity.critical, before.bySeverity.critical + 1)
      assert.equal(after.byKind.test_list, 1)
      await alerts.resolve('test_list')
      assert.equal((await stats()).byKind.test_list, undefined)
      const page = expectStatus(await here.admin.get(`${path}?limit=2&offset=1`), 200).body
      assert.equal(page.data.length, 2)
      assert.equal(page.pagination.total, after.total)
      for (const search of ['status=closed', 'severity=high', 'limit=x', 'no=1']) {
        expectStatus(await here.admin.get(`${path}?${search}`), 400)
      }
    })

    it('tell of plugins that failed', async () => {
      const { details, severity } = await only('kind=plugin_failed')
      assert.deepEqual([details?.plugin, severity], ['broken', 'warning'])
      assert.match(String(details?.reason), /broken on purpose/)
    })

    it('tell of jobs that failed for good, one for each kind of job', async () => {
      const job = { id: 5, name: 'test.fails', attempts: 3, error: 'no luck' } as never
      await emit(jobFailed, { job })
      await emit(jobFailed, { job })
      const alert = await only('kind=job_failed')
      assert.equal(alert.count, 2)
      assert.deepEqual(alert.details, { job: 5, name: 'test.fails', attempts: 3, error: 'no luck' })
    })

    it('tell of a disk with little space, until there is more', async () => {
      const set = (value: number | null) =>
        here.admin.put('/api/admin/config', { 'advanced.storage.minFreeBytes': value })
      expectStatus(await set(Number.MAX_SAFE_INTEGER), 200)
      await until(async () => (await list('kind=storage_low&status=open')).length >= 1)
      const [alert] = await list('kind=storage_low')
      assert.ok(Number(alert?.details?.freeBytes) > 0)
      assert.equal(alert?.severity, 'critical')
      expectStatus(await set(0), 200)
      await until(async () => (await list('kind=storage_low&status=open')).length === 0)
    })

    it('are for administrators, and for tokens with the scope', async () => {
      const { client } = await newAdmin(here, 'editor')
      expectStatus(await client.get(path), 403)
      const reader = await newApiToken(here, ['admin:alerts:read'])
      expectStatus(await reader.client.get(path), 200)
      expectStatus(await reader.client.post(`${path}/1/resolve`), 403)
    })
  })

  describe('alerts of the schema', slow, () => {
    it('come with changes that are left undone, and go when they are applied', async () => {
      const shared = await database.createUrl()
      const start = (attributes: object) =>
        startService({ database: { url: shared.url }, schemas: thing(attributes) })
      const kinds = async (service: TestService) => {
        const { data } = expectStatus(await service.admin.get(`${path}?kind=schema_sync_blocked`), 200).body
        return data.map(({ status, count }: Alert) => [status, count])
      }
      try {
        const first = await start({ size: { type: 'string' } })
        assert.deepEqual(await kinds(first), [])
        expectStatus(await first.admin.post('/api/content/thing', { name: 'a', size: 'large' }), 201)
        await first.stop()
        for (const count of [1, 2]) {
          const blocked = await start({})
          assert.deepEqual(await kinds(blocked), [['open', count]])
          await blocked.stop()
        }
        const second = await start({})
        const { data } = expectStatus(await second.admin.get(`${path}?status=open`), 200).body
        const alert = data.find(({ kind }: Alert) => kind === 'schema_sync_blocked')
        assert.equal(alert.details.pending, alert.details.changes.length)
        expectStatus(await second.admin.post('/api/database/safe-sync', { allowDestructive: true }), 200)
        assert.deepEqual(await kinds(second), [['resolved', 3]])
        await second.stop()
      } finally {
        await shared.drop()
      }
    })
  })
})
