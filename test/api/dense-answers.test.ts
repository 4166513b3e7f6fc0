import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import type { Client } from '../support/client.ts'
import { denseSchemas, linkAllStatements } from '../support/dense-notes.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { listIds } from './content-world.ts'

/** What the service takes when it does nothing, and 64 MB for what it answers: with more it would end. */
const heapMegabytes = 160

/** A request that takes longer hangs. */
const timeoutMs = 2_000

const five = (field: string) => Array(5).fill(field).join('.')

/** Deep, wide, and both. A route that does not know these parameters refuses them. */
const hostileQueries = [
  '',
  'limit=100',
  'populate=*',
  'limit=100&populate=friends',
  'limit=100&populate=friendOf',
  'limit=19&populate=friends',
  `limit=1&populate=${five('friends')}`,
  `limit=1&populate=${five('friendOf')}`,
  `limit=100&populate=${five('boss')}`,
  'limit=100&populate=boss.staff.boss.staff.boss',
  'populate=boxes.notes.friends.boss.staff,zone.note.friends.friendOf',
  `limit=100&populate=${['friends', 'friendOf', 'boss', 'staff'].map((field) => `${field}.boss`).join(',')}`,
  'limit=100&q=note',
]

const relations = ['friends', 'friendOf', 'boss', 'staff']
const nested = (field: string, depth: number) => `${`${field} { `.repeat(depth)} id ${'}'.repeat(depth)}`
const hostileDocuments = [
  ...relations.map((field) => `{ notes(limit: 1) { data { ${nested(field, 7)} } } }`),
  ...relations.map((field) => `{ notes(limit: 100) { data { ${nested(field, 2)} } } }`),
  `{ notes(limit: 100) { data { ${Array.from({ length: 60 }, (_, index) => `f${index}: friends { id }`).join(' ')} } } }`,
  `{ ${Array.from({ length: 90 }, (_, index) => `n${index}: notes(limit: 100) { data { id } }`).join(' ')} }`,
  '{ notes(limit: 100) { data { boxes { notes { friends { id } } } zone { ... on DenseBox { notes { id } } } } } }',
]

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** Live updates never end. */
const isStream = (operation: object | undefined) => JSON.stringify(operation).includes('text/event-stream')

/** Every route by its address, with what is there in place of its parameters. */
async function addressesOf(admin: Client, method: string): Promise<string[]> {
  const { paths } = (await admin.get('/api/_docs/openapi.json')).body as Described
  const present: Record<string, string> = { type: 'note', field: 'friends' }
  return Object.entries(paths)
    .filter(([, operations]) => method in operations && !isStream(operations[method]))
    .map(([path]) => `/api${path}`.replace(/\{(\w+)\}/g, (_, name: string) => present[name] ?? '1'))
}

async function makeNotes(admin: Client): Promise<void> {
  for (let count = 1; count <= 1_000; count++) {
    const { status } = await admin.post('/api/content/note', {
      title: `note ${count}`,
      body: 'x'.repeat(200),
    })
    assert.equal(status, 201)
  }
}

/** Serves a thousand notes that are all linked with one another, in a process that ends where memory does. */
async function withDenseService(work: (admin: Client) => Promise<void>): Promise<void> {
  const env = { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`, SVC_LOG_LEVEL: 'error' }
  await withProject({ schemas: denseSchemas, env }, async (project) => {
    const first = startProcess({ project })
    await makeNotes(await first.signIn())
    await first.end('SIGTERM')
    const database = new Sqlite(join(project.workingDirectory, 'data/content.db'))
    for (const statement of linkAllStatements) database.exec(statement)
    database.close()
    const admin = await startProcess({ project }).signIn()
    const notes = await listIds(admin, 'note', '?limit=100&fields=id')
    const boxes = [{ label: 'one', note: notes[0], notes }]
    const zone = [{ __component: 'dense.box', label: 'two', note: notes[0], notes }]
    assert.equal((await admin.put(`/api/content/note/${notes[0]}`, { boxes, zone })).status, 200)
    await work(admin)
    assert.equal((await admin.get('/api/readyz')).status, 200)
  })
}

/** How much processor time the service takes for it. */
async function processorMs(admin: Client, send: () => Promise<unknown>): Promise<number> {
  const spentMs = async () => {
    const text = String((await admin.get('/api/metrics')).body)
    return 1000 * Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
  }
  const before = await spentMs()
  await send()
  return (await spentMs()) - before
}

describe('answers about dense data', slow, () => {
  it('come within bounds of time and memory, or are refused', () =>
    withDenseService(async (admin) => {
      const faults: string[] = []
      const expectBounded = async (what: string, send: () => ReturnType<Client['get']>) => {
        const startedAt = performance.now()
        const { status, body } = await send()
        let tookMs = performance.now() - startedAt
        // The machine may have been busy with something else.
        if (tookMs >= timeoutMs) tookMs = await processorMs(admin, send)
        if (status < 500 && tookMs < timeoutMs) return
        faults.push(`${what}: ${status} in ${Math.round(tookMs)} ms ${JSON.stringify(body).slice(0, 200)}`)
      }
      const readable = await addressesOf(admin, 'get')
      assert.ok(readable.length > 50 && readable.includes('/api/content/note'), readable.join())
      for (const address of readable) {
        for (const query of hostileQueries) {
          await expectBounded(`${address}?${query}`, () => admin.get(`${address}?${query}`))
        }
      }
      for (const query of hostileDocuments) {
        await expectBounded(query, () => admin.post('/api/graphql', { query }))
      }
      const body = { id: 2, ids: [1, 2], data: { title: 'new' } }
      for (const method of ['put', 'post', 'patch', 'delete']) {
        const addresses = (await addressesOf(admin, method)).filter((each) => each.includes('/content/note'))
        for (const address of addresses) {
          await expectBounded(`${method} ${address}`, () =>
            admin.request(method.toUpperCase(), address, { body }),
          )
          await expectBounded(`${method} ${address} {}`, () =>
            admin.request(method.toUpperCase(), address, { body: {} }),
          )
        }
      }
      assert.deepEqual(faults, [])
    }))
})
