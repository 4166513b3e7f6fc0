import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { repeat } from '../../kernel/index.ts'
import { until } from '../support/until.ts'

const onError = (error: unknown) => assert.fail(String(error))

describe('repeat', () => {
  it('does a task again and again, also after it failed', async () => {
    const errors: unknown[] = []
    let times = 0
    const repetition = repeat(
      () => {
        times++
        throw new Error(`failure ${times}`)
      },
      { everyMs: 1, onError: (error) => errors.push(error) },
    )
    await until(() => times >= 3 && errors.length >= 3)
    await repetition.stop()
    assert.match(String(errors[0]), /failure 1/)
  })

  it('never does it twice at the same time', async () => {
    let running = 0
    let most = 0
    let times = 0
    const repetition = repeat(
      async () => {
        running++
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running--
        times++
      },
      { everyMs: 3_600_000, onError },
    )
    for (let number = 0; number < 5; number++) repetition.runNow()
    await until(() => times === 5)
    await repetition.stop()
    assert.equal(most, 1)
  })

  it('ends what is under way when it is stopped, and does it no more', async () => {
    let times = 0
    let hasEnded = false
    const repetition = repeat(
      async (signal) => {
        times++
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)))
        hasEnded = true
      },
      { everyMs: 3_600_000, onError },
    )
    repetition.runNow()
    repetition.runNow()
    await until(() => times === 1)
    await repetition.stop()
    assert.equal(hasEnded, true)
    repetition.runNow()
    await new Promise(setImmediate)
    assert.equal(times, 1)
  })
})
