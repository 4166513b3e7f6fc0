import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createClient } from '../support/client.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

const metricsToken = 'a token of the monitoring'

/** How many requests for articles the metrics tell of. */
function countOf(text: string): number {
  const line = text
    .split('\n')
    .find((each) =>
      each.startsWith('mortise_http_request_duration_seconds_count{route="content:entries.list"'),
    )
  return Number(line?.split(' ').at(-1) ?? 0)
}

it('processes that share a port answer metrics for all of them', { ...slow, timeout: 60_000 }, async () => {
  await withProject({}, async (project) => {
    const env = { SVC_PROCESSES: '2', METRICS_TOKEN: metricsToken, LOG_LEVEL: 'info' }
    const service = startProcess({ project, env })
    const url = await service.ready()
    const metrics = async () => (await createClient(url, metricsToken).get('/api/metrics')).body as string
    // Which of them takes a connection is up to the system, so it is a matter of many.
    for (let times = 0; times < 40; times++) {
      await createClient(url).request('GET', '/api/content/article', { headers: { connection: 'close' } })
    }
    for (let times = 0; times < 10; times++) assert.equal(countOf(await metrics()), 40)
    assert.equal((await service.end('SIGTERM')).code, 0)
  })
})
