import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSessionTokens, sessionEnd } from '../../core-plugins/accounts/auth/sessions/session-tokens.ts'

const secret = 'a secret of this test'
const tokens = createSessionTokens(secret, 60)
const account = { kind: 'admin', id: 7, role: 'editor', tokenVersion: 3 } as const

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function forge(header: object, claims: object, key = secret, hash = 'sha256'): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
const goodClaims = () => ({
  ...{ sub: '7', typ: 'admin', role: 'editor', ver: 3, jti: 'id', iat: nowSeconds(), exp: nowSeconds() + 60 },
})
const header = { alg: 'HS256', typ: 'JWT' }

describe('session tokens', () => {
  it('carry the documented claims', () => {
    const { token, expiresAt } = tokens.sign(account)
    const claims = tokens.verify(token)
    assert.ok(claims)
    assert.deepEqual(Object.keys(claims).sort(), ['exp', 'iat', 'jti', 'role', 'sub', 'typ', 'ver'])
    assert.deepEqual([claims.sub, claims.typ, claims.role, claims.ver], ['7', 'admin', 'editor', 3])
    assert.equal(claims.exp - claims.iat, 60)
    assert.equal(Date.parse(expiresAt), claims.exp * 1000)
    assert.notEqual(tokens.verify(tokens.sign(account).token)?.jti, claims.jti)
  })

  it('may be brief, and never outlive their session', () => {
    const session = tokens.verify(tokens.sign(account).token)
    assert.ok(session)
    const brief = tokens.verify(tokens.signBrief(session, 10).token)
    assert.ok(brief)
    assert.deepEqual([brief.exp - brief.iat, brief.until, brief.jti], [10, session.exp, session.jti])
    const again = tokens.verify(tokens.signBrief(brief, 900).token)
    assert.deepEqual([again?.exp, again?.until], [session.exp, session.exp])
    assert.equal(sessionEnd(brief), session.exp)
    assert.equal(tokens.verify(forge(header, { ...goodClaims(), until: 'later' })), undefined)
  })

  it('are accepted when well signed', () => {
    assert.ok(tokens.verify(forge(header, goodClaims())))
  })

  it('are refused when tampered with, signed otherwise, unsigned or expired', () => {
    const [head = '', body = '', signature = ''] = tokens.sign(account).token.split('.')
    const raised = encode({ ...goodClaims(), role: 'super-admin', sub: '1' })
    const bad = {
      'another payload': `${head}.${raised}.${signature}`,
      'another signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'no signature': `${head}.${body}.`,
      'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      'alg none, signed': forge({ alg: 'none', typ: 'JWT' }, goodClaims()),
      HS384: forge({ alg: 'HS384', typ: 'JWT' }, goodClaims(), secret, 'sha384'),
      HS512: forge({ alg: 'HS512', typ: 'JWT' }, goodClaims(), secret, 'sha512'),
      RS256: forge({ alg: 'RS256', typ: 'JWT' }, goodClaims()),
      'another key': forge(header, goodClaims(), 'another secret'),
      expired: forge(header, { ...goodClaims(), exp: nowSeconds() - 1 }),
      'no expiry': forge(header, { ...goodClaims(), exp: undefined }),
      'no version': forge(header, { ...goodClaims(), ver: undefined }),
      'another kind': forge(header, { ...goodClaims(), typ: 'robot' }),
      'a subject that is no id': forge(header, { ...goodClaims(), sub: '1 or 1=1' }),
      'not yet': forge(header, { ...goodClaims(), nbf: nowSeconds() + 60 }),
      nothing: '',
      garbage: 'a.b.c',
    }
    for (const [what, token] of Object.entries(bad)) assert.equal(tokens.verify(token), undefined, what)
  })
})
