import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Admission } from '../../core-plugins/foundation/database/connections/admission.ts'
import { Breaker } from '../../core-plugins/foundation/database/connections/breaker.ts'
import { parseDatabaseUrl } from '../../core-plugins/foundation/database/connections/database-url.ts'
import { Pool } from '../../core-plugins/foundation/database/connections/pool.ts'
import { databaseUrl } from '../../core-plugins/foundation/database/connections/url-setting.ts'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import { dialects } from '../../core-plugins/foundation/database/dialects/dialects.ts'
import { compileRowBuilder } from '../../core-plugins/foundation/database/statements/row-builder.ts'
import { shortenIdentifier } from '../../core-plugins/foundation/database/tables/identifier.ts'
import { asAppError } from '../../core-plugins/foundation/http/http.ts'

describe('DATABASE_URL', () => {
  for (const [url, dialect, target] of [
    ['sqlite:./data/content.db', 'sqlite', './data/content.db'],
    ['sqlite::memory:', 'sqlite', ':memory:'],
    ['sqlite:///var/lib/content.db', 'sqlite', '/var/lib/content.db'],
    [
      'postgres://u:p@host:5433/name?sslmode=require',
      'postgres',
      'postgres://u:p@host:5433/name?sslmode=require',
    ],
    ['postgresql://host/name', 'postgres', 'postgres://host/name'],
    ['mysql://root@127.0.0.1/name', 'mysql', 'mysql://root@127.0.0.1/name'],
    ['mariadb://root@127.0.0.1/name', 'mysql', 'mysql://root@127.0.0.1/name'],
  ] as const) {
    it(`reads ${url}`, () => assert.deepEqual(parseDatabaseUrl(url), { dialect, target }))
  }

  for (const url of [
    'sqlite:',
    'sqlite:a\0b',
    'postgres://',
    'postgres://host',
    'postgres:name',
    'mysql://root@127.0.0.1/',
    'mysql://root@127.0.0.1:99999/name',
    'mongodb://host/name',
    'constructor:x',
    'content.db',
    'http://host/name',
  ]) {
    it(`refuses ${JSON.stringify(url)}`, () => {
      assert.equal(parseDatabaseUrl(url), undefined)
      assert.equal(databaseUrl.check?.(url, 'development', () => assert.fail())?.severity, 'fatal')
    })
  }

  it('can be what each database gives as its example', () => {
    for (const { name, exampleUrl } of Object.values(dialects)) {
      assert.equal(parseDatabaseUrl(exampleUrl)?.dialect, name)
    }
  })

  it('belongs to one database by each of its schemes', () => {
    const schemes = Object.values(dialects).flatMap((dialect) => dialect.schemes)
    assert.equal(new Set(schemes).size, schemes.length)
  })

  it('warns of SQLite in production only', () => {
    const check = (url: string, environment: 'development' | 'production') =>
      databaseUrl.check?.(url, environment, () => assert.fail())?.severity
    assert.equal(check('sqlite:./a.db', 'production'), 'warning')
    assert.equal(check('sqlite:./a.db', 'development'), undefined)
    assert.equal(check('postgres://host/name', 'production'), undefined)
    assert.equal(check('', 'development'), 'fatal')
  })
})

describe('a failure of the database', () => {
  for (const [kind, status, code, retryAfter] of [
    ['unavailable', 503, 'UNAVAILABLE', '1'],
    ['read_only', 503, 'UNAVAILABLE', '1'],
    ['busy', 503, 'UNAVAILABLE', '1'],
    ['timeout', 503, 'UNAVAILABLE', '1'],
    ['abandoned', 499, 'CLIENT_GONE', undefined],
    ['full', 507, 'STORAGE_FULL', undefined],
    ['other', 500, 'INTERNAL_ERROR', undefined],
  ] as const) {
    it(`of kind ${kind} is ${code} to clients, and tells them nothing of the cause`, () => {
      const failure = new DatabaseError(kind, 'secret of the server')
      const error = asAppError(failure)
      assert.equal(error.status, status)
      assert.equal(error.code, code)
      assert.equal(error.headers['retry-after'], retryAfter)
      assert.equal(error.cause, failure)
      assert.doesNotMatch(error.message, /secret/)
    })
  }
})

describe('names', () => {
  it('stay as they are up to 63 bytes', () => {
    assert.equal(shortenIdentifier('a'.repeat(63)), 'a'.repeat(63))
  })

  it('are cut and told apart beyond that, also between the bytes of a letter', () => {
    const names = [
      `${'a'.repeat(63)}b`,
      `${'a'.repeat(63)}c`,
      'ü'.repeat(40),
      `${'x'.repeat(53)}${'ü'.repeat(9)}`,
    ]
    const shortened = names.map(shortenIdentifier)
    assert.equal(new Set(shortened).size, names.length)
    for (const name of shortened) {
      assert.ok(Buffer.byteLength(name) <= 63)
      assert.doesNotMatch(name, /\uFFFD/)
    }
  })
})

