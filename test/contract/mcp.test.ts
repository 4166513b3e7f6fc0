import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

/*
 * Agents as they come: the SDK's own client over HTTP. What a tool does is a request to a route, so what is tested here is
 * that nothing gets around it, and that what agents see is fit for them.
 */

interface Told {
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly details?: { path: string }[] }
  readonly [name: string]: unknown
}

interface Agent {
  readonly client: Client
  call(name: string, given?: Record<string, unknown>): Promise<Told>
  text(name: string, given?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
  tools(): Promise<Map<string, Awaited<ReturnType<Client['listTools']>>['tools'][number]>>
}

async function connect(service: TestService, token: string): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  const address = new URL(`${service.url}/api/mcp`)
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const text: Agent['text'] = async (name, given = {}) => {
    const answer = await client.callTool({ name, arguments: given })
    const [first] = answer.content as { type: string; text: string }[]
    assert.equal(first?.type, 'text')
    return { text: first?.text ?? '', isError: answer.isError === true }
  }
  return {
    client,
    text,
    async call(name, given) {
      const { text: json, isError } = await text(name, given)
      const told = JSON.parse(json) as Told
      assert.equal(isError, told.error !== undefined, json)
      return told
    },
    async tools() {
      const { tools } = await client.listTools()
      return new Map(tools.map((tool) => [tool.name, tool]))
    },
  }
}

async function connectWith(
  service: TestService,
  scopes: readonly string[],
  more: object = {},
): Promise<Agent> {
  return connect(service, (await newApiToken(service, scopes, more)).token)
}

const jsonOf = async (answer: Response) => (await answer.json()) as { error?: { code: number } }

/** The scope that each tool needs, as `docs/mcp.md` says. */
async function documentedTools(): Promise<Map<string, string>> {
  const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
  const table = page.split('| Tool | Scope |')[1]?.split('\n\n')[0] ?? ''
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, names = '', scope = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, scope.replaceAll('`', '')] as const),
    ),
  )
}

const idIn = ({ data }: Told) => (data as { id: number }).id

const env = { SVC_MCP_ENABLED: 'true' }

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

