import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { docsService } from '../../core-plugins/delivery/docs/docs.ts'
import { newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

async function errorsOf(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
}

/** What `redocly lint` finds wrong by its recommended rules, which many check documents by. */
describe('the API document, read by Redocly', slow, () => {
  let service: TestService

  before(async () => {
    service = await startService({ env: { SVC_MCP_ENABLED: 'true' } })
  })
  after(() => service?.stop())

  const readBy = async (token: string) =>
    (await createClient(service.url, token).get('/api/_docs/openapi.json')).body

  it('has no errors as a whole', async () => {
    assert.deepEqual(await errorsOf(service.kernel.get(docsService).document()), [])
  })

  it('has no errors for any kind of caller', async () => {
    const callers = {
      'super-admin': await newAdmin(service, 'super-admin'),
      editor: await newAdmin(service, 'editor'),
      user: await newUser(service),
      reader: await newApiToken(service, ['content:read']),
      writer: await newApiToken(service, ['content:read', 'content:write', 'media:write']),
      operator: await newApiToken(service, ['admin:*']),
    }
    for (const [name, { token }] of Object.entries(callers)) {
      const document = await readBy(token)
      assert.ok(Object.keys(document.paths).length > 10, name)
      assert.deepEqual(await errorsOf(document), [], name)
    }
  })
})
