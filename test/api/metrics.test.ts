import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createHistory } from '../../core-plugins/foundation/metrics/history.ts'
import { summarize } from '../../core-plugins/foundation/metrics/summary.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { newAdmin, newApiToken } from './auth-callers.ts'

const metricsToken = 'a token of the monitoring'

/** The values of a metric by their labels as written. */
function samplesOf(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return new Map(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

eachDatabase(({ name: database }) => {
  describe('metrics', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database, env: { METRICS_TOKEN: metricsToken } })
    })
    after(() => service.stop())

    const read = async (token = metricsToken) => createClient(service.url, token).get('/api/metrics')

    it('are for administrators, tokens with the scope, and METRICS_TOKEN', async () => {
      assert.equal((await service.get('/api/metrics')).status, 401)
      assert.equal((await read('another token altogether')).status, 401)
      assert.equal((await read()).status, 200)
      assert.equal((await service.admin.get('/api/metrics')).status, 200)
      const [full, reading] = [
        await newApiToken(service, ['admin:*']),
        await newApiToken(service, ['content:read']),
      ]
      assert.equal((await read(full.token)).status, 200)
      assert.equal((await read(reading.token)).status, 403)
      assert.equal((await read((await newAdmin(service, 'editor')).token)).status, 403)
    })

    it('METRICS_TOKEN opens nothing else', async () => {
      const client = createClient(service.url, metricsToken)
      for (const path of ['/api/admin/jobs', '/api/content/article', '/api/admin/users']) {
        assert.equal((await client.get(path)).status, 401, path)
      }
    })

    it('count requests by route, method and status', async () => {
      const count = async () => {
        const samples = samplesOf((await read()).body, 'mortise_http_request_duration_seconds_count')
        return samples.get('{route="content:entries.list",method="GET",status="200"}') ?? 0
      }
      const before = await count()
      for (let times = 0; times < 3; times++) await service.admin.get('/api/content/article')
      assert.equal(await count(), before + 3)
    })

    it('tell how long requests took, in buckets of which each includes those below it', async () => {
      await service.admin.get('/api/content/article')
      const { body } = await read()
      const name = 'mortise_http_request_duration_seconds'
      const labels = 'route="content:entries.list",method="GET",status="200"'
      const buckets = [...samplesOf(body, `${name}_bucket`)].filter(([key]) => key.includes(labels))
      const bounds = buckets.map(([key]) => /le="([^"]+)"/.exec(key)?.[1])
      assert.deepEqual([bounds[0], bounds.at(-2), bounds.at(-1)], ['0.001', '10', '+Inf'])
      const counts = buckets.map(([, count]) => count)
      assert.deepEqual(
        counts,
        counts.toSorted((left, right) => left - right),
      )
      assert.equal(counts.at(-1), samplesOf(body, `${name}_count`).get(`{${labels}}`))
      assert.ok((samplesOf(body, `${name}_sum`).get(`{${labels}}`) ?? 0) > 0)
    })

    it('hold no more for paths and methods that nobody has heard of', async () => {
      for (const path of ['/nowhere', '/api/elsewhere', '/api/content']) await service.get(path)
      const samples = samplesOf((await read()).body, 'mortise_http_request_duration_seconds_count')
      const unrouted = [...samples.keys()].filter((labels) => labels.includes('route="none"'))
      assert.deepEqual(unrouted, ['{route="none",method="GET",status="404"}'])
    })

    it('are summed up for the panel: the last hour by minutes, and the gauges', async () => {
      const path = '/api/admin/metrics/summary'
      assert.equal((await createClient(service.url, metricsToken).get(path)).status, 401)
      assert.equal((await service.get(path)).status, 401)
      const content = await newApiToken(service, ['content:read'])
      assert.equal((await createClient(service.url, content.token).get(path)).status, 403)
      const total = async () => {
        const { status, body } = await service.admin.get(path)
        assert.equal(status, 200)
        const { minutes, gauges, processes } = body.data
        assert.deepEqual([minutes.length, processes], [60, 1])
        assert.ok(minutes.at(-1).memoryBytes > 0)
        const names = gauges.map(({ name }: { name: string }) => name)
        for (const name of ['mortise_jobs_lag_seconds', 'mortise_storage_free_bytes']) {
          assert.ok(names.includes(name), name)
        }
        const sum = (name: string) =>
          minutes.reduce((all: number, minute: Record<string, number>) => all + (minute[name] ?? 0), 0)
        return { requests: sum('requests'), refused: sum('refused') }
      }
      const before = await total()
      for (let times = 0; times < 3; times++) await service.get('/api/admin/jobs')
      const { requests, refused } = await total()
      assert.deepEqual([requests - before.requests, refused - before.refused], [4, 3])
    })

    it('tell of jobs, connections, memory and the event loop', async () => {
      const { headers, body } = await read()
      assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
      for (const name of [
        'mortise_jobs_lag_seconds',
        'mortise_database_connections',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_p99_seconds',
      ]) {
        assert.ok(samplesOf(body, name).size > 0, name)
      }
    })
  })
})

describe('the history of a process', () => {
  it('has an hour of minutes, and estimates how long most requests took', () => {
    let now = Date.parse('2026-01-31T08:00:30Z')
    const history = createHistory({ now: () => now, usage: () => ({ memoryBytes: 5, busy: 0.5 }) })
    for (let request = 1; request <= 100; request++) history.observe({ status: 200, durationMs: request })
    history.observe({ status: 503, durationMs: 60_000 })
    history.sample()
    const [first] = summarize([history.minutes(), history.minutes()], now).slice(-1)
    assert.deepEqual(
      [first?.at, first?.requests, first?.failed, first?.memoryBytes, first?.busy],
      ['2026-01-31T08:00:00.000Z', 202, 2, 10, 0.5],
    )
    assert.ok(Number(first?.p95Ms) > 90 && Number(first?.p95Ms) <= 100, String(first?.p95Ms))
    for (let minute = 0; minute < 90; minute++) {
      now += 60_000
      history.observe({ status: 404, durationMs: 1 })
    }
    assert.equal(history.minutes().length, 60)
    const summary = summarize([history.minutes()], now)
    assert.ok(summary.every(({ requests, refused }) => requests === 1 && refused === 1))
    assert.deepEqual(summarize([[]], now)[0]?.p95Ms, null)
    now -= 3_600_000
    history.observe({ status: 200, durationMs: 1 })
    assert.equal(history.minutes().at(-1)?.requests, 2)
  })
})
