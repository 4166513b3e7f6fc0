import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { cookieToken, createSessionCookie } from '../../core-plugins/accounts/auth/sessions/session-cookie.ts'
import { createKnownDevices } from '../../core-plugins/accounts/auth/sign-in/known-devices.ts'
import type { AuthenticatorRequest } from '../../core-plugins/foundation/http/http.ts'

describe('the session cookie', () => {
  const request = (cookie: string | undefined, method = 'GET', session: string | undefined = 'cookie') =>
    ({ route: { method, session }, header: () => cookie }) as unknown as AuthenticatorRequest

  it('is for the whole site, and for encrypted connections only where there are such', () => {
    const open = createSessionCookie(60, false)
    assert.equal(open.set('a.b.c'), 'mortise_session=a.b.c; Path=/; Max-Age=60; HttpOnly; SameSite=Strict')
    assert.equal(open.clear(), 'mortise_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict')
    assert.match(createSessionCookie(60, true).set('a'), /; SameSite=Strict; Secure$/)
  })

  it('is found among others, and not in part of one', () => {
    const cases: [string | undefined, string | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['mortise_session=a-B_9.c', 'a-B_9.c'],
      ['x=1; mortise_session=abc; y=2', 'abc'],
      ['x=1;mortise_session=abc;y=2', 'abc'],
      ['x=1;   mortise_session=abc', 'abc'],
      ['x_mortise_session=abc', undefined],
      ['x=1 mortise_session=abc', undefined],
      ['mortise_session=', undefined],
      ['mortise_session=a b', undefined],
      ['mortise_session="abc"', undefined],
    ]
    for (const [cookie, token] of cases) assert.equal(cookieToken(request(cookie)), token, cookie)
  })

  it('counts where a browser goes by itself, and nowhere else', () => {
    const cookie = 'mortise_session=abc'
    assert.equal(cookieToken(request(cookie, 'GET', 'cookie')), 'abc')
    for (const [method, session] of [
      ['POST', 'cookie'],
      ['GET', 'none'],
    ] as const) {
      assert.equal(cookieToken(request(cookie, method, session)), undefined, method)
    }
  })
})

describe('known devices', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: nowMs }))
  afterEach(() => mock.timers.reset())

  const devices = createKnownDevices(Buffer.from('a key'), false)
  const cookieOf = (setCookie: string) => setCookie.split(';', 1)[0] ?? ''

  it('are known by their cookie, among others, by the name that they have got', () => {
    const set = devices.remember(7, undefined)
    assert.match(set, /; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
    const cookie = cookieOf(set)
    const device = devices.read(cookie)
    assert.equal(device?.accountId, 7)
    assert.match(device?.name ?? '', /^[\w-]{16}$/)
    for (const header of [`x=1; ${cookie}`, `x=1;${cookie};y=2`, `${cookie}; y=2`]) {
      assert.deepEqual(devices.read(header), device, header)
    }
    assert.deepEqual(devices.read(cookieOf(devices.remember(7, device?.name))), device)
    assert.notEqual(devices.read(cookieOf(devices.remember(7, undefined)))?.name, device?.name)
  })

  it('are unknown without a cookie, with that of another key, or a damaged one', () => {
    const cookie = cookieOf(devices.remember(7, 'name'))
    const foreign = createKnownDevices(Buffer.from('another key'), false).remember(7, 'name')
    for (const header of [
      ...[undefined, '', cookieOf(foreign), `x_${cookie}`, `${cookie}x`, cookie.slice(0, -1), `x ${cookie}`],
      cookie.replace('=7.', '=8.'),
      'mortise_device=',
      'mortise_device=7.name.9999999999.',
    ]) {
      assert.equal(devices.read(header), undefined, header)
    }
  })

  it('are known for half a year', () => {
    const cookie = cookieOf(devices.remember(7, 'name'))
    mock.timers.tick(180 * 86_400_000 - 1000)
    assert.deepEqual(devices.read(cookie), { accountId: 7, name: 'name' })
    mock.timers.tick(1000)
    assert.equal(devices.read(cookie), undefined)
  })

  it('keep their cookie to encrypted connections where there are such', () => {
    assert.match(createKnownDevices(Buffer.from('a key'), true).remember(7, 'name'), /; Secure$/)
  })
})
