import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canStart, startMysql, startPostgres, type TestServer } from '../support/database-servers.ts'
import { runOnMysql, runOnPostgres } from '../support/databases.ts'
import { skipWithout } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { body: { type: 'text' } },
  },
}

const waitTimeoutMs = 2_000
/** Hang guard: what is measured is busy itself, and half a minute is what a query might take. */
const longestAnswerMs = 4 * waitTimeoutMs

const engines = [
  { name: 'postgres', start: startPostgres, run: runOnPostgres },
  { name: 'mysql', start: startMysql, run: runOnMysql },
] as const

for (const { name, start, run } of engines) {
  describe(`a server of ${name} that has frozen`, { skip: skipWithout(name, canStart[name]()) }, () => {
    it('keeps nobody waiting for longer than waitTimeoutMs, and is used again when it goes on', async () => {
      const server = await start()
      assert.ok(server, `there is no ${name} to freeze`)
      try {
        await until(() =>
          run(server.url, 'create database frozen').then(
            () => true,
            () => false,
          ),
        )
        await withService(server, freezeAndThaw)
      } finally {
        server.thaw()
        await server.stop()
      }
    })
  })
}

async function withService(
  server: TestServer,
  work: (server: TestServer, service: TestService) => Promise<void>,
) {
  const url = new URL(server.url)
  url.pathname = '/frozen'
  const env = { SVC_DATABASE_WAIT_TIMEOUT_MS: String(waitTimeoutMs) }
  const service = await startService({ database: { url: url.href }, schemas, env })
  try {
    await work(server, service)
  } finally {
    await service.stop()
  }
}

async function freezeAndThaw(server: TestServer, service: TestService): Promise<void> {
  await load(service)
  server.freeze()
  for (const { status, tookMs } of await load(service)) {
    assert.equal(status, 503)
    assert.ok(tookMs < longestAnswerMs, `answered after ${tookMs} ms`)
  }
  const lines = service.logLines.filter(({ path }) => path === '/api/content/note')
  const ids = lines.map(({ requestId }) => requestId)
  assert.equal(new Set(ids).size, ids.length, 'a failed request has one line in the log')
  server.thaw()
  await until(async () => (await load(service)).every(({ status }) => status < 300))
}

/** More requests than there are connections. */
function load({ admin }: TestService) {
  const requests = Array.from({ length: 15 }, () => [
    timed(admin.get('/api/content/note')),
    timed(admin.post('/api/content/note', { body: 'x' })),
  ])
  return Promise.all(requests.flat())
}

async function timed(answer: Promise<{ status: number }>) {
  const startedAt = performance.now()
  const { status } = await answer
  return { status, tookMs: performance.now() - startedAt }
}
