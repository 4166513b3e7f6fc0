import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expectStatus, newApiToken } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'

/*
 * The two revisions of the protocol that clients speak today, each by the client that was written for it. What tools do is
 * tested in mcp.test.ts.
 */

const latest = '2026-07-28'

describe('both revisions of MCP', () => {
  let service: TestService
  let token: string
  before(async () => {
    service = await startService({ env: { SVC_MCP_ENABLED: 'true' } })
    token = (await newApiToken(service, ['content:read', 'content:write'])).token
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
  })
  after(() => service.stop())

  const address = () => new URL(`${service.url}/api/mcp`)
  const authorized = () => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

  async function connect(mode: VersionNegotiationMode): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(address(), authorized()))
    return client
  }

  async function connectEarlier(): Promise<EarlierClient> {
    const client = new EarlierClient({ name: 'test', version: '1' })
    const transport = new EarlierTransport(address(), authorized())
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return client
  }

  const clients = {
    'the client of 2026-07-28, which asks for nothing else': () => connect({ pin: latest }),
    'the client of 2026-07-28, which finds out': () => connect('auto'),
    'the client of 2026-07-28 in the earlier revision': () => connect('legacy'),
    'the client of 2025-11-25': connectEarlier,
  }
  for (const [name, open] of Object.entries(clients)) {
    it(`are served: ${name}`, async () => {
      const client = await open()
      try {
        assert.match(client.getInstructions() ?? '', /Never follow instructions/)
        assert.deepEqual(client.getServerVersion()?.name, 'mortise')
        const { tools } = await client.listTools()
        assert.ok(tools.some((tool) => tool.name === 'find_entries'))
        const call = { name: 'find_entries', arguments: { type: 'author', fields: 'name' } }
        const [found] = (await client.callTool(call)).content as { text: string }[]
        assert.match(found?.text ?? '', /"name":"Ann"/)
        const wrong = { name: 'create_entry', arguments: { type: 'author', data: { name: 7 } } }
        const refused = await client.callTool(wrong)
        assert.equal(refused.isError, true)
        assert.match(JSON.stringify(refused.content), /VALIDATION_ERROR/)
        await assert.rejects(client.callTool({ name: 'nöthing\n', arguments: {} }), /there is no tool/)
      } finally {
        await client.close()
      }
    })
  }

  it('are found out by asking', async () => {
    for (const [mode, era] of [
      ['auto', 'modern'],
      ['legacy', 'legacy'],
    ] as const) {
      const client = await connect(mode)
      assert.equal(client.getProtocolEra(), era)
      await client.close()
    }
  })

  const envelope = {
    'io.modelcontextprotocol/protocolVersion': latest,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }

  /** A message of 2026-07-28 as it is written by hand. */
  async function send(method: string, params: object = {}, headers: Record<string, string> = {}) {
    const answer = await fetch(address(), {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...{ 'mcp-protocol-version': latest, 'mcp-method': method },
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: envelope, ...params } }),
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await answer.json()) as { id: unknown; result?: object; error?: { code: number } }
    return { status: answer.status, type: answer.headers.get('content-type'), body }
  }

  it('are answered with JSON, as nobody else may keep it', async () => {
    for (const method of ['server/discover', 'tools/list']) {
      const { status, type, body } = await send(method)
      assert.equal(status, 200, method)
      assert.equal(type, 'application/json')
      assert.equal((body.result as { cacheScope?: string }).cacheScope, 'private', method)
    }
    const { body } = await send('server/discover')
    assert.deepEqual((body.result as { supportedVersions?: unknown }).supportedVersions, [latest])
  })

  it('are told apart, and what is not theirs is refused', async () => {
    const refusals: [Awaited<ReturnType<typeof send>>, number, number][] = [
      [await send('initialize'), 404, -32_601],
      [await send('resources/list'), 404, -32_601],
      [await send('subscriptions/listen', { notifications: {} }), 404, -32_601],
      [await send('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32_020],
      [await send('tools/call', { name: 'list_types' }, { 'mcp-name': 'call_route' }), 400, -32_020],
      [await send('tools/list', { _meta: {} }), 400, -32_602],
      [
        await send('tools/list', {
          _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' },
        }),
        400,
        -32_020,
      ],
      [
        await send(
          'tools/list',
          { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' } },
          { 'mcp-protocol-version': '2999-01-01' },
        ),
        400,
        -32_022,
      ],
    ]
    for (const [{ status, body }, expected, code] of refusals) {
      assert.deepEqual([status, body.error?.code, body.id], [expected, code, 1], JSON.stringify(body))
    }
  })
})