describe('rows', () => {
  it('are built by column, with nulls left alone and odd names taken for what they are', () => {
    const build = compileRowBuilder(
      ['id', '__proto__', 'a"b\\'],
      [undefined, (text: string) => text.length, undefined],
    )
    const [first, second] = build([
      [1, 'four', 'x'],
      [2, null, null],
    ]) as Record<string, unknown>[]
    assert.deepEqual(Object.entries(first ?? {}), [
      ['id', 1],
      ['__proto__', 4],
      ['a"b\\', 'x'],
    ])
    assert.deepEqual(Object.entries(second ?? {}), [
      ['id', 2],
      ['__proto__', null],
      ['a"b\\', null],
    ])
  })
})

describe('the breaker', () => {
  it('lets everything through until something failed, and then one at a time', async () => {
    const breaker = new Breaker(20, 10_000)
    const connect = async () => 'connected'
    const never = () => new Promise(() => undefined)
    assert.equal(await breaker.guard(connect), 'connected')
    breaker.failed()
    await assert.rejects(breaker.guard(connect), { kind: 'unavailable' })
    await delay(25)
    void breaker.guard(never)
    await assert.rejects(breaker.guard(connect), { kind: 'unavailable' })
  })

  it('opens where the server is gone, and closes when it lets somebody in', async () => {
    const breaker = new Breaker(20, 10_000)
    const failWith = (kind: 'busy' | 'unavailable') => () => Promise.reject(new DatabaseError(kind, 'no'))
    await assert.rejects(breaker.guard(failWith('busy')), { kind: 'busy' })
    await assert.rejects(breaker.guard(failWith('unavailable')), { kind: 'unavailable', message: 'no' })
    await assert.rejects(breaker.guard(failWith('busy')), { kind: 'unavailable' })
    await delay(25)
    await breaker.guard(async () => undefined)
    await assert.rejects(breaker.guard(failWith('busy')), { kind: 'busy' })
  })
})

describe('the pool', () => {
  interface Connection {
    readonly number: number
    isUsable: boolean
  }

  function createPool(options: { size?: number; maxWaiting?: number; waitTimeoutMs?: number } = {}) {
    const opened: Connection[] = []
    let failures = 0
    const pool = new Pool<Connection>({
      size: 1,
      maxWaiting: 10,
      waitTimeoutMs: 5_000,
      ...options,
      async open() {
        if (failures > 0) {
          failures -= 1
          throw new Error('cannot open')
        }
        const connection = { number: opened.length, isUsable: true }
        opened.push(connection)
        return connection
      },
      isUsable: (connection) => connection.isUsable,
      admission: new Admission(),
      end: (connection) => {
        connection.isUsable = false
      },
    })
    return {
      pool,
      opened,
      failNext: (count: number) => {
        failures = count
      },
    }
  }

  it('opens as many as are needed, and keeps them', async () => {
    const { pool, opened } = createPool({ size: 2 })
    const first = await pool.acquire()
    const second = await pool.acquire()
    pool.release(first)
    pool.release(second)
    assert.equal(await pool.acquire(), second)
    assert.equal(opened.length, 2)
  })

  it('hands over to those who wait, in their order', async () => {
    const { pool } = createPool()
    const first = await pool.acquire()
    const waiting = [1, 2].map(async (number) => {
      const connection = await pool.acquire()
      pool.release(connection)
      return number
    })
    pool.release(first)
    assert.equal(await Promise.race(waiting), 1)
    await Promise.all(waiting)
  })

  it('opens another in the place of one that is gone, also for who waits already', async () => {
    const { pool } = createPool()
    const first = await pool.acquire()
    const waiting = pool.acquire()
    first.isUsable = false
    pool.release(first)
    assert.equal((await waiting).number, 1)
  })

  it('forgets an idle one that is gone', async () => {
    const { pool } = createPool()
    const first = await pool.acquire()
    pool.release(first)
    first.isUsable = false
    assert.equal((await pool.acquire()).number, 1)
  })

  it('has its place back when opening failed, for the next and for who waits', async () => {
    const { pool, failNext } = createPool()
    failNext(2)
    const attempts = [pool.acquire(), pool.acquire(), pool.acquire()]
    const outcomes = await Promise.allSettled(attempts)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
  })

  it('refuses after too long a wait, or at once when too many wait', async () => {
    const { pool } = createPool({ maxWaiting: 1, waitTimeoutMs: 20 })
    const first = await pool.acquire()
    const waiting = Promise.resolve(pool.acquire())
    await assert.rejects(async () => pool.acquire(), { kind: 'busy' })
    await assert.rejects(waiting, { kind: 'busy' })
    pool.release(first)
    assert.equal(await pool.acquire(), first)
  })
})
