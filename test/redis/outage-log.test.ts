import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { createOutageLog } from '../../core-plugins/foundation/redis/outage-log.ts'
import { recordingLog } from '../support/recording-log.ts'

it('an outage of Redis is told once when it has lasted, and once when it is over', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { log, lines } = recordingLog()
    const outages = createOutageLog(log)
    const said = () => lines.map(({ message }) => message)
    const [first, second] = [{}, {}]

    outages.lost(first, new Error('Command timed out'))
    mock.timers.tick(500)
    outages.back(first)
    mock.timers.tick(5_000)
    assert.deepEqual(said(), [], 'a moment is not told')

    outages.lost(first, new Error('first'))
    outages.forget(first)
    mock.timers.tick(5_000)
    assert.deepEqual(said(), [], 'nor is what was closed meanwhile')

    outages.lost(first, new Error('first'))
    outages.lost(second, new Error('second'))
    mock.timers.tick(1_000)
    outages.back(first)
    assert.deepEqual(said(), ['Redis cannot be reached; continuing without it and retrying'])
    outages.back(second)
    assert.deepEqual(said().slice(1), ['Redis is back'])
  } finally {
    mock.timers.reset()
  }
})
