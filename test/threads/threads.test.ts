import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { createTaskPool, type TaskPool } from '../../core-plugins/foundation/threads/task-pool.ts'
import { defineTask, ThreadTaskError } from '../../core-plugins/foundation/threads/threads.ts'
import { slow } from '../support/scope.ts'

const misbehave = defineTask<typeof import('./tasks/misbehave-task.ts').default>(
  new URL('./tasks/misbehave-task.ts', import.meta.url),
)

const failsAs = (reason: ThreadTaskError['reason'], message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ThreadTaskError, String(error))
  assert.equal(error.reason, reason)
  assert.match(error.message, message)
  return true
}

describe('thread tasks', () => {
  let pool: TaskPool
  before(() => {
    pool = createTaskPool({ maxThreads: 1, maxQueue: 3 })
  })
  after(() => pool.close())

  it('run on another thread, in TypeScript', async () => {
    assert.notEqual(await pool.run(misbehave, 'answer'), threadId)
  })

  it('keep their thread when they throw', async () => {
    const thread = await pool.run(misbehave, 'answer')
    await assert.rejects(
      pool.run(misbehave, 'throw'),
      failsAs('threw', /^misbehave-task\.ts failed: on purpose$/),
    )
    assert.equal(await pool.run(misbehave, 'answer'), thread)
  })

  it('bring down no more than their thread when it ends under them, and those that wait get another one', async () => {
    const crashed = pool.run(misbehave, 'exit')
    const waiting = [pool.run(misbehave, 'answer'), pool.run(misbehave, 'answer')]
    await assert.rejects(crashed, failsAs('crashed', /exited/))
    assert.equal((await Promise.all(waiting)).length, 2)
  })

  it('may run out of memory without the service doing so', slow, async () => {
    await assert.rejects(pool.run(misbehave, 'exhaust memory'), failsAs('crashed', /memory/))
    assert.ok((await pool.run(misbehave, 'answer')) > 0)
  })

  it('are ended when they take too long, also in a loop that never ends', async () => {
    for (const deed of ['spin', 'sleep'] as const) {
      await assert.rejects(pool.run(misbehave, deed, { timeoutMs: 50 }), failsAs('timed out', /50 ms/))
    }
    assert.ok((await pool.run(misbehave, 'answer')) > 0)
  })

  it('are ended by their signal, whether they run or wait', async () => {
    const running = new AbortController()
    const waiting = new AbortController()
    const runs = pool.run(misbehave, 'sleep', { signal: running.signal })
    const waits = pool.run(misbehave, 'answer', { signal: waiting.signal })
    waiting.abort(new Error('not wanted'))
    await assert.rejects(waits, /not wanted/)
    running.abort(new Error('not wanted either'))
    await assert.rejects(runs, /not wanted either/)
    await assert.rejects(pool.run(misbehave, 'answer', { signal: running.signal }), /not wanted either/)
    assert.ok((await pool.run(misbehave, 'answer')) > 0)
  })

  // Within half a minute of threads that are ended while they require an ES module, Node.js 20 aborts the process.
  it('begin with a script that is no ES module, since Piscina requires it', () => {
    const entry = new URL('../../core-plugins/foundation/threads/run-task.cjs', import.meta.url)
    assert.equal(typeof createRequire(import.meta.url)(fileURLToPath(entry)), 'function')
  })

  it('are no failures of their own when the service stops', async () => {
    const stopping = createTaskPool({ maxThreads: 1, maxQueue: 3 })
    await stopping.run(misbehave, 'answer')
    const running = stopping.run(misbehave, 'sleep')
    const waiting = stopping.run(misbehave, 'answer')
    const isTold = (error: unknown) => error instanceof AppError && error.reason === 'stopping'
    const refused = [assert.rejects(running, isTold), assert.rejects(waiting, isTold)]
    await stopping.close()
    await Promise.all(refused)
    await assert.rejects(stopping.run(misbehave, 'answer'), isTold)
  })

  it('are refused with a 503 when too many wait', async () => {
    const controller = new AbortController()
    const running = pool.run(misbehave, 'sleep', { signal: controller.signal })
    const waiting = Array.from({ length: 3 }, () => pool.run(misbehave, 'answer'))
    await assert.rejects(pool.run(misbehave, 'answer'), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.status, 503)
      return true
    })
    controller.abort()
    await assert.rejects(running)
    assert.equal((await Promise.all(waiting)).length, 3)
  })
})
