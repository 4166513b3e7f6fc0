import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../support/client.ts'
import { adminPassword } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, problemsOf } from './auth-callers.ts'

describe('a body with several problems', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** What a refusal names, by path. */
  const refused = (answer: Answer) => problemsOf(expectStatus(answer, 400))

  it('is told all of them at the registration', async () => {
    const problems = { email: 'format', username: 'pattern', password: 'minLength' }
    const body = { email: 'x', username: 'a@b', password: 'short' }
    assert.deepEqual(refused(await service.post('/api/auth/register', body)), problems)
    const further = { ...body, role: 'none', other: 1 }
    assert.deepEqual(refused(await service.admin.post('/api/admin/auth/register', further)), {
      ...problems,
      other: 'additionalProperties',
      role: 'unknown',
    })
    assert.deepEqual(
      refused(await service.admin.post('/api/admin/content-users', { ...body, role: 'editor' })),
      {
        ...problems,
        role: 'unknown',
      },
    )
  })

  it('is checked by those of its values that fit', async () => {
    const body = { email: 'somebody@example.com', username: 7, password: 'Somebody@example.com' }
    assert.deepEqual(refused(await service.post('/api/auth/register', body)), {
      username: 'type',
      password: 'identifier',
    })
    for (const sent of [[], 'x', null]) refused(await service.post('/api/auth/register', sent))
  })

  it('is not told which addresses are registered', async () => {
    const account = { email: 'known@example.com', username: 'known', password: 'a long password of a user' }
    expectStatus(await service.post('/api/auth/register', account), 201)
    const answers = ['known@example.com', 'other@example.com'].map((email) =>
      service.post('/api/auth/register', { email, username: 'a@b', password: 'short' }),
    )
    const [known, other] = (await Promise.all(answers)).map(refused)
    assert.deepEqual(known, other)
  })

  it('is told all of them when an account is changed', async () => {
    const editor = {
      email: 'e@example.com',
      username: 'editor',
      password: 'a long password 1',
      role: 'editor',
    }
    const { id } = expectStatus(await service.admin.post('/api/admin/auth/register', editor), 201).body.data
    const path = `/api/admin/users/${id}`
    const body = { blocked: 'no', password: 'E@example.com', role: 'none' }
    assert.deepEqual(refused(await service.admin.put(path, body)), {
      blocked: 'type',
      password: 'identifier',
      role: 'unknown',
    })
    expectStatus(await service.admin.put('/api/admin/users/999', body), 404)
  })

  it('is told all of them when a password is changed or reset', slow, async () => {
    const change = (body: object) => service.admin.post('/api/admin/auth/change-password', body)
    assert.deepEqual(refused(await change({ newPassword: 'short' })), {
      currentPassword: 'required',
      newPassword: 'minLength',
    })
    assert.deepEqual(refused(await change({ currentPassword: 'wrong', newPassword: 'wrong' })), {
      currentPassword: 'incorrect',
      newPassword: 'minLength',
    })
    const same = { currentPassword: adminPassword, newPassword: adminPassword }
    assert.deepEqual(refused(await change(same)), { newPassword: 'unchanged' })

    const reset = (body: object) => service.post('/api/auth/reset-password', body)
    assert.deepEqual(refused(await reset({ token: 'none', password: 'x', passwordConfirmation: 'y' })), {
      token: 'invalid',
      passwordConfirmation: 'mismatch',
    })
    assert.deepEqual(refused(await reset({ token: 'none', password: 5 })), {
      token: 'invalid',
      password: 'type',
      passwordConfirmation: 'required',
    })
    const email = 'reset@example.com'
    const account = { email, username: 'reset', password: 'a long password of a user' }
    expectStatus(await service.post('/api/auth/register', account), 201)
    const { resetToken: token } = (await service.post('/api/auth/forgot-password', { email })).body.data
    assert.deepEqual(refused(await reset({ token, password: 'short', passwordConfirmation: '' })), {
      password: 'minLength',
      passwordConfirmation: 'minLength',
    })
    const password = 'another long password'
    expectStatus(await reset({ token, password, passwordConfirmation: password }), 200)
  })

  it('is told all of them wherever a schema does not know everything', async () => {
    const token = { name: '', scopes: ['none'], expiresAt: '2020-01-01T00:00:00Z' }
    assert.deepEqual(refused(await service.admin.post('/api/admin/api-tokens', token)), {
      name: 'minLength',
      'scopes.0': 'unknown',
      expiresAt: 'past',
    })
    const role = { name: 5, permissions: { content: { none: { read: true } } } }
    const roleProblems = { name: 'type', 'permissions.content.none': 'unknown' }
    assert.deepEqual(refused(await service.admin.post('/api/admin/roles', role)), roleProblems)
    assert.deepEqual(refused(await service.admin.put('/api/admin/roles/1', role)), roleProblems)
    const webhook = { name: '', url: 'ftp://x', events: ['none'], content_types: ['none'] }
    const webhookProblems = {
      name: 'minLength',
      'events.0': 'unknown',
      url: 'url',
      'content_types.0': 'unknown',
    }
    assert.deepEqual(refused(await service.admin.post('/api/webhooks', webhook)), webhookProblems)
    const valid = {
      name: 'One',
      url: 'http://127.0.0.1/hook',
      events: ['entry.create'],
      secret: 'a long secret',
    }
    const made = expectStatus(await service.admin.post('/api/webhooks', valid), 201).body.data
    assert.deepEqual(refused(await service.admin.put(`/api/webhooks/${made.id}`, webhook)), webhookProblems)
    const release = { name: '', scheduledAt: '2020-01-01T00:00:00Z' }
    const releaseProblems = { name: 'pattern', scheduledAt: 'past' }
    const releases = '/api/admin/content-releases'
    assert.deepEqual(refused(await service.admin.post(releases, release)), releaseProblems)
    const { id } = expectStatus(await service.admin.post(releases, { name: 'One' }), 201).body.data
    assert.deepEqual(refused(await service.admin.put(`${releases}/${id}`, release)), releaseProblems)
    const job = { enabled: 'no', cronExpression: 'never' }
    assert.deepEqual(refused(await service.admin.put('/api/admin/scheduled-jobs/1', job)), {
      enabled: 'type',
      cronExpression: 'cron',
    })
  })

  it('is not checked where it would come to more problems than are told', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]))
    const { error } = expectStatus(
      await service.post('/api/auth/register', { ...unknown, password: 'short' }),
      400,
    ).body
    assert.equal(error.details.length, 100)
  })
})
