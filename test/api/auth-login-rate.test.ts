import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loginMaxPerAddress, loginMaxPerNetwork } from '../../core-plugins/accounts/auth/settings.ts'
import { createLoginRate } from '../../core-plugins/accounts/auth/sign-in/login-rate.ts'
import type { Config, Setting } from '../../core-plugins/foundation/config/config.ts'

const configOf = (values: ReadonlyMap<Setting<never>, unknown>) =>
  ({ get: (setting: Setting<never>) => values.get(setting) ?? setting.default }) as unknown as Config

describe('the rate of logins', () => {
  const limits = new Map<Setting<never>, unknown>([
    [loginMaxPerAddress as never, 2],
    [loginMaxPerNetwork as never, 3],
  ])
  let nowMs = 0
  const start = () => createLoginRate(configOf(limits), () => nowMs)

  it('is limited for a minute, and then no more', () => {
    nowMs = 1_000_000
    const rate = start()
    rate.begin('192.0.2.1')
    nowMs += 20_000
    rate.begin('192.0.2.1')
    assert.throws(
      () => rate.begin('192.0.2.1'),
      (error: { code: string; headers: Record<string, string> }) => {
        assert.equal(error.code, 'RATE_LIMITED')
        assert.deepEqual(error.headers, {
          ...{ 'retry-after': '40', 'ratelimit-limit': '2' },
          ...{ 'ratelimit-remaining': '0', 'ratelimit-reset': '40' },
        })
        return true
      },
    )
    nowMs += 39_999
    assert.throws(() => rate.begin('192.0.2.1'), /again in 1 s/)
    nowMs += 1
    rate.begin('192.0.2.1')
  })

  it('counts what is taken back no more, nor in a later minute', () => {
    nowMs = 1_000_000
    const rate = start()
    const takeBack = rate.begin('192.0.2.1')
    rate.begin('192.0.2.1')
    takeBack()
    const late = rate.begin('192.0.2.1')
    assert.throws(() => rate.begin('192.0.2.1'))
    nowMs += 60_000
    late()
    for (let count = 0; count < 2; count++) rate.begin('192.0.2.1')
    assert.throws(() => rate.begin('192.0.2.1'))
  })

  it('is limited for a network as well, and not for this machine', () => {
    const rate = start()
    for (const last of [1, 2, 3]) rate.begin(`192.0.2.${last}`)
    assert.throws(() => rate.begin('192.0.2.4'), /too many failed logins/)
    rate.begin('192.0.3.1')
    for (let count = 0; count < 10; count++) rate.begin('127.0.0.1')()
  })
})
