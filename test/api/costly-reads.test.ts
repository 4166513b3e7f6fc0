import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import type { Answer } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus } from './auth-callers.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      body: { type: 'text' },
      other: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}

const noteCount = 60
const body = 'Nothing of what is looked for. '.repeat(4_000)

/** Seconds of work for any database; it is never waited for. */
const costlyFilters = Array.from(
  { length: 300 },
  (_, i) => `filters[$or][${i}][body][$containsi]=zz${i}`,
).join('&')
const costlyList = `/api/content/note?${costlyFilters}`
const costlyAggregate = `/api/content/note/aggregate?function=max&field=body&${costlyFilters}`
const costlyGraphql = {
  query: `{ notes(filters: { or: [${'{ body: { containsi: "zz" } },'.repeat(300)}] }) { data { id } } }`,
}

async function startWithNotes(options: StartOptions): Promise<TestService> {
  const env = { SVC_API_QUERY_MAX_WEIGHT: '1000000', ...options.env }
  const service = await startService({ ...options, schemas, env })
  for (let i = 0; i < noteCount; i += 1) {
    expectStatus(await service.admin.post('/api/content/note', { body: `${body}${i}` }), 201)
  }
  const role = (await service.admin.get('/api/admin/roles')).body.data.find(
    ({ name }: { name: string }) => name === 'public',
  )
  const permissions = { content: { note: { read: true } }, media: {} }
  expectStatus(await service.admin.put(`/api/admin/roles/${role.id}`, { permissions }), 200)
  return service
}

/** A request whose client can leave. */
function ask(service: TestService, path: string, body?: unknown) {
  const client = new AbortController()
  let isOver = false
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = fetch(service.url + path, {
    ...init,
    headers: { 'content-type': 'application/json' },
    signal: client.signal,
  }).finally(() => {
    isOver = true
  })
  answer.catch(() => undefined)
  return { answer, leave: () => client.abort(), isOver: () => isOver }
}

const costlyReadsOf = (service: TestService) =>
  service.kernel
    .get(databaseService)
    .load()
    .find(({ use }) => use === 'costly reads')

const untilBusy = (service: TestService, busy: number) =>
  until(() => costlyReadsOf(service)?.busy === busy, `${busy} costly reads`)

function expectTimeout(answer: Answer): void {
  expectStatus(answer, 503)
  const told = answer.body.error ?? { ...answer.body.errors[0].extensions, ...answer.body.errors[0] }
  assert.equal(told.code, 'UNAVAILABLE')
  assert.equal(told.reason, 'query_too_slow')
  assert.match(told.message, /longer .*\(database\.readTimeoutMs\); ask for less at a time/)
}

eachDatabase((database) => {
  describe('a costly request', () => {
    let service: TestService

    before(async () => {
      const env = { SVC_DATABASE_COSTLY_POOL_SIZE: '1', SVC_DATABASE_READ_TIMEOUT_MS: '600000' }
      service = await startWithNotes({ database: database.name, env })
    })

    after(() => service.stop())

    for (const [what, path, sent] of [
      ['a list', costlyList],
      ['an aggregate', costlyAggregate],
      ['a GraphQL query', '/api/graphql', costlyGraphql],
    ] as const) {
      it(`for ${what} keeps nobody else waiting, and ends when its client leaves`, async () => {
        const { leave, isOver } = ask(service, path, sent)
        await untilBusy(service, 1)
        const list = await service.get('/api/content/note?limit=2&filters[id][$gt]=1&fields=id')
        assert.deepEqual(expectStatus(list, 200).body.data, [{ id: 2 }, { id: 3 }])
        assert.equal(isOver(), false)
        leave()
        await untilBusy(service, 0)
      })
    }

    it('answers what it finds once it is its turn', async () => {
      const first = ask(service, costlyList)
      await untilBusy(service, 1)
      const second = ask(service, `/api/content/note?filters[body][$containsi]=OR. 5&fields=id`)
      await until(() => costlyReadsOf(service)?.waiting === 1)
      first.leave()
      const answer = (await (await second.answer).json()) as { data: unknown; pagination: { total: number } }
      assert.deepEqual(answer.data, [{ id: 6 }, ...Array.from({ length: 10 }, (_, i) => ({ id: 51 + i }))])
      assert.equal(answer.pagination.total, 11)
    })

    it('is no failure of the service when its client leaves', () => {
      assert.deepEqual(
        service.logLines.filter(({ level }) => level === 'error'),
        [],
      )
    })
  })
})

describe('the bounds of costly requests', () => {
  let service: TestService

  before(async () => {
    const env = { SVC_DATABASE_COSTLY_POOL_SIZE: '1', SVC_DATABASE_MAX_COSTLY_WAITING: '1' }
    service = await startWithNotes({ env: { ...env, SVC_DATABASE_READ_TIMEOUT_MS: '200' } })
  })

  after(() => service.stop())

  it('are told with what helps where one takes too long', slow, async () => {
    expectTimeout(await service.get(costlyList))
    expectTimeout(await service.get(costlyAggregate))
    expectTimeout(await service.post('/api/graphql', costlyGraphql))
  })

  it('are 503 with Retry-After where too many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => service.get(costlyList)))
    const refused = answers.filter(({ body }) => /too busy/.test(body.error.message))
    assert.ok(refused.length >= 4, JSON.stringify(answers.map(({ body }) => body)))
    for (const answer of refused) assert.equal(expectStatus(answer, 503).headers.get('retry-after'), '1')
    for (const answer of answers) if (!refused.includes(answer)) expectTimeout(answer)
  })

  it('hold for these only: other lists are answered, and entries are written', async () => {
    const costly = ask(service, costlyList)
    await untilBusy(service, 1)
    expectStatus(await service.admin.put('/api/content/note/1', { body: 'written meanwhile' }), 200)
    const { body } = expectStatus(await service.get('/api/content/note?limit=1'), 200)
    assert.equal(body.data[0].body, 'written meanwhile')
    costly.leave()
  })
})
