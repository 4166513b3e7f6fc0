import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSignalDispatch } from '../../core-plugins/background/jobs/dispatch.ts'
import { createJobs } from '../../core-plugins/background/jobs/jobs-service.ts'
import { createOutbox } from '../../core-plugins/background/jobs/outbox.ts'
import { createSignals } from '../../core-plugins/foundation/signals/create-signals.ts'
import type { Signals } from '../../core-plugins/foundation/signals/signals.ts'
import type { OpenTransport, TransportListener } from '../../core-plugins/foundation/signals/transport.ts'
import { silentLog } from '../../kernel/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { testKind } from './jobs-world.ts'
import { openQueue, type Queue } from './open-queue.ts'

/** Delivers messages within this process. */
function createWire(): OpenTransport {
  const listeners = new Set<TransportListener>()
  return async (listener) => {
    listeners.add(listener)
    return {
      async publish(text) {
        for (const { message } of listeners) message(text)
      },
      restart: () => undefined,
      stop: () => void listeners.delete(listener),
    }
  }
}

eachDatabase((engine) => {
  describe('dispatch by signals', () => {
    const work = testKind('test.work')
    let queue: Queue
    let here: Awaited<ReturnType<typeof createSignals>>
    let there: Awaited<ReturnType<typeof createSignals>>

    before(async () => {
      queue = await openQueue(engine, [work])
      const wire = createWire()
      here = await createSignals(wire, silentLog)
      there = await createSignals(wire, silentLog)
    })
    after(async () => {
      for (const { stop } of [here, there]) stop()
      await queue.close()
    })

    /** Resolves when the other process has received it and has done everything that follows immediately. */
    async function announce(by: Signals | undefined) {
      let isHeard = false
      const forget = there.signals.onSignal('jobs', () => {
        isHeard = true
      })
      createSignalDispatch(by).announce(1)
      if (by !== undefined) await until(() => isHeard, 'the signal is heard')
      forget()
    }

    it('is asked for once in a transaction, with how many jobs there are, and not before the commit', async () => {
      const { database, kinds, store } = queue
      const announced: number[] = []
      const jobs = createJobs({
        ...{ kinds, store, outbox: createOutbox(database), runner: queue.runner() },
        onGivenUp: async () => undefined,
        onEnqueued: (count) => announced.push(count),
      })
      const many = Array.from({ length: 3 }, () => ({ payload: {} }))
      await database.transaction(async (tx) => {
        await jobs.enqueue(tx, work.kind, {})
        await jobs.enqueueMany(tx, work.kind, many)
        await jobs.enqueueMany(tx, work.kind, [])
        assert.deepEqual(announced, [])
      })
      assert.deepEqual(announced, [4])
      announced.pop()
      const undone = database.transaction(async (tx) => {
        await jobs.enqueueMany(tx, work.kind, many)
        throw new Error('rolled back')
      })
      await assert.rejects(undone, /rolled back/)
      assert.deepEqual(announced, [])
      await jobs.drain()
    })

    it('has the runners of other processes look for jobs, until it is stopped', async () => {
      const runner = queue.runner()
      runner.start()
      const dispatch = createSignalDispatch(there.signals)
      dispatch.serve(runner)
      const first = await queue.enqueue(work)
      await announce(here.signals)
      await until(async () => (await queue.find(first)).status === 'completed')
      await runner.drain()
      await dispatch.stop()
      const second = await queue.enqueue(work)
      await announce(here.signals)
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
      assert.equal((await queue.find(second)).status, 'waiting')
      await runner.drain()
    })

    it('does nothing where nobody can be told', async () => {
      const dispatch = createSignalDispatch(undefined)
      dispatch.serve(queue.runner())
      await announce(undefined)
      await dispatch.stop()
    })
  })
})
