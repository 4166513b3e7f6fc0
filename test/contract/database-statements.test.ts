import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createConnection } from 'mysql2/promise'
import { StatementShare } from '../../core-plugins/foundation/database/dialects/mysql/statement-share.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { canStart, startMysql } from '../support/database-servers.ts'
import { runOnMysql } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { skipWithout } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** How many prepared statements the server keeps, which is global: hence a server of its own. */
const limit = 200

/** Another program on the same server, which keeps prepared all that it can get. */
async function takeAll(url: string) {
  const connection = await createConnection({ uri: url, maxPreparedStatements: 2 * limit })
  for (let index = 0; ; index += 1) {
    const error = await connection.execute(`select ${index} as other`).then(
      () => undefined,
      (reason) => reason,
    )
    if (error?.errno === 1461) break
    assert.equal(error, undefined)
  }
  return { giveBack: () => connection.end() }
}

const statements = (driver: Driver, count: number, name: string) =>
  Array.from({ length: count }, (_, index) =>
    driver.prepare<{ value: number }>(sql.raw(`select ${index} as value, '${name}' as name`)),
  )

/** As many at a time as there may wait. */
async function readAll(driver: Driver, count: number, name: string): Promise<void> {
  const all = statements(driver, count, name)
  for (let first = 0; first < count; first += 50) {
    const read = await Promise.all(all.slice(first, first + 50).map((each) => driver.get(each)))
    assert.deepEqual(
      read.map((row) => row?.value),
      read.map((_, index) => first + index),
    )
  }
}

const skip = skipWithout('mysql', canStart.mysql())

describe('the prepared statements of a server of MySQL or MariaDB', { skip }, () => {
  it('are shared: it gives back what others need, runs again, and is busy where there is none left', async (test) => {
    const server = await startMysql()
    assert.ok(server, 'there is no MySQL or MariaDB')
    test.after(() => server.stop())
    await until(() =>
      runOnMysql(server.url, 'create database crowded').then(
        () => true,
        () => false,
      ),
    )
    await runOnMysql(server.url, `set global max_prepared_stmt_count = ${limit}`)
    const url = new URL('/crowded', server.url).href
    await test.test('of one process', () => ofOneProcess(url))
    await test.test('of two that both think that they are alone', () => ofTwo(url))
    await test.test('all others taken by another program', () => takenByAnother(url))
    await test.test('all taken by another program', () => noneLeft(url))
  })

  it('are as many on a connection as the limit of the server allows', () => {
    const share = new StatementShare(96)
    share.fit(16_382)
    assert.equal(share.each, 85)
    const given: number[] = []
    share.add({ keepAtMost: (most) => given.push(most) })
    share.refused()
    share.refused()
    assert.deepEqual([share.each, given], [42, [42]], 'refusals at the same time count once')
    const alone = new StatementShare(24)
    alone.fit(1_048_576)
    assert.equal(alone.each, 500)
    alone.fit(0)
    assert.equal(alone.each, 1)
  })
})

async function ofOneProcess(url: string) {
  const driver = await openUrl(url)
  try {
    await readAll(driver, 3 * limit, 'one')
    const [limits] = (await driver.tightLimits?.()) ?? []
    assert.match(
      limits?.message ?? '',
      new RegExp(`of the ${limit} prepared statements .* each of the 8 connections`),
    )
    assert.match(limits?.remedy ?? '', /set max_prepared_stmt_count of the server to \d+/)
  } finally {
    await driver.close()
  }
}

async function ofTwo(url: string) {
  // Their shares do not fit the limit together, as in a deployment that doubles the processes for a while.
  const options = { poolSize: 1, transactionPoolSize: 1, costlyPoolSize: 1 }
  const drivers = await Promise.all(['a', 'b', 'c', 'd'].map(() => openUrl(url, options)))
  try {
    for (const [index, driver] of drivers.entries()) await readAll(driver, limit, `reader${index}`)
    for (const driver of drivers) {
      const wanted = statements(driver, 20, 'transaction')
      const read = await driver.transaction(async (tx) => Promise.all(wanted.map((each) => tx.get(each))))
      assert.equal(read.length, 20)
    }
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()))
  }
}

async function takenByAnother(url: string) {
  const service = await startService({ database: { url } })
  try {
    const other = await takeAll(url)
    for (const sort of ['title', 'slug', 'createdAt', 'updatedAt']) {
      const { status, body } = await service.admin.get(`/api/content/article?sort=${sort}&limit=3`)
      assert.equal(status, 200, JSON.stringify(body))
    }
    for (const slug of ['one', 'two', 'three']) {
      const { status, body } = await service.admin.post('/api/content/article', { title: 'One', slug })
      assert.equal(status, 201, JSON.stringify(body))
    }
    assert.equal((await service.admin.get('/api/readyz')).status, 200)
    await other.giveBack()
  } finally {
    await service.stop()
  }
}

async function noneLeft(url: string) {
  const other = await takeAll(url)
  await assert.rejects(openUrl(url), { kind: 'busy', mayRepeat: true })
  await other.giveBack()
  await (await openUrl(url)).close()
}
