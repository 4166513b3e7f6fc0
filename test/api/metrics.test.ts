import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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

    it('hold no more for paths and methods that nobody has heard of', async () => {
      for (const path of ['/nowhere', '/api/elsewhere', '/api/content']) await service.get(path)
      const samples = samplesOf((await read()).body, 'mortise_http_request_duration_seconds_count')
      const unrouted = [...samples.keys()].filter((labels) => labels.includes('route="none"'))
      assert.deepEqual(unrouted, ['{route="none",method="GET",status="404"}'])
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
