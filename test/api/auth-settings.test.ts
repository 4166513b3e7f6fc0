import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  defaultAdminEmail,
  isInsecureSecret,
  jwtLifetime,
  jwtSecret,
  parseLifetime,
  passwordMaxLength,
  passwordMinLength,
} from '../../core-plugins/accounts/auth/settings.ts'

const get = <T>(setting: { default: T }): T => setting.default

describe('auth settings', () => {
  it('read lifetimes', () => {
    const cases = { '1s': 1, '15m': 900, '24h': 86_400, '7d': 604_800, '2w': 1_209_600, ' 90 m ': 5400 }
    for (const [text, seconds] of Object.entries(cases)) assert.equal(parseLifetime(text), seconds, text)
  })

  it('refuse lifetimes that are none', () => {
    for (const text of ['', '7', '0s', '-1d', '1.5h', '7 days', '1y', '999999999d', 'd', '7d7d']) {
      assert.equal(parseLifetime(text), undefined, text)
      assert.equal(jwtLifetime.check?.(text, 'development', get)?.severity, 'fatal', text)
    }
    assert.equal(jwtLifetime.check?.('7d', 'production', get), undefined)
  })

  it('check the secret as the specification says', () => {
    const severity = (secret: string, environment: 'development' | 'production') =>
      jwtSecret.check?.(secret, environment, get)?.severity
    for (const secret of ['', '  ', 'secret', 'Changeme', 'your-secret-key']) {
      assert.ok(isInsecureSecret(secret), secret)
      assert.equal(severity(secret, 'development'), 'warning', secret)
      assert.equal(severity(secret, 'production'), 'fatal', secret)
    }
    assert.equal(severity('k3J9-short', 'development'), undefined)
    assert.equal(severity('k3J9-short', 'production'), 'warning')
    assert.equal(severity('15-characters..', 'production'), 'warning')
    assert.equal(severity('16-characters...', 'production'), undefined)
    assert.equal(severity('k3J9-long-enough-for-this', 'production'), undefined)
  })

  it('never show the secret in a message', () => {
    const problem = jwtSecret.check?.('your-secret-key', 'production', get)
    assert.ok(problem && !problem.message.includes('your-secret-key'))
  })

  it('want an address for the first admin', () => {
    for (const email of ['root', '@localhost', 'root@', 'ro ot@localhost', 'a@b@c', 'x a@b', 'a@b x', '']) {
      assert.equal(defaultAdminEmail.check?.(email, 'development', get)?.severity, 'fatal', email)
    }
    for (const email of ['root@localhost', 'admin@example.com']) {
      assert.equal(defaultAdminEmail.check?.(email, 'development', get), undefined, email)
    }
  })

  it('let some password pass', () => {
    const severity = (setting: typeof passwordMinLength, value: number, other: number) =>
      setting.check?.(value, 'production', () => other as never)?.severity
    assert.equal(severity(passwordMinLength, 64, 64), undefined)
    assert.equal(severity(passwordMinLength, 65, 64), 'fatal')
    assert.equal(severity(passwordMaxLength, 64, 64), undefined)
    assert.equal(severity(passwordMaxLength, 64, 65), 'fatal')
  })
})