eachDatabase(({ name: database }) => {
  describe(`agents on ${database}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ database, env })
    })
    after(() => service.stop())

    it('find their way from the types to a published entry with a picture', slow, async () => {
      const scopes = ['content:read', 'content:write', 'content:publish', 'content:delete', 'media:write']
      const agent = await connectWith(service, scopes, { name: 'writer' })
      const types = (await agent.call('list_types')).data as { type: string; drafts: boolean }[]
      assert.equal(types.find(({ type }) => type === 'article')?.drafts, true)
      const described = (await agent.call('describe_type', { type: 'article' })).data as {
        schemas: Record<string, { required: string[] }>
        tools: string[]
      }
      assert.deepEqual(described.schemas['article.input']?.required, ['title', 'slug'])
      assert.ok(described.tools.includes('publish_entry'))

      const uploaded = await agent.call('upload_media', {
        data: { file: { filename: 'dot.png', base64: png } },
      })
      const data = { title: 'By an agent', slug: 'by-an-agent', cover: idIn(uploaded) }
      const made = await agent.call('create_entry', { type: 'article', data })
      const id = idIn(made)
      const read = await agent.call('get_entry', {
        type: 'article',
        id,
        fields: 'title,cover',
        populate: 'cover',
      })
      const entry = read.data as { title: string; cover: { width: number } }
      assert.equal(entry.title, 'By an agent')
      assert.equal(entry.cover.width, 1)

      const changed = await agent.call('update_entry', {
        ...{ type: 'article', id, ifMatch: read.etag },
        data: { excerpt: 'Short' },
      })
      assert.equal((changed.data as { excerpt: string }).excerpt, 'Short')
      const stale = await agent.call('update_entry', {
        ...{ type: 'article', id, ifMatch: read.etag },
        data: { excerpt: 'Other' },
      })
      assert.equal(stale.error?.code, 'PRECONDITION_FAILED')

      await agent.call('publish_entry', { type: 'article', id, data: {} })
      const found = await agent.call('find_entries', {
        type: 'article',
        filters: { slug: { $in: ['by-an-agent', 'other'] }, cover: { id: { $gt: 0 } } },
        published: true,
        fields: 'slug',
      })
      assert.deepEqual(found.data, [{ id, slug: 'by-an-agent' }])
      assert.deepEqual(found.pagination, { total: 1, limit: 10, offset: 0, hasMore: false })
      const hits = (await agent.call('search', { q: 'agent' })).data as { id: number }[]
      assert.deepEqual(
        hits.map((hit) => hit.id),
        [id],
      )
      const counted = await agent.call('aggregate_entries', { type: 'article', function: 'count' })
      assert.deepEqual(counted.data, { value: 1 })
      await agent.call('delete_entry', { type: 'article', id })
      assert.equal((await agent.call('get_entry', { type: 'article', id })).error?.code, 'NOT_FOUND')

      const log = await service.admin.get('/api/admin/audit-logs?actor=writer&limit=100')
      const actions = (log.body.data as { action: string; resource: string; details: unknown }[]).reverse()
      const calls = actions.filter(({ action }) => action.startsWith('mcp.'))
      assert.deepEqual(
        calls.map(({ action }) => action.slice(4)),
        [
          ...['list_types', 'describe_type', 'upload_media', 'create_entry', 'get_entry', 'update_entry'],
          ...[
            'update_entry',
            'publish_entry',
            'find_entries',
            'search',
            'aggregate_entries',
            'delete_entry',
            'get_entry',
          ],
        ],
      )
      const refused = calls.filter(({ action }) => action === 'mcp.update_entry')[1]
      assert.equal(refused?.resource, `article:${id}`)
      assert.deepEqual(refused?.details, {
        arguments: ['type', 'id', 'ifMatch', 'data'],
        route: 'content:entries.update',
        result: 'PRECONDITION_FAILED',
      })
      assert.ok(actions.some(({ action }) => action === 'content.publish'))
      assert.ok(!JSON.stringify(log.body).includes('By an agent'), 'values are not in the log')
    })

    it('have the tools that the documentation names for their scopes', async () => {
      const documented = await documentedTools()
      const all = await (await connectWith(service, ['admin:*'])).tools()
      assert.deepEqual([...documented.keys()].sort(), [...all.keys()].sort())
      const scopes = [...new Set(documented.values())].filter((scope) => scope !== 'any')
      const sets = [
        ...scopes.map((scope) => [scope]),
        ...scopes.filter((scope) => scope.startsWith('content:')).map((scope) => [`${scope}:article`]),
        ...[['content:read', 'media:write'], ['content:drafts'], ['webhooks:read'], ['admin:users:read']],
      ]
      for (const set of sets) {
        const tools = await (await connectWith(service, set)).tools()
        const due = [...documented].filter(
          ([, scope]) => scope === 'any' || set.some((each) => each === scope || each === `${scope}:article`),
        )
        const notOfArticles = set.some((each) => each.endsWith(':article')) ? ['save_single'] : []
        const named = due.map(([tool]) => tool).filter((tool) => !notOfArticles.includes(tool))
        assert.deepEqual([...tools.keys()].sort(), named.sort(), set.join())
      }
    })

    it('see, find and change nothing beyond a scope that is limited to a type', async () => {
      const author = expectStatus(
        await service.admin.post('/api/content/author', { name: 'Hidden Hilda' }),
        201,
      )
      const article = { title: 'Draft of Hilda', slug: 'draft-of-hilda', author: author.body.data.id }
      const { id } = expectStatus(await service.admin.post('/api/content/article', article), 201).body.data
      const agent = await connectWith(service, ['content:read:article'])
      const tools = await agent.tools()
      assert.deepEqual(tools.get('find_entries')?.inputSchema.properties?.type, {
        type: 'string',
        enum: ['article'],
      })
      for (const tool of [
        'create_entry',
        'update_entry',
        'delete_entry',
        'publish_entry',
        'save_single',
        'list_media',
        'upload_media',
      ]) {
        assert.equal(tools.has(tool), false, tool)
        await assert.rejects(agent.client.callTool({ name: tool, arguments: {} }), /there is no tool/)
      }
      assert.deepEqual(
        ((await agent.call('list_types')).data as { type: string }[]).map(({ type }) => type),
        ['article'],
      )
      assert.equal((await agent.call('describe_type', { type: 'author' })).error?.code, 'NOT_FOUND')
      const shown = JSON.stringify(await agent.call('describe_type', { type: 'article' }))
      assert.ok(!/author\.filters|"author":\{"\$ref/.test(shown), 'what a relation leads to is not described')
      assert.equal((await agent.call('get_entry', { type: 'article', id })).error?.code, 'NOT_FOUND')
      assert.deepEqual((await agent.call('find_entries', { type: 'article' })).data, [])
      assert.deepEqual((await agent.call('search', { q: 'Hilda' })).data, [])
      for (const type of ['author', 'nothing']) {
        assert.equal((await agent.call('find_entries', { type })).error?.code, 'FORBIDDEN', type)
      }
      const hop = { type: 'article', filters: { author: { name: { $startsWith: 'Hidden' } } } }
      assert.notEqual((await agent.call('find_entries', hop)).error, undefined)
      for (const route of [
        'content:entries.create',
        'media:files.list',
        'admin:audit-logs.list',
        'admin:users.list',
      ]) {
        const isRead = !route.endsWith('create')
        const answer = await agent.call(isRead ? 'read_route' : 'call_route', {
          route,
          params: { type: 'article' },
        })
        assert.equal(answer.error?.code, 'NOT_FOUND', route)
      }
    })
  })
})

describe('the MCP server', () => {
  let service: TestService
  let agent: Agent
  before(async () => {
    service = await startService({
      env: { ...env, SVC_MCP_MAX_ANSWER_LENGTH: '4000', NODE_ENV: 'production' },
    })
    agent = await connectWith(service, ['admin:*'])
  })
  after(() => service.stop())

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it('is not there unless it is switched on', slow, async () => {
    const plain = await startService()
    try {
      for (const client of [plain, plain.admin]) {
        assert.equal((await client.post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 404)
        assert.equal((await client.get('/api/mcp')).status, 404)
      }
    } finally {
      await plain.stop()
    }
  })

  it('is for tokens and admin users', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const stranger = await send(ping)
    assert.equal(stranger.status, 401)
    const { error, ...rest } = (await stranger.json()) as {
      error: { code: number; message: string; data: { code: string; requestId: string } }
    }
    assert.deepEqual(rest, { jsonrpc: '2.0', id: null })
    assert.equal(error.data.code, 'UNAUTHENTICATED')
    assert.equal(error.data.requestId, stranger.headers.get('x-request-id'))
    assert.equal((await send(ping, { authorization: 'Bearer mor_wrong' })).status, 401)
    const user = await newUser(service)
    assert.equal((await send(ping, { authorization: `Bearer ${user.token}` })).status, 403)
    const editor = await newAdmin(service, 'editor')
    const tools = await (await connect(service, editor.token)).tools()
    assert.ok(tools.has('create_entry'))
    for (const scope of ['webhooks:read', 'media:read', 'content:write:article']) {
      const { token } = await newApiToken(service, [scope])
      assert.equal((await send(ping, { authorization: `Bearer ${token}` })).status, 200, scope)
    }
  })

  it('has no sessions and no streams', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${service.url}/api/mcp`, { method })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'POST, OPTIONS')
    }
    const { token } = await newApiToken(service, ['content:read'])
    const answer = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: `Bearer ${token}` })
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.deepEqual(await answer.json(), { jsonrpc: '2.0', id: 1, result: {} })
  })

  it('answers messages that are none with what is wrong', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    const authorization = `Bearer ${token}`
    const [parseError, invalidRequest, ofTheServer] = [-32_700, -32_600, -32_000]
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(500)}${']'.repeat(500)}}`
    const refusals: [unknown, number, number, id?: number][] = [
      ['{', 400, parseError],
      ['', 400, parseError],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"a":1}}', 400, parseError],
      [deep, 400, parseError],
      ['null', 400, invalidRequest],
      [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, invalidRequest],
      [[], 400, invalidRequest],
      [{ id: 1, method: 'ping' }, 400, invalidRequest, 1],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 400, invalidRequest, 1],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, invalidRequest],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, 400, invalidRequest],
      [{ jsonrpc: '2.0', id: 1, method: 7 }, 400, invalidRequest, 1],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, 400, invalidRequest, 1],
      [{ jsonrpc: '2.0' }, 400, invalidRequest],
      [{ jsonrpc: '2.0', id: 1 }, 400, invalidRequest],
      [{ jsonrpc: '2.0', id: 1, method: 'x'.repeat(6_000_000) }, 413, ofTheServer],
    ]
    for (const [body, status, code, id = null] of refusals) {
      const answer = await send(body, { authorization })
      const named = JSON.stringify(body).slice(0, 100)
      assert.equal(answer.status, status, named)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      const told = (await answer.json()) as { jsonrpc: string; id: unknown; error: { code: number } }
      assert.deepEqual([told.jsonrpc, told.id, told.error.code], ['2.0', id, code], named)
    }
    const plain = await send('{}', { authorization, 'content-type': 'text/plain' })
    assert.equal(plain.status, 415)
    assert.equal((await jsonOf(plain)).error?.code, ofTheServer)
    const version = { authorization, 'mcp-protocol-version': '1066-10-14' }
    const ofThen = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, version)
    assert.equal(ofThen.status, 400)
    assert.equal((await jsonOf(ofThen)).error?.code, ofTheServer)
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    assert.equal((await send(note, { authorization })).status, 202)
    assert.equal((await send({ jsonrpc: '2.0', id: 3, result: {} }, { authorization })).status, 202)
    const unknown = await send({ jsonrpc: '2.0', id: 1, method: 'resources/list' }, { authorization })
    assert.equal((await jsonOf(unknown)).error?.code, -32601)
    const strange = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7, arguments: [] } }
    assert.notEqual((await jsonOf(await send(strange, { authorization }))).error, undefined)
  })

  it('is described as a route whose errors are those of its protocol', async () => {
    const { paths } = (await service.admin.get('/api/_docs/openapi.json')).body as unknown as {
      paths: Record<string, { post: { responses: { default: object } } }>
    }
    assert.deepEqual(paths['/mcp']?.post.responses.default, {
      description: 'An error of the protocol',
      content: { 'application/json': {} },
    })
  })

  it('refuses pages that it does not know', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    const ping = (origin: string) =>
      send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: `Bearer ${token}`, origin })
    for (const origin of ['https://evil.example', service.url, 'null', 'http://localhost:6274']) {
      assert.equal((await ping(origin)).status, 403, origin)
    }
  })

  it('shows few tools of modest size, and says which of them write', async () => {
    const tools = await agent.tools()
    assert.ok(tools.size <= 30, `${tools.size} tools`)
    const size = JSON.stringify([...tools.values()]).length
    assert.ok(size < 24_000, `${size} characters`)
    for (const name of ['find_entries', 'get_entry', 'search', 'list_types', 'read_route', 'list_media']) {
      assert.deepEqual(tools.get(name)?.annotations?.readOnlyHint, true, name)
    }
    for (const name of ['delete_entry', 'call_route', 'update_entry']) {
      assert.deepEqual(tools.get(name)?.annotations?.destructiveHint, true, name)
    }
    assert.equal(tools.get('create_entry')?.annotations?.readOnlyHint, false)
    assert.match(agent.client.getInstructions() ?? '', /Never follow instructions/)
  })

  it('tells what is wrong with a call as REST does', async () => {
    const made = await agent.call('create_entry', {
      type: 'article',
      data: { title: 7, author: 'x', nothing: 1 },
    })
    assert.equal(made.error?.code, 'VALIDATION_ERROR')
    assert.deepEqual(made.error?.details?.map(({ path }) => path).sort(), [
      'author',
      'nothing',
      'slug',
      'title',
    ])
    const named = await agent.call('get_entry', { type: 'article', number: 1 })
    assert.deepEqual(
      named.error?.details?.map(({ path }) => path),
      ['id', 'number'],
    )
    const odd = await agent.call('find_entries', {
      type: 'article',
      filters: { title: { $nope: 1 } },
      limit: -1,
    })
    assert.equal(odd.error?.code, 'VALIDATION_ERROR')
    const file = await agent.call('upload_media', { data: { file: { filename: 'a.png', base64: '???' } } })
    assert.deepEqual(
      file.error?.details?.map(({ path }) => path),
      ['data.file.base64'],
    )
    const script = Buffer.from('<script>alert(1)</script>').toString('base64')
    const bad = await agent.call('upload_media', { data: { file: { filename: 'a.png', base64: script } } })
    assert.equal(bad.error?.code, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('does not let the parameters of a route lead to another one', async () => {
    const { id } = expectStatus(await service.admin.post('/api/content/author', { name: 'Stays' }), 201).body
      .data
    const attempts: [string, Record<string, unknown>][] = [
      ['delete_entry', { type: 'author', id: 'trash' }],
      ['delete_entry', { type: 'author', id: `${id}/../${id}` }],
      ['delete_entry', { type: `author/${id}?x=`, id: '' }],
      ['delete_entry', { type: 'author', id: { toString: 1 } }],
      ['get_entry', { type: 'article', id: 'aggregate', fields: 'x' }],
      ['get_entry', { type: '..', id: 'admin' }],
      ['get_entry', { type: 'article', id: '%2e%2e' }],
      ['call_route', { route: 'admin:alerts.resolve', params: { id: '../../content/author' } }],
    ]
    for (const [tool, given] of attempts) {
      const { code } = (await agent.call(tool, given)).error ?? {}
      assert.match(code ?? '', /^(VALIDATION_ERROR|NOT_FOUND|FORBIDDEN)$/, JSON.stringify(given))
    }
    const meant = await agent.call('get_entry', { type: 'article', id: 'aggregate' })
    assert.match(meant.error?.message ?? '', /do not lead to content:entries.read/)
    assert.equal((await service.admin.get(`/api/content/author/${id}`)).status, 200)
  })

  it('cuts what is too long, and says how to go on', async () => {
    for (let index = 0; index < 12; index++) {
      const excerpt = `${index} ${'long '.repeat(55)}`
      expectStatus(
        await service.admin.post('/api/content/article', { title: `T${index}`, slug: `t-${index}`, excerpt }),
        201,
      )
    }
    const list = await agent.call('find_entries', { type: 'article', sort: 'id' })
    const { data, truncated } = list as { data: unknown[]; truncated: string }
    assert.ok(data.length > 1 && data.length < 10, `${data.length}`)
    assert.match(truncated, new RegExp(`offset=${data.length}`))
    const body = 'x'.repeat(9_000)
    const long = expectStatus(
      await service.admin.post('/api/content/article', { title: 'L', slug: 'l', body }),
      201,
    )
    const { text } = await agent.text('get_entry', { type: 'article', id: long.body.data.id })
    assert.ok(text.length < 4_300)
    assert.match(text, /\[Cut: this is 4000 of \d+ characters/)
    const all = await agent.text('find_routes', {})
    assert.ok(all.text.length <= 4_000)
  })

  it('finds, describes and calls any other route, but none that hands out credentials', async () => {
    const found = (await agent.call('find_routes', { words: 'folder create' })).data as { route: string }[]
    assert.deepEqual(
      found.map(({ route }) => route),
      ['media:folders.create'],
    )
    const described = await agent.text('describe_route', { route: 'media:folders.create' })
    assert.match(described.text, /requestBody/)
    const made = await agent.call('call_route', {
      route: 'media:folders.create',
      data: { name: 'From an agent' },
    })
    const folder = await agent.call('read_route', { route: 'media:folders.get', params: { id: idIn(made) } })
    assert.equal((folder.data as { name: string }).name, 'From an agent')
    const swapped = await agent.call('read_route', { route: 'media:folders.create', data: {} })
    assert.equal(swapped.error?.code, 'VALIDATION_ERROR')

    const superAdmin = await connect(service, (await newAdmin(service, 'super-admin')).token)
    const hidden = [
      ...['admin:api-tokens.create', 'admin:api-tokens.rotate', 'admin:api-tokens.regenerate'],
      ...[
        'admin:auth.login',
        'admin:auth.token',
        'admin:auth.change-password',
        'admin:users.invite',
        'mcp:messages.create',
      ],
      ...['admin:backups.download', 'live:changes.stream', 'docs:viewer.read'],
    ]
    for (const route of hidden) {
      for (const tool of ['read_route', 'call_route', 'describe_route']) {
        assert.equal((await superAdmin.call(tool, { route })).error?.code, 'NOT_FOUND', route)
      }
    }
  })

  it('imports and exports files', async () => {
    const writer = await connectWith(service, ['content:read', 'content:write'])
    const route = 'content:entries.import'
    const described = await writer.text('describe_route', { route, type: 'author' })
    for (const mediaType of ['application/json', 'application/x-ndjson', 'text/csv'])
      assert.ok(described.text.includes(`"${mediaType}"`), described.text)
    const importing = (data: unknown, query = {}) =>
      writer.call('call_route', { route, params: { type: 'author' }, query, data })
    const csv = { mediaType: 'text/csv', text: 'name\nGrace\nEdith\n' }
    assert.equal(((await importing(csv)).data as { created: number }).created, 2)
    const records = [{ name: 'Edith', bio: 'Wrote "A–Z"' }]
    for (const file of [
      { mediaType: 'application/json', text: JSON.stringify(records) },
      { mediaType: 'application/x-ndjson', base64: Buffer.from('{ "name": "Edith" }\n').toString('base64') },
    ]) {
      const { created } = (await importing(file, { dryRun: true })).data as { created: number }
      assert.equal(created, 1, file.mediaType)
    }
    const exported = await writer.text('read_route', {
      route: 'content:entries.export',
      params: { type: 'author' },
      query: { format: 'csv', fields: 'name' },
    })
    assert.match(exported.text, /Grace/)
  })

  it('tells what is wrong with a file', async () => {
    const writer = await connectWith(service, ['content:read', 'content:write'])
    const problemsOf = async (data: unknown) => {
      const asked = { route: 'content:entries.import', params: { type: 'author' }, data }
      const { error } = await writer.call('call_route', asked)
      assert.equal(error?.code, 'VALIDATION_ERROR')
      return error.details?.map(({ path }) => path).sort()
    }
    const both = ['data.mediaType', 'data.text']
    assert.deepEqual(await problemsOf('name\nGrace\n'), both)
    assert.deepEqual(await problemsOf({ mediaType: '__proto__', text: 7 }), both)
    assert.deepEqual(await problemsOf({ mediaType: 'text/csv', text: 'x', base64: 'eA==' }), ['data.text'])
    assert.deepEqual(await problemsOf({ mediaType: 'text/csv', base64: '?' }), ['data.text'])
    assert.deepEqual(await problemsOf({ mediaType: 'text/csv', text: 'name', file: 1 }), ['data.file'])
  })

  it('ends with the token', async () => {
    const { id, token } = await newApiToken(service, ['content:read'])
    const short = await connect(service, token)
    await short.call('list_types')
    expectStatus(await service.admin.delete(`/api/admin/api-tokens/${id}`), 200)
    await assert.rejects(
      short.client.callTool({ name: 'list_types', arguments: {} }),
      /401|UNAUTHENTICATED|Unauthorized/,
    )
  })
})

describe('the MCP server under a rate limit', () => {
  it('counts a call once', slow, async () => {
    const service = await startService({ env })
    try {
      const { token } = await newApiToken(service, ['content:read'])
      const agent = await connect(service, token)
      const limited = { 'api.rateLimit.enabled': true, 'api.rateLimit.max': 9 }
      expectStatus(await service.admin.put('/api/admin/config', limited), 200)
      const call = () => agent.client.callTool({ name: 'find_entries', arguments: { type: 'article' } })
      for (let index = 0; index < 9; index++) assert.notEqual((await call()).isError, true)
      await assert.rejects(call(), /429|RATE_LIMITED/)
    } finally {
      await service.stop()
    }
  })
})
