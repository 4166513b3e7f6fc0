import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client'
import { newUser } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const env = { SVC_MCP_ENABLED: 'true' }
const issuer = 'https://id.example.com'
const wellKnown = '/.well-known/oauth-protected-resource'

async function withService(
  settings: Record<string, string>,
  test: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService({ env: { ...env, ...settings } })
  try {
    await test(service)
  } finally {
    await service.stop()
  }
}

function ask(service: TestService, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}/api/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
}

describe('agents without a token', () => {
  it('are told nothing of authorization servers where the owner has named none', slow, () =>
    withService({}, async (service) => {
      assert.equal((await ask(service)).headers.get('www-authenticate'), 'Bearer')
      for (const path of [wellKnown, `${wellKnown}/api/mcp`]) {
        assert.equal((await fetch(service.url + path)).status, 404, path)
      }
    }),
  )

  it('find out where to get one', () =>
    withService({ SVC_MCP_AUTHORIZATION_SERVERS: issuer }, async (service) => {
      for (const headers of [{}, { authorization: 'Bearer expired' }]) {
        const refused = await ask(service, headers)
        assert.equal(refused.status, 401)
        const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused)
        assert.equal(resourceMetadataUrl?.href, `${service.url}${wellKnown}/api/mcp`)
      }
      const expected = {
        resource: `${service.url}/api/mcp`,
        resource_name: 'Mortise',
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      }
      const address = `${service.url}/api/mcp`
      assert.deepEqual(await discoverOAuthProtectedResourceMetadata(address), expected)
      const atRoot = await fetch(service.url + wellKnown)
      assert.equal(atRoot.headers.get('content-type'), 'application/json')
      assert.deepEqual(await atRoot.json(), expected)
      const { token } = await newUser(service)
      const forbidden = await ask(service, { authorization: `Bearer ${token}` })
      assert.deepEqual([forbidden.status, forbidden.headers.get('www-authenticate')], [403, null])
    }))

  it('are told the public address of the service, not the one that they name', () =>
    withService(
      {
        SVC_MCP_AUTHORIZATION_SERVERS: `${issuer},http://localhost:8080/realms/main`,
        SVC_SITE_PANEL_URL: 'https://cms.example.com/admin',
      },
      async (service) => {
        const refused = await ask(service, { host: 'evil.example' })
        const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused)
        assert.equal(resourceMetadataUrl?.href, `https://cms.example.com${wellKnown}/api/mcp`)
        const told = await (await fetch(`${service.url}${wellKnown}/api/mcp`)).json()
        assert.equal((told as { resource: string }).resource, 'https://cms.example.com/api/mcp')
      },
    ))

  it('are sent below the path of the service, where it has one', () =>
    withService(
      { SVC_MCP_AUTHORIZATION_SERVERS: issuer, SVC_SITE_PANEL_URL: 'https://example.com/cms/' },
      async (service) => {
        const { resourceMetadataUrl } = extractWWWAuthenticateParams(await ask(service, {}))
        assert.equal(resourceMetadataUrl?.href, `https://example.com/cms${wellKnown}/api/mcp`)
        const told = await (await fetch(`${service.url}${wellKnown}/api/mcp`)).json()
        assert.equal((told as { resource: string }).resource, 'https://example.com/cms/api/mcp')
      },
    ))

  it('are sent to nothing that is no authorization server', async () => {
    for (const wrong of ['id.example.com', 'http://id.example.com', `${issuer}?a=1`, `${issuer}#a`]) {
      const start = withService({ SVC_MCP_AUTHORIZATION_SERVERS: wrong }, async () => {})
      await assert.rejects(start, /is not the address of an authorization server/, wrong)
    }
  })
})
