import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { createFixtures } from '../../testing/fixtures.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { dearPath, notesPath, type OverloadWorld, startWorld } from './overload-world.ts'

const body = 'Nothing of what is looked for. '.repeat(4_000)

/** Seconds of work for any database; it is never waited for. */
function endlessPath(): string {
  const filters = Array.from({ length: 300 }, (_, i) => `filters[$or][${i}][body][$containsi]=zz${i}`)
  return `${notesPath}?fields=id&${filters.join('&')}`
}

/** Costly, and needs one statement: its page shows the total. */
const costlyPath = `${notesPath}?fields=id&filters[$and][0][body][$containsi]=a b&filters[$and][1][body][$containsi]=a b`

/** The same with another statement for the total. */
const twicePath = `${notesPath}?fields=id&limit=1&filters[$and][0][body][$containsi]=looked&filters[$and][1][body][$containsi]=looked`

const maxWaiting = 6

eachDatabase((engine) => {
  describe('the line for a connection', () => {
    let world: OverloadWorld
    let other: Client
    let letGo = () => {}

    before(async () => {
      const env = {
        SVC_API_QUERY_MAX_WEIGHT: '1000000',
        SVC_DATABASE_COSTLY_POOL_SIZE: '1',
        SVC_DATABASE_MAX_COSTLY_WAITING: String(maxWaiting),
        SVC_DATABASE_READ_TIMEOUT_MS: '600000',
        // The machine may be slow.
        SVC_DATABASE_WAIT_TIMEOUT_MS: '600000',
        SVC_OVERLOAD_ENABLED: 'false',
        SVC_RATE_LIMIT_ENABLED: 'false',
      }
      world = await startWorld({ database: engine.name, env })
      const fixtures = createFixtures({ ...world.service, apiPrefix: '/api' })
      other = (await fixtures.createToken('content:read')).client
      for (let i = 0; i < 60; i += 1) await world.service.admin.post(notesPath, { body: `${body}${i}` })
    })
    afterEach(() => letGo())
    after(() => world.service.stop())

    function costlyReads() {
      const load = world.service.kernel.get(databaseService).load()
      return load.find(({ use }) => use === 'costly reads') ?? assert.fail('nothing is known of costly reads')
    }
    const untilWaiting = (count: number) =>
      until(() => costlyReads().waiting === count, `${count} wait in line`)

    /** Has everything that is costly wait until `letGo`. */
    async function hold(): Promise<void> {
      await until(() => costlyReads().busy === 0, 'the connection is free')
      letGo = leavingRead(endlessPath())
      await until(() => costlyReads().busy === 1 && costlyReads().waiting === 0, 'the connection is taken')
    }

    /** A read of a client that goes when the result is called. */
    function leavingRead(path: string): () => void {
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${world.tokenText}` }
      fetch(world.service.url + path, { headers, signal: leaving.signal }).catch(() => undefined)
      return () => leaving.abort()
    }

    /** Requests one after the other; the names of whoever was answered, in that order. */
    async function inLine(names: readonly ('token' | 'other' | 'stranger' | 'twice')[]) {
      const clients = { token: world.token, other, stranger: world.service, twice: world.token }
      const order: string[] = []
      const sent: Promise<Answer>[] = []
      for (const [index, name] of names.entries()) {
        const answer = clients[name].get(name === 'twice' ? twicePath : costlyPath)
        answer.then(() => order.push(name))
        sent.push(answer)
        await until(() => costlyReads().waiting >= Math.min(index + 1, maxWaiting))
      }
      return { order, sent, answers: () => Promise.all(sent) }
    }

    it('lets callers take turns, however much one of them asks for', async () => {
      await hold()
      const { order, answers } = await inLine(['token', 'token', 'token', 'token', 'token', 'other'])
      letGo()
      for (const { status } of await answers()) assert.equal(status, 200)
      // Second in line; what is sent at nearly the same time may arrive in another order.
      assert.ok(order.indexOf('other') <= 2, order.join())
    })

    it('serves callers without an account last', async () => {
      await hold()
      const { order, answers } = await inLine([
        'stranger',
        'stranger',
        'stranger',
        'stranger',
        'token',
        'other',
      ])
      letGo()
      for (const { status } of await answers()) assert.equal(status, 200)
      // One turn in a few is theirs.
      assert.ok(order.indexOf('token') <= 3 && order.indexOf('other') <= 3, order.join())
    })

    it('finishes what has begun before it begins more', async () => {
      await hold()
      const { order, answers } = await inLine(['twice', 'token', 'token', 'token', 'token'])
      letGo()
      for (const { status } of await answers()) assert.equal(status, 200)
      assert.ok(order.indexOf('twice') <= 2, order.join())
    })

    it('turns away the latest of the caller that has most waiting, with a reason and a time', async () => {
      await hold()
      const { sent, answers } = await inLine(Array(maxWaiting).fill('token'))
      const others = other.get(costlyPath)
      const turnedAway = (await sent.at(-1)) ?? assert.fail('nothing was sent')
      assert.equal(turnedAway.status, 503)
      assert.equal(turnedAway.body.error.reason, 'queue_full')
      assert.match(String(turnedAway.headers.get('retry-after')), /^\d+$/)
      letGo()
      assert.equal((await others).status, 200)
      const statuses = (await answers()).map(({ status }) => status)
      assert.deepEqual(statuses, [...Array(maxWaiting - 1).fill(200), 503])
    })

    it('turns away strangers before anybody with an account', async () => {
      await hold()
      const { sent, answers } = await inLine(['stranger', ...Array(maxWaiting - 1).fill('token')])
      const one = world.token.get(costlyPath)
      assert.equal((await sent[0])?.body.error.reason, 'queue_full')
      letGo()
      assert.equal((await one).status, 200)
      assert.deepEqual(
        (await answers()).map(({ status }) => status),
        [503, ...Array(maxWaiting - 1).fill(200)],
      )
    })

    it('is left by who has gone', async () => {
      await hold()
      const leave = leavingRead(costlyPath)
      await untilWaiting(1)
      leave()
      await untilWaiting(0)
      assert.equal((await world.service.get('/api/livez')).status, 200)
    })
  })

  describe('many requests with credentials at once, while strangers are refused', () => {
    let world: OverloadWorld

    before(async () => {
      const env = {
        SVC_DATABASE_WAIT_TIMEOUT_MS: '600000',
        SVC_OVERLOAD_TARGET_MS: '1',
        SVC_OVERLOAD_LOOP_DELAY_MS: '1',
        SVC_OVERLOAD_MAX_READS: '1',
        SVC_OVERLOAD_INTERVAL_MS: '10',
        SVC_RATE_LIMIT_ENABLED: 'false',
      }
      world = await startWorld({ database: engine.name, env })
    })
    after(() => world.service.stop())

    for (const [what, path] of [
      ['lists', notesPath],
      ['costly lists', dearPath],
    ] as const) {
      it(`are all answered: ${what}`, async () => {
        const { service, token } = world
        let isOver = false
        let refused = 0
        const strangers = async () => {
          while (!isOver) if ((await service.get(path)).status === 503) refused += 1
        }
        const asking = Promise.all([strangers(), strangers(), strangers()])
        const statuses = new Set<number>()
        do {
          const answers = await Promise.all(Array.from({ length: 256 }, () => token.get(path)))
          for (const { status } of answers) statuses.add(status)
        } while (refused === 0)
        isOver = true
        await asking
        assert.deepEqual([...statuses], [200])
      })
    }
  })
})
