import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createProbe } from '../../core-plugins/foundation/signals/probe.ts'
import { recordingLog } from '../support/recording-log.ts'

it('a connection of signals is lost with a warning, and closed without one', () => {
  const { log, lines } = recordingLog()
  const probe = createProbe({
    send: async () => undefined,
    restart: () => undefined,
    onConnected: () => undefined,
    log,
  })
  const warnings = () => lines.filter(({ level }) => level === 'warn').length
  probe.heard()
  probe.lost()
  assert.equal(warnings(), 1)
  probe.heard()
  probe.stop()
  probe.lost()
  assert.deepEqual([warnings(), probe.isConnected], [1, false])
})
