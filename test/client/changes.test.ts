import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type ChangeBatch, createClient, type MortiseError } from 'mortise-client'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import type { ContentTypes } from '../../examples/countries/content-types.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

describe('the client follows what changes', () => {
  let service: TestService
  let token: string
  let cms: ReturnType<typeof createClient<ContentTypes>>

  before(async () => {
    service = await startService()
    token = (await newApiToken(service, ['admin:*'])).token
    cms = createClient<ContentTypes>({ url: service.url, token })
  })
  after(() => service.stop())

  const createAuthor = (name: string) => cms.collection('author').create({ name })

  /** Where the feed is now. */
  async function cursorNow(): Promise<string> {
    for await (const { cursor } of cms.changes({ wait: 0 })) return cursor
    return assert.fail('no batch')
  }

  it('from a cursor to the end, batch by batch', async () => {
    const since = await cursorNow()
    const [one, two, three] = [
      await createAuthor('One'),
      await createAuthor('Two'),
      await createAuthor('Three'),
    ]
    await cms.collection('author').delete(two.id)
    const batches: ChangeBatch<ContentTypes, 'author'>[] = []
    for await (const batch of cms.changes({
      since,
      types: ['author'],
      include: 'entry',
      wait: 0,
      limit: 2,
    })) {
      batches.push(batch)
    }
    assert.deepEqual(
      batches.map(({ changes }) => changes.map(({ id, kind, entry }) => [id, kind, entry?.name])),
      [
        // Two was created and is hidden by now: nobody has known it before.
        [[one.id, 'changed', 'One']],
        [
          [three.id, 'changed', 'Three'],
          [two.id, 'gone', undefined],
        ],
      ],
    )
    const repeated: unknown[] = []
    for await (const batch of cms.changes({ since: batches.at(-1)?.cursor, wait: 0 })) repeated.push(batch)
    assert.deepEqual(repeated, [])
  })

  it('waits for what comes, and ends with its signal', async () => {
    const ending = new AbortController()
    const found: string[] = []
    let cursor: string | undefined
    for await (const batch of cms.changes({ types: ['author'], include: 'entry', signal: ending.signal })) {
      // The first batch is the cursor of now.
      if (cursor === undefined) void createAuthor('Expected')
      cursor = batch.cursor
      found.push(...batch.changes.map(({ entry }) => entry?.name ?? ''))
      if (found.length > 0) queueMicrotask(() => ending.abort())
    }
    assert.deepEqual(found, ['Expected'])
    assert.equal(ending.signal.aborted, true)
  })

  it('tries again what may pass, and no more often than it should', slow, async () => {
    const since = await cursorNow()
    await createAuthor('Behind failures')
    const failures = [
      () => Promise.reject(new TypeError('fetch failed')),
      () => Promise.resolve(new Response('busy', { status: 502 })),
      () => Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '0' } })),
    ]
    let asked = 0
    const flaky: typeof fetch = (...request) => failures[asked++]?.() ?? fetch(...request)
    const follow = (retries: number) => {
      asked = 0
      const behind = createClient<ContentTypes>({ url: service.url, token, fetch: flaky })
      return behind.changes({ since, wait: 0, retries }).next()
    }
    assert.equal((await follow(3)).value?.changes.length, 1)
    assert.equal(asked, 4)
    await assert.rejects(follow(2), ({ status }: MortiseError) => status === 429)
    const refused = createClient<ContentTypes>({ url: service.url }).changes({ wait: 0 }).next()
    await assert.rejects(refused, ({ status }: MortiseError) => status === 401)
  })

  it('a snapshot leads on to the feed, and a cursor that is too old to a snapshot', async () => {
    const old = await cursorNow()
    await createAuthor('Before')
    const names = new Set<string | undefined>()
    let since: string | undefined
    for await (const { changes, cursor } of cms.snapshot({ types: ['author'], include: 'entry', limit: 2 })) {
      if (since === undefined) await createAuthor('Meanwhile')
      for (const { entry } of changes) names.add(entry?.name)
      since = cursor
    }
    const listed = (await cms.collection('author').list({ limit: 100 })).data
    assert.deepEqual([...names].sort(), listed.map(({ name }) => name).sort())
    const told: (string | undefined)[] = []
    for await (const { changes } of cms.changes({ since, types: ['author'], include: 'entry', wait: 0 })) {
      told.push(...changes.map(({ entry }) => entry?.name))
    }
    assert.deepEqual(told, ['Meanwhile'])

    const floor = await service.kernel.get(changeLogService).head()
    const database = service.kernel.get(databaseService)
    await database.run(database.prepare(sql`update svc_changes_state set floor = ${sql.raw(String(floor))}`))
    await assert.rejects(cms.changes({ since: old, wait: 0 }).next(), ({ code }: MortiseError) => {
      return code === 'CURSOR_EXPIRED'
    })
  })
})
