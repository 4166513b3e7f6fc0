import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from '../support/client.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'

describe('a process that is told to end', slow, () => {
  it('serves on while it is not ready any more, until it is told again', async () => {
    await withProject({ env: { SVC_SERVER_DRAIN_MS: '600000' } }, async (project) => {
      const service = startProcess({ project })
      const client = createClient(await service.ready())
      service.process.kill('SIGTERM')
      await until(async () => (await client.get('/api/readyz')).status === 503)
      const { status, headers } = await client.get('/api/livez', { headers: { connection: 'keep-alive' } })
      assert.equal(status, 200)
      assert.equal(headers.get('connection'), 'close')
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    })
  })

  it('ends at once where there is no time to drain', async () => {
    await withProject({}, async (project) => {
      const service = startProcess({ project })
      await service.ready()
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    })
  })
})
