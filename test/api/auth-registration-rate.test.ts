import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, goodPassword, newNames, newUser } from './auth-callers.ts'

describe('registrations from many places', () => {
  let service: TestService
  let taken = ''
  before(async () => {
    const env = {
      SVC_SERVER_TRUST_PROXY: 'loopback',
      SVC_SECURITY_REGISTRATION_MAX_PER_ADDRESS: '6',
      SVC_SECURITY_REGISTRATION_MAX_TAKEN_PER_ADDRESS: '3',
    }
    service = await startService({ env })
    taken = (await newUser(service)).email
  })
  after(() => service.stop())

  const register = (from: string, more: object = {}) => {
    const body = { ...newNames(), password: goodPassword, ...more }
    return service.post('/api/auth/register', body, { headers: { 'x-forwarded-for': from } })
  }

  it('are limited by address where they are refused since something is taken', async () => {
    for (let count = 0; count < 3; count++) {
      expectStatus(await register('192.0.2.1', { email: taken }), 409)
    }
    const refused = expectStatus(await register('192.0.2.1', { email: taken }), 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 60)
    // Or it would tell that the address is free.
    expectStatus(await register('192.0.2.1'), 429)
    expectStatus(await register('192.0.2.2'), 201)
  })

  it('are limited by address whatever comes of them', async () => {
    for (let count = 0; count < 6; count++) expectStatus(await register('192.0.3.1'), 201)
    expectStatus(await register('192.0.3.1'), 429)
    expectStatus(await register('192.0.3.2'), 201)
  })

  it('are limited for the network around the address', async () => {
    for (let last = 0; last < 15; last++) {
      expectStatus(await register(`192.0.4.${last}`, { email: taken }), 409)
    }
    expectStatus(await register('192.0.4.100', { email: taken }), 429)
  })

  it('are limited where many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => register('192.0.5.1', { email: taken })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [409, 409, 409, 429, 429, 429])
  })

  it('are not counted from this machine', async () => {
    for (let count = 0; count < 8; count++) {
      const body = { ...newNames(), email: taken, password: goodPassword }
      expectStatus(await service.post('/api/auth/register', body), 409)
    }
  })
})

describe('the names of roles', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const create = (name: string) =>
    service.admin.post('/api/admin/roles', { name, permissions: { content: {}, media: {} } })

  it('are refused where they look like another one', async () => {
    const { id } = expectStatus(await create('Straße 1'), 201).body.data
    for (const name of [
      'STRASSE 1',
      'straße 1',
      'Straße １',
      'Stra\u00adße 1'.normalize('NFC'),
      'Ｓuper-Admin',
    ]) {
      const answer = await create(name)
      assert.ok(
        answer.status === 409 || (answer.status === 400 && /\p{C}/u.test(name)),
        `${name} ${answer.status}`,
      )
    }
    const other = expectStatus(await create('other'), 201).body.data
    const path = (role: number) => `/api/admin/roles/${role}`
    const refused = expectStatus(await service.admin.put(path(other.id), { name: 'strasse 1' }), 409)
    assert.equal(refused.body.error.details[0].path, 'name')
    assert.match(refused.body.error.message, /looks like the role Straße 1/)
    expectStatus(await service.admin.put(path(id), { name: 'STRASSE 1' }), 200)
    expectStatus(await service.admin.put(path(other.id), { description: 'x' }), 200)
  })
})
