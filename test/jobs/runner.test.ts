import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { JobContext } from '../../core-plugins/background/jobs/jobs.ts'
import { eachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { gate, testKind } from './jobs-world.ts'
import { openQueue, type Queue, type QueueRunner } from './open-queue.ts'

const farAway = '2999-01-01T00:00:00.000Z'
const nextTurn = () => new Promise(setImmediate)

const untilStopped = (_: unknown, { signal }: JobContext) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

eachDatabase((engine) => {
  describe('a runner', () => {
    const work = testKind('test.work', { maxAttempts: 2, retryDelayMs: () => 0 })
    const single = testKind('test.single', { concurrency: 1 })
    let queue: Queue

    before(async () => {
      queue = await openQueue(engine, [work, single])
    })
    after(() => queue.close())

    const statusOf = async (id: number) => (await queue.find(id)).status
    const becomes = (id: number, status: string) =>
      until(async () => (await statusOf(id)) === status, `job ${id} is ${status}`)

    /** Calls `use` with a runner that is stopped afterwards. */
    async function withRunner(
      use: (runner: QueueRunner) => Promise<void>,
      settings: Parameters<Queue['runner']>[0] = {},
    ) {
      const runner = queue.runner(settings)
      try {
        await use(runner)
      } finally {
        await runner.stop()
      }
    }

    it('does nothing before it is started, and what there is then', () =>
      withRunner(async (runner) => {
        work.does(() => 'ran')
        const id = await queue.enqueue(work)
        runner.wake()
        for (let turns = 0; turns < 20; turns++) await nextTurn()
        assert.equal(await statusOf(id), 'waiting')
        runner.start()
        await becomes(id, 'completed')
      }))

    it('looks when it is woken, again and again', () =>
      withRunner(async (runner) => {
        work.does(() => 'ran')
        runner.start()
        for (let count = 0; count < 3; count++) {
          const id = await queue.enqueue(work)
          runner.wake()
          await becomes(id, 'completed')
        }
      }))

    it('sees what was made while it looked', () =>
      withRunner(async (runner) => {
        work.does(() => 'ran')
        runner.start()
        const ids: Promise<number>[] = []
        for (let count = 0; count < 20; count++) {
          ids.push(queue.enqueue(work).finally(() => runner.wake()))
          await nextTurn()
        }
        for (const id of await Promise.all(ids)) await becomes(id, 'completed')
      }))

    it('finds by itself what others have made, and what becomes due', async () => {
      work.does(() => 'ran')
      await withRunner(
        async (runner) => {
          runner.start()
          await becomes(await queue.enqueue(work), 'completed')
        },
        { pollIntervalMs: 20 },
      )
      await withRunner(async (runner) => {
        const id = await queue.enqueue(work, undefined, { runAt: new Date(Date.now() + 300).toISOString() })
        runner.start()
        await becomes(id, 'completed')
      })
    })

    it('runs as many at once as there is room for, and all in the end', () =>
      withRunner(
        async (runner) => {
          let [running, most] = [0, 0]
          work.does(async () => {
            most = Math.max(most, ++running)
            await nextTurn()
            running--
          })
          const ids = []
          for (let count = 0; count < 120; count++) ids.push(await queue.enqueue(work))
          await runner.drain()
          for (const id of ids) assert.equal(await statusOf(id), 'completed')
          assert.equal(most, 3)
        },
        { concurrency: 3 },
      ))

    it('leaves nothing, however the end of one and the search for another fall together', async () => {
      for (let turns = 0; turns < 12; turns++) {
        await withRunner(
          async (runner) => {
            single.does(() => undefined)
            work.does(async (value) => {
              for (let turn = 0; value === 'first' && turn < turns; turn++) await nextTurn()
            })
            await queue.enqueue(work, 'first')
            await queue.enqueue(single)
            const last = await queue.enqueue(work, 'last')
            await runner.drain()
            assert.equal(await statusOf(last), 'completed')
          },
          { concurrency: 1 },
        )
      }
    })

    it('tells others whether more is due than it has room for', () =>
      withRunner(async (runner) => {
        const [first, second] = [gate(), gate()]
        single.does((value) => (value === 1 ? first : second).opened)
        assert.equal(await runner.look(), false)
        await queue.enqueue(single, 1)
        assert.equal(await runner.look(), false)
        const later = await queue.enqueue(single, 3, { runAt: farAway })
        assert.equal(await runner.look(), false)
        await queue.enqueue(single, 2)
        assert.equal(await runner.look(), true)
        first.open()
        await runner.hasRoom()
        assert.equal(await runner.look(), false)
        second.open()
        await runner.drain()
        await queue.store.cancel(later)
      }))

    it('has room at once unless a kind is full, and then when one of its jobs has ended', () =>
      withRunner(async (runner) => {
        await runner.hasRoom()
        const mayEnd = gate()
        single.does(() => mayEnd.opened)
        await queue.enqueue(single)
        await runner.look()
        let hasRoom = false
        const room = runner.hasRoom().then(() => {
          hasRoom = true
        })
        for (let turns = 0; turns < 5; turns++) await nextTurn()
        assert.equal(hasRoom, false)
        mayEnd.open()
        await room
        assert.deepEqual(runner.capacity.fullKinds(), [])
      }))

    it('stops a job that is cancelled, and tells of it', () =>
      withRunner(async (runner) => {
        work.does(untilStopped)
        const id = await queue.enqueue(work)
        await runner.look()
        runner.cancel(id + 1_000_000)
        runner.cancel(id)
        await runner.drain()
        assert.deepEqual([await statusOf(id), runner.givenUp], ['cancelled', [id]])
      }))

    it('tells of a job when it has failed for good, and not before', () =>
      withRunner(async (runner) => {
        work.does(() => {
          throw new Error('broken')
        })
        const id = await queue.enqueue(work)
        await runner.look()
        await until(async () => (await queue.find(id)).error === 'broken')
        assert.deepEqual([await statusOf(id), runner.givenUp], ['waiting', []])
        const lines = () => runner.logLines.filter(({ job }) => job === id)
        // Written once the outcome has been stored.
        await until(async () => lines().length > 0)
        assert.deepEqual([lines()[0]?.attempt, lines()[0]?.error], [1, 'broken'])
        await runner.drain()
        assert.deepEqual([await statusOf(id), runner.givenUp], ['failed', [id]])
      }))

    it('hands back what still runs at the stop, with its attempts, and takes nothing more', async () => {
      const ran: unknown[] = []
      work.does((value, context) => (value === 'long' ? untilStopped(value, context) : ran.push(value)))
      const runner = queue.runner()
      runner.start()
      const long = await queue.enqueue(work, 'long')
      runner.wake()
      await becomes(long, 'active')
      await Promise.all([runner.stop(), runner.stop()])
      const { status, attempts } = await queue.find(long)
      assert.deepEqual([status, attempts, runner.givenUp], ['waiting', 0, []])
      runner.wake()
      await runner.look()
      assert.equal(await statusOf(long), 'waiting')
      work.does((value) => ran.push(value))
      await withRunner((other) => other.drain())
      assert.deepEqual(ran, ['long'])
    })

    it('lets what runs end within the grace', async () => {
      const mayEnd = gate()
      work.does(() => mayEnd.opened)
      const runner = queue.runner({ shutdownGraceMs: 600_000 })
      const id = await queue.enqueue(work)
      await runner.look()
      const stopped = runner.stop()
      assert.equal(await statusOf(id), 'active')
      mayEnd.open()
      await stopped
      assert.equal(await statusOf(id), 'completed')
    })

    it('goes on looking when the database was away', () =>
      withRunner(
        async (runner) => {
          work.does(() => 'ran')
          const id = await queue.enqueue(work)
          const rename = (from: string, to: string) =>
            queue.database.run(
              queue.database.prepare(
                sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`,
              ),
            )
          await rename('svc_jobs', 'away')
          runner.start()
          await until(() => runner.logLines.some(({ level, err }) => level === 'warn' && err !== undefined))
          await rename('away', 'svc_jobs')
          await becomes(id, 'completed')
        },
        { pollIntervalMs: 20 },
      ))

    describe('that has lost a job to another one', () => {
      const lose = (id: number, to: string) =>
        queue.database.run(
          queue.database.prepare(
            sql`update svc_jobs set status = 'waiting', worker = ${sql.raw(`'${to}'`)} where id = ${id}`,
          ),
        )

      it('stops it, and leaves its end to the other', () =>
        withRunner(
          async (runner) => {
            work.does(untilStopped)
            runner.start()
            const id = await queue.enqueue(work)
            runner.wake()
            await becomes(id, 'active')
            await queue.database.run(
              queue.database.prepare(sql`update svc_jobs set worker = 'another' where id = ${id}`),
            )
            await until(() => runner.logLines.some(({ level, job }) => level === 'warn' && job === id))
            assert.deepEqual([await statusOf(id), runner.givenUp], ['active', []])
            await lose(id, 'nobody')
            work.does(() => 'ran')
            await runner.drain()
          },
          { leaseMs: 40 },
        ))

      it('does not begin it again before it has ended here', () =>
        withRunner(async (runner) => {
          let [running, most, runs] = [0, 0, 0]
          const mayEnd = gate()
          work.does(async () => {
            most = Math.max(most, ++running)
            runs++
            await mayEnd.opened
            running--
          })
          const id = await queue.enqueue(work)
          await runner.look()
          await lose(id, 'nobody')
          await runner.look()
          assert.equal(running, 1)
          mayEnd.open()
          await runner.drain()
          assert.deepEqual([await statusOf(id), most, runs], ['completed', 1, 2])
        }))
    })
  })
})
