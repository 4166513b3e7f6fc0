import assert from 'node:assert/strict'
import { it } from 'node:test'
import { anySignal } from '../../kernel/index.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { until } from '../support/until.ts'

it('a composed signal fires with a timeout that nobody else holds, whatever was collected', async () => {
  let reason: unknown
  // In a function of its own, so that nothing of it is left on the stack.
  const listen = () => {
    const signal = anySignal(AbortSignal.timeout(300), new AbortController().signal, undefined)
    signal.addEventListener('abort', () => {
      reason = signal.reason
    })
  }
  listen()
  await new Promise(setImmediate)
  collectGarbage()
  await new Promise(setImmediate)
  collectGarbage()
  // Keeps the process alive, as the timer of a signal does not.
  await until(() => reason !== undefined)
  assert.equal((reason as Error).name, 'TimeoutError')
})

it('a composed signal is aborted if one of its own is already', () => {
  assert.equal(anySignal(undefined, AbortSignal.abort('over')).reason, 'over')
  assert.equal(anySignal().aborted, false)
})
