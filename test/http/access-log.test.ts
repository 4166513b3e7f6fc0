import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authenticators, defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { type LogLine, recordingLog } from '../support/recording-log.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test', method: 'GET' } as const

const routes = [
  defineRoute({ ...open, name: 'test:quick.read', path: '/quick/:id', handler: () => 1 }),
  defineRoute({
    ...open,
    name: 'test:failing.read',
    path: '/failing',
    handler: () => {
      throw new Error('the disk is gone')
    },
  }),
  defineRoute({
    ...open,
    name: 'test:slow.read',
    path: '/slow',
    handler: () => new Promise((resolve) => setTimeout(resolve, 600)),
  }),
]

for (const adapter of adapters) {
  describe(`the log of requests on ${adapter}`, () => {
    async function linesOf(env: Record<string, string>, run: (service: TestService) => Promise<unknown>) {
      const { log, lines } = recordingLog()
      const service = await startService({
        adapter,
        routes,
        log,
        env,
        contribute: ({ contribute }) =>
          contribute(authenticators, {
            authenticate: () => ({ kind: 'user', id: 7, username: 'u', role: 'r' }),
          }),
      })
      lines.length = 0
      try {
        await run(service)
      } finally {
        await service.stop()
      }
      return lines.filter(({ requestId }) => requestId !== undefined)
    }

    const messages = (lines: readonly LogLine[]) => lines.map(({ message }) => message)

    it('has a line for every request but probes, if it shall', async () => {
      const lines = await linesOf({ SVC_LOG_REQUESTS: 'all' }, async (service) => {
        await service.fetch('/quick/3?token=secret', { headers: { 'x-request-id': 'abc' } })
        await service.fetch('/readyz')
        await service.fetch('/nowhere', { method: 'DELETE' })
      })
      assert.equal(lines.length, 2)
      const { durationMs, ...first } = lines[0] ?? { level: '', message: '' }
      assert.ok(typeof durationMs === 'number' && durationMs >= 0)
      assert.deepEqual(first, {
        plugin: 'http',
        level: 'info',
        message: 'request',
        requestId: 'abc',
        method: 'GET',
        path: '/api/quick/3',
        route: 'test:quick.read',
        status: 200,
        ip: '127.0.0.1',
        principal: 'user:7',
      })
      assert.equal(lines[1]?.status, 404)
      assert.equal(lines[1]?.principal, 'anonymous')
    })

    it('has only what went wrong or took long otherwise', async () => {
      // Far above what the other requests take on a busy machine.
      const env = { SVC_LOG_SLOW_REQUESTS_MS: '500' }
      const lines = await linesOf(env, async (service) => {
        await service.fetch('/quick/3')
        await service.fetch('/nowhere')
        await service.fetch('/failing')
        await service.fetch('/slow')
      })
      assert.deepEqual(messages(lines), ['GET /api/failing failed: INTERNAL_ERROR', 'slow request'])
      assert.ok(lines[0]?.err instanceof Error && lines[0].err.message === 'the disk is gone')
      assert.equal(lines[0]?.ip, '127.0.0.1')
      assert.equal(lines[0]?.status, 500)
    })

    it('has nothing but failures where it is off', async () => {
      const lines = await linesOf({ SVC_LOG_REQUESTS: 'none' }, (service) => service.fetch('/failing'))
      assert.deepEqual(messages(lines), ['GET /api/failing failed: INTERNAL_ERROR'])
    })
  })
}
