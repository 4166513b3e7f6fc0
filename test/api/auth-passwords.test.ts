import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPasswordHasher } from '../../core-plugins/accounts/auth/passwords/password-hash.ts'
import { createPasswordRules } from '../../core-plugins/accounts/auth/passwords/password-rules.ts'
import { usernameLike } from '../../core-plugins/accounts/auth/sign-in/content-user-sign-in.ts'
import type { Config, Setting } from '../../core-plugins/foundation/config/config.ts'
import { slow } from '../support/scope.ts'

const defaults = { get: <T>(setting: Setting<T>) => setting.default } as Config

describe('password hasher', () => {
  const hasher = createPasswordHasher()

  it('hashes with argon2id and a salt of its own each time', async () => {
    const [first, second] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')])
    assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.notEqual(first, second)
    assert.ok(await hasher.matches(first, 'correct horse'))
    assert.ok(!(await hasher.matches(first, 'correct horsf')))
  })

  it('takes composed and decomposed characters for the same', async () => {
    assert.ok(await hasher.matches(await hasher.hash('caf\u00e9 noir'), 'cafe\u0301 noir'))
  })

  it('says no without a hash and with a damaged one', async () => {
    assert.equal(await hasher.matches(undefined, 'anything'), false)
    assert.equal(await hasher.matches('$argon2id$nonsense', 'anything'), false)
  })

  it('works as hard without a hash as with one', slow, async () => {
    const known = await hasher.hash('correct horse')
    const time = async (hash: string | undefined) => {
      const startedAt = process.hrtime.bigint()
      await hasher.matches(hash, 'wrong horse')
      return Number(process.hrtime.bigint() - startedAt) / 1e6
    }
    await time(undefined)
    const pairs = []
    for (let round = 0; round < 9; round++)
      pairs.push([await time(known), await time(round % 2 === 0 ? undefined : '')] as const)
    const median = (values: number[]) => values.sort((left, right) => left - right)[4] ?? 0
    const ratio = median(pairs.map(([, without]) => without)) / median(pairs.map(([with_]) => with_))
    assert.ok(ratio > 0.5 && ratio < 2, `ratio ${ratio}`)
  })
})

describe('password rules', () => {
  const check = createPasswordRules(defaults)
  const codes = async (password: string) =>
    (await check({ password, identifiers: ['Jane@Example.com', 'jane-of-arc'], path: 'password' })).map(
      ({ code }) => code,
    )

  it('want 8 to 128 characters, counted as people count', async () => {
    assert.deepEqual(await codes('k3 h7q!'), ['minLength'])
    assert.deepEqual(await codes('k3 h7q!x'), [])
    assert.deepEqual(await codes('😀😀😀😀'), ['minLength'])
    assert.deepEqual(await codes('x!'.repeat(64)), [])
    assert.deepEqual(await codes(`${'x!'.repeat(64)}x`), ['maxLength'])
  })

  it('refuse the identifiers in any case', async () => {
    assert.deepEqual(await codes('jane@example.com'), ['identifier'])
    assert.deepEqual(await codes('JANE-of-arc'), ['identifier'])
  })

  it('refuse the most common passwords in any case', async () => {
    for (const password of ['password', 'PassWord', '12345678', 'baseball', 'trustno1']) {
      assert.deepEqual(await codes(password), ['common'], password)
    }
  })

  it('tell all problems at once', async () => {
    assert.deepEqual(await codes('123456'), ['minLength', 'common'])
  })
})

describe('names made of what others call somebody', () => {
  it('are like it, and allowed', () => {
    const cases: [string, string][] = [
      ['Ann Lee', 'Ann Lee'],
      ['  Ann \t\n Lee ', 'Ann Lee'],
      ['ann@example.com', 'annexample.com'],
      ['Ann @ Lee', 'Ann Lee'],
      ['A\u200bnn', 'Ann'],
      ['Jose\u0301', 'Jos\u00e9'],
      ['', 'user'],
      ['@\u0000', 'user'],
      [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
      ['\u{1f600}'.repeat(80), '\u{1f600}'.repeat(60)],
    ]
    for (const [name, username] of cases) assert.equal(usernameLike(name), username)
  })
})
