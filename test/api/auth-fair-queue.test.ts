import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFairQueue } from '../../core-plugins/accounts/auth/sign-in/fair-queue.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'

/** A queue whose tasks end when they are told to, in the order in which they began. */
function steppedQueue(limits: { lanes: number; maxWaiting: number }) {
  const queue = createFairQueue(limits)
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const add = (source: string, name: string) => {
    const task = async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
    }
    const run = queue.run(source, task).catch((error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'UNAVAILABLE')
      assert.ok(Number(error.headers['retry-after']) > 0)
      refused.push(name)
    })
    all.push(run)
  }
  const all: Promise<unknown>[] = []
  const drain = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await new Promise(setImmediate)
    }
    await Promise.all(all)
  }
  return { add, begun, refused, drain }
}

describe('fair queue', () => {
  it('lets sources take turns, however much one of them has sent', async () => {
    const { add, begun, drain } = steppedQueue({ lanes: 1, maxWaiting: 10 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name)
    for (const name of ['b1', 'b2']) add('b', name)
    add('c', 'c1')
    await drain()
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('runs as many at once as it has lanes', async () => {
    const { add, begun, drain } = steppedQueue({ lanes: 2, maxWaiting: 10 })
    for (const name of ['a1', 'a2', 'a3']) add('a', name)
    assert.deepEqual(begun, ['a1', 'a2'])
    await drain()
    assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  })

  it('turns away what is too much, of whoever has most', async () => {
    const { add, begun, refused, drain } = steppedQueue({ lanes: 1, maxWaiting: 3 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add('a', name)
    for (const name of ['b1', 'b2']) add('b', name)
    await drain()
    assert.deepEqual(refused, ['a5', 'a4', 'a3'])
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2'])
  })

  it('goes on after a task that failed', async () => {
    const queue = createFairQueue({ lanes: 1, maxWaiting: 1 })
    const failing = queue.run('a', () => Promise.reject(new Error('no')))
    const next = queue.run('a', async () => 'next')
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'next')
    assert.equal(await queue.run('a', async () => 'idle again'), 'idle again')
  })
})
