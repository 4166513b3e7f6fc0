import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { startAttempt } from '../../core-plugins/background/jobs/attempt.ts'
import type { ClaimedJob } from '../../core-plugins/background/jobs/claims.ts'
import { type JobKind, UnretriableJobError } from '../../core-plugins/background/jobs/jobs.ts'
import { createKinds } from '../../core-plugins/background/jobs/kinds.ts'
import { silentLog } from '../../kernel/index.ts'
import { testKind, type Work } from './jobs-world.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const hourMs = 3_600_000

/** An attempt with a clock that only a test moves. */
function start(
  work: Work,
  options: Partial<JobKind<{ value?: unknown }>> = {},
  more: Partial<ClaimedJob> = {},
) {
  const { kind, does } = testKind('test.work', options)
  does(work)
  const all = [kind as JobKind]
  const job: ClaimedJob = {
    ...{ id: 1, name: kind.name, mailbox: null, lane: null, payload: { value: 7 }, deaths: null },
    ...{ attempts: 1, maxAttempts: 3, createdAt: new Date(nowMs).toISOString(), ...more },
  }
  return startAttempt(
    job,
    kind as JobKind,
    createKinds(() => all),
    silentLog,
  )
}

const fails: Work = () => {
  throw new Error('broken')
}
const never: Work = () => new Promise(() => undefined)
const untilStopped: Work = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

describe('an attempt', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: nowMs }))
  afterEach(() => mock.timers.reset())

  it('ends with what the work answers, as JSON would keep it', async () => {
    assert.deepEqual(await start((value) => ({ value, gone: undefined })).ended, {
      status: 'completed',
      result: { value: 7 },
    })
    assert.deepEqual(await start(() => undefined).ended, { status: 'completed', result: null })
    assert.deepEqual(await start(() => 0).ended, { status: 'completed', result: 0 })
  })

  it('runs nothing with a payload that does not fit any more', async () => {
    const ran: unknown[] = []
    const outcome = await start((value) => ran.push(value), {}, { payload: { other: 1 } }).ended
    assert.deepEqual([outcome?.status, ran], ['waiting', []])
  })

  /** How long a job waits after this many failed attempts. */
  async function waitAfter(attempts: number, options: Partial<JobKind> = {}) {
    const outcome = await start(fails, { retryDelayMs: undefined, ...options } as never, {
      attempts,
      maxAttempts: 100,
    }).ended
    assert.equal(outcome?.status, 'waiting')
    return outcome?.status === 'waiting' ? Date.parse(outcome.runAt) - nowMs : Number.NaN
  }

  it('is made again after a pause that grows fourfold, to ten minutes', async () => {
    const expected = [1_000, 4_000, 16_000, 64_000, 256_000, 600_000, 600_000]
    for (const [index, ms] of expected.entries()) {
      const waited = []
      for (let count = 0; count < 20; count++) waited.push(await waitAfter(index + 1))
      const [least, most] = [Math.min(...waited), Math.max(...waited)]
      assert.ok(least >= ms * 0.75 && most <= ms * 1.25, `${least} to ${most} for ${ms}`)
      assert.ok(new Set(waited).size > 1, 'jobs that failed together come back one by one')
    }
  })

  it('is made again after the pause that its kind wants', async () => {
    assert.equal(await waitAfter(3, { retryDelayMs: (attempts) => attempts * 100 }), 300)
  })

  it('is the last one where none is left, or where another would not help', async () => {
    const failed = { status: 'failed', error: 'broken' }
    assert.deepEqual(await start(fails, {}, { attempts: 3 }).ended, failed)
    assert.deepEqual(await start(fails, {}, { attempts: 4 }).ended, failed)
    assert.equal((await start(fails, {}, { attempts: 2 }).ended)?.status, 'waiting')
    const hopeless = start(() => {
      throw new UnretriableJobError('broken')
    })
    assert.deepEqual(await hopeless.ended, failed)
  })

  it('tells what was thrown that is no error', async () => {
    const outcome = await start(() => Promise.reject('a string'), {}, { attempts: 3 }).ended
    assert.deepEqual(outcome, { status: 'failed', error: 'a string' })
  })

  it('ends as whoever stops it wants', async () => {
    const cancelled = start(untilStopped)
    cancelled.stop('cancelled')
    // The first reason counts.
    cancelled.stop('shutdown')
    assert.deepEqual(await cancelled.ended, {
      status: 'cancelled',
      error: 'the job was stopped: cancelled',
    })
    const handedBack = start(untilStopped)
    handedBack.stop('shutdown')
    assert.deepEqual(await handedBack.ended, { status: 'handedBack' })
    const lost = start(untilStopped)
    lost.stop('leaseLost')
    assert.equal(await lost.ended, undefined)
  })

  it('keeps what the work answers though it was asked to stop', async () => {
    const done = start(async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return 'all the same'
    })
    done.stop('cancelled')
    assert.deepEqual(await done.ended, { status: 'completed', result: 'all the same' })
  })

  it('is stopped after the time of its kind, or an hour, and counts as failed', async () => {
    for (const [timeoutMs, limitMs] of [
      [50, 50],
      [undefined, hourMs],
    ] as const) {
      const attempt = start(untilStopped, timeoutMs === undefined ? {} : { timeoutMs })
      const ended: unknown[] = []
      void attempt.ended.then((outcome) => ended.push(outcome))
      mock.timers.tick(limitMs - 1)
      await Promise.resolve()
      assert.deepEqual(ended, [])
      mock.timers.tick(1)
      const outcome = await attempt.ended
      assert.equal(outcome?.status, 'waiting')
      assert.equal(outcome?.status === 'waiting' && outcome.error, 'the job was stopped: timeout')
    }
  })

  it('is left to itself ten seconds after it was asked to stop', async () => {
    const attempt = start(never, {}, { attempts: 3 })
    const ended: unknown[] = []
    void attempt.ended.then((outcome) => ended.push(outcome))
    attempt.stop('timeout')
    mock.timers.tick(9_999)
    await new Promise(setImmediate)
    assert.deepEqual(ended, [])
    mock.timers.tick(1)
    assert.deepEqual(await attempt.ended, { status: 'failed', error: 'did not stop within 10000 ms' })
  })

  it('leaves no clock ticking behind', async () => {
    let signal: AbortSignal | undefined
    const attempt = start((_, context) => {
      signal = context.signal
    })
    await attempt.ended
    mock.timers.tick(2 * hourMs)
    assert.equal(signal?.aborted, false)
  })

  it('tells its progress once, in whole per cent', async () => {
    let report: (percent: number) => void = () => undefined
    const attempt = start((_, { reportProgress, signal }) => {
      report = reportProgress
      return untilStopped(undefined, { signal } as never)
    })
    await Promise.resolve()
    assert.equal(attempt.takeProgress(), undefined)
    for (const [percent, told] of [
      [42.4, 42],
      [-5, 0],
      [250, 100],
    ] as const) {
      report(percent)
      assert.equal(attempt.takeProgress(), told)
      assert.equal(attempt.takeProgress(), undefined)
    }
    attempt.stop('cancelled')
    await attempt.ended
  })
})
