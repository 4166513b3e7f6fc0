import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, adminMiddleware } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus } from './auth-callers.ts'

/** Refuses what the handler has answered already, from as far outside as a plugin gets beside the audit log. */
const lateRefusal = definePlugin({
  name: 'late-refusal',
  description: 'Refuses after the handler',
  init({ contribute }) {
    contribute(adminMiddleware, {
      name: 'late refusal',
      order: -999,
      matches: ({ name }) => name === 'admin:api-tokens.create',
      async run(_, next) {
        await next()
        throw new AppError('CONFLICT', 'on second thoughts')
      },
    })
  },
})

describe('the audit log and other middleware', () => {
  let service: TestService
  before(async () => {
    service = await startService({ plugins: [lateRefusal] })
  })
  after(() => service?.stop())

  it('does not tell as done what another stage refuses in the end', async () => {
    const token = { name: 'x', scopes: ['content:read'] }
    expectStatus(await service.admin.post('/api/admin/api-tokens', token), 409)
    expectStatus(await service.admin.post('/api/admin/roles', { name: 'made' }), 201)
    const logs: { action: string }[] = (await service.admin.get('/api/admin/audit-logs')).body.data
    const actions = logs.map(({ action }) => action)
    assert.ok(actions.includes('role.create'))
    assert.ok(!actions.includes('api_token.create'))
  })
})
