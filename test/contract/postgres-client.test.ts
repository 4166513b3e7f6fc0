import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import { PostgresClient } from '../../core-plugins/foundation/database/dialects/postgres/postgres-client.ts'
import type { Preparations } from '../../core-plugins/foundation/database/dialects/postgres/prepared-texts.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'

const read = 'select id, hits from notes where id = $1::bigint'
const count = 'update notes set hits = hits + 1 where id = $1::bigint returning hits'

const isOutdated = (error: unknown) => error instanceof DatabaseError && error.kind === 'altered'

/** What the client relies on in the driver, of which one exact version is installed. */
eachDatabase((database) => {
  if (database.name !== 'postgres') return

  let created: TestDatabase
  let preparations: Preparations
  let client: PostgresClient
  let other: PostgresClient

  const open = () =>
    PostgresClient.open({
      url: created.url,
      connectTimeoutMs: 10_000,
      queryTimeoutMs: 60_000,
      preparations,
      path: { pooling: 'none' },
      onClose: () => undefined,
      onAnswer: () => undefined,
    })

  before(async () => {
    created = await database.createUrl()
    preparations = { generation: 0 }
    client = await open()
    other = await open()
  })

  beforeEach(async () => {
    // What earlier tests have prepared is forgotten with their table.
    preparations.generation += 1
    await other.command('drop table if exists notes')
    await other.command('create table notes (id bigint primary key, hits bigint)')
    await other.command('insert into notes select n, 0 from generate_series(1, 100) as n')
  })

  after(async () => {
    client.destroy()
    other.destroy()
    await created.drop()
  })

  const idsRead = async (ids: readonly number[]) => {
    const results = await Promise.all(ids.map((id) => client.query(read, [id])))
    return results.map(({ rows }) => rows.map(([id]) => id))
  }
  const ids = Array.from({ length: 50 }, (_, index) => index + 1)
  const own = ids.map((id) => [id])

  it('reads of one new statement at once each get their own answer, and prepare it once', async () => {
    assert.deepEqual(await idsRead(ids), own)
    const held = await client.command(
      `select count(*) from pg_prepared_statements where statement like '%${read}%'`,
    )
    assert.equal(held.rows[0]?.[0], 1)
  })

  it('commands answer rows that the server does not count', async () => {
    const { rows } = await client.query('explain (costs off) select 1', [])
    assert.deepEqual(rows, [['Result']])
    assert.equal((await client.query('show server_encoding', [])).rows.length, 1)
  })

  it('a statement that the tables have outdated has not run, is told of, and is prepared anew', async () => {
    await client.query(read, [1])
    await other.command('alter table notes alter column hits type numeric')
    const answers = await Promise.allSettled(ids.map((id) => client.query(read, [id])))
    assert.ok(answers.every((answer) => answer.status === 'rejected' && isOutdated(answer.reason)))
    assert.deepEqual(await idsRead(ids), own)
  })

  it('so has one that the session does not know, as behind a pooler', async () => {
    await client.query(read, [1])
    await client.command('deallocate all')
    await assert.rejects(client.query(read, [1]), isOutdated)
    assert.deepEqual(await idsRead(ids), own)
  })

  it('one of a transaction does not run after its end', async () => {
    await client.query(count, [1])
    await other.command('alter table notes alter column hits type numeric')
    const sent = await Promise.allSettled([
      client.command('begin'),
      client.query(count, [1]),
      client.query(count, [2]),
      client.command('commit'),
      client.query(read, [2]),
    ])
    assert.deepEqual(
      sent.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
    )
    const { rows } = await other.command('select hits from notes where id <= 2 order by id')
    assert.deepEqual(
      rows.map(([hits]) => Number(hits)),
      [1, 0],
    )
  })

  it('outdated statements are prepared anew on every connection', async () => {
    await Promise.all([client.query(read, [1]), other.query(read, [1])])
    await other.command('alter table notes alter column hits type numeric')
    await assert.rejects(client.query(read, [1]), isOutdated)
    assert.equal((await other.query(read, [2])).rows[0]?.[0], 2)
  })

  it('a statement that fails in its fourth row leaves no room in the next result', async () => {
    const [failed, next] = await Promise.allSettled([
      client.query('select 10 / (4 - n) from generate_series(1, $1::int) as n', [10]),
      client.query('select n from generate_series(1, $1::int) as n', [3]),
    ])
    assert.equal(failed.status, 'rejected')
    assert.deepEqual(next.status === 'fulfilled' && next.value.rows, [[1], [2], [3]])
  })

  it('what cannot be sent is refused before the driver has it', async () => {
    const attempts = [
      () => client.query(read, [undefined]),
      () => client.query(read, [Symbol('no value')]),
      () => client.query(read, new Array(70_000).fill(1)),
    ]
    const answers = idsRead(ids)
    for (const attempt of attempts) await assert.rejects(async () => attempt(), DatabaseError)
    assert.deepEqual(await answers, own)
  })

  it('parameters arrive as they are, the first time and later', async () => {
    const typed = `select $1::boolean, $2::boolean, $3::bigint, $4::numeric, $5::timestamptz, $6::jsonb::text,
      encode($7::bytea, 'hex'), $8::text, $9::text`
    const moment = '2026-01-31T08:00:00.120Z'
    const bytes = new Uint8Array([1, 255])
    const sent = [true, false, 9007199254740993n, '1.50', new Date(moment), '{"a": 1}', bytes, null, 'x']
    for (let round = 0; round < 3; round += 1) {
      const { rows } = await client.query(typed, sent)
      const [yes, no, whole, , at, json, hex, nothing, text] = rows[0] ?? []
      assert.deepEqual([yes, no, String(whole)], [true, false, '9007199254740993'])
      assert.deepEqual([at, json, hex, nothing, text], [moment, '{"a": 1}', '01ff', null, 'x'])
    }
  })

  it('no process is claimed once what it read is being ended, as a pooler may give it to another client', async () => {
    let answers = 0
    const claims: Promise<number | undefined>[] = []
    const pooled: PostgresClient = await PostgresClient.open({
      ...{ url: created.url, connectTimeoutMs: 10_000, queryTimeoutMs: 60_000, preparations },
      path: { pooling: 'transaction', keepsStatements: true },
      onClose: () => undefined,
      onAnswer() {
        answers += 1
        // The commit is sent as soon as these three have been passed on, and is answered later.
        if (answers === 3) setImmediate(() => claims.push(pooled.claimProcess()))
      },
    })
    await pooled.withinLimits(() => pooled.query(read, [1]))
    assert.deepEqual(await Promise.all(claims), [undefined])
    pooled.destroy()
  })

  it('a process that is claimed while it reads serves nobody else', async () => {
    const pooled = await PostgresClient.open({
      ...{ url: created.url, connectTimeoutMs: 10_000, queryTimeoutMs: 60_000, preparations },
      path: { pooling: 'transaction', keepsStatements: true },
      onClose: () => undefined,
      onAnswer: () => undefined,
    })
    const reading = pooled.withinLimits(() => pooled.query('select pg_backend_pid()', []))
    const claimed = await pooled.claimProcess()
    assert.equal(Number((await reading).rows[0]?.[0]), claimed)
    const { rows } = await other.query('select state from pg_stat_activity where pid = $1::integer', [
      claimed,
    ])
    assert.deepEqual(rows, [['idle in transaction']])
    pooled.destroy()
  })
})
