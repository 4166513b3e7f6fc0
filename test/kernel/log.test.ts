import assert from 'node:assert/strict'
import { it } from 'node:test'
import { silentLog } from '../../kernel/index.ts'

it('the silent log takes every line and has children that are silent too', () => {
  const child = silentLog.child({ plugin: 'app' })
  for (const log of [silentLog, child]) {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      assert.equal(log[level]({}, 'line'), undefined)
    }
  }
})
