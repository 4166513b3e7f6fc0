import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { parse } from 'graphql'
import { graphqlService } from '../../core-plugins/delivery/graphql/graphql.ts'
import { allow, create, dataOf, useContent } from '../api/content-world.ts'
import { createClient } from '../support/client.ts'
import { adminEmail, adminPassword } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { ask, codesIn, post } from './graphql-world.ts'

const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')

const nested = (depth: number) => {
  let text = '{ id }'
  for (let level = 0; level < depth; level++) text = `{ boss ${text} }`
  return `{ personList { data ${text} } }`
}

const parameters = (values: Readonly<Record<string, string>>) =>
  `/api/graphql?${new URLSearchParams(values).toString().replaceAll('+', '%20')}`

const hashOf = (query: string) => createHash('sha256').update(query).digest('hex')
const persisted = (query: string) =>
  JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(query) } })

describe('the GraphQL endpoint', () => {
  const world = useContent('sqlite')

  before(async () => {
    await create(world.admin, 'tag', { name: 'red' })
    await create(world.admin, 'person', { name: 'Ada' })
  })

  describe('limits', () => {
    it('refuses what goes too deep', slow, async () => {
      assert.equal((await post(world.admin, nested(7))).status, 200)
      const tooDeep = await post(world.admin, nested(8))
      assert.deepEqual([tooDeep.status, ...codesIn(tooDeep)], [400, 'VALIDATION_ERROR'])
      assert.equal(tooDeep.body.errors[0].extensions.details[0].code, 'depth')
      assert.equal(tooDeep.body.data, undefined)
    })

    it('refuses what costs too much, and says so', async () => {
      for (const query of [
        `{ ${repeated(1000, (index) => `a${index}: tagList { data { id } }`)} }`,
        `{ ${repeated(300, (index) => `a${index}: tag(id: 1) { data { id } }`)} }`,
        '{ tagList(limit: 100) { data { samples(limit: 100) { tags { samples { id title } } } } } }',
      ]) {
        const answer = await post(world.admin, query)
        assert.deepEqual([answer.status, ...codesIn(answer)], [400, 'VALIDATION_ERROR'], query.slice(0, 80))
      }
    })

    it('takes limits that are changed while it runs', async () => {
      const query = '{ tagList { data { samples { owner { boss { name } } } } } }'
      await ask(world.admin, query)
      dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.maxDepth': 5 }))
      assert.equal((await post(world.admin, query)).status, 400)
      dataOf(
        await world.admin.put('/api/admin/config', {
          'api.graphql.maxDepth': 10,
          'api.graphql.maxCost': 100,
        }),
      )
      assert.equal((await post(world.admin, query)).status, 400)
      dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.maxCost': 20_000 }))
      await ask(world.admin, query)
    })

    it('answers hostile documents with 400', async () => {
      const hostile: Readonly<Record<string, string>> = {
        'a fragment of itself': '{ ...A } fragment A on Query { ...A }',
        'fragments of one another':
          '{ tagList { data { ...A } } } fragment A on Tag { samples { tags { ...B } } } fragment B on Tag { samples { tags { ...A } } }',
        'fragments that double': `{ tagList { data { ...F0 } } } ${repeated(40, (index) => `fragment F${index} on Tag { a: samples { tags { ...F${index + 1} } } b: samples { tags { ...F${index + 1} } } }`)} fragment F40 on Tag { id }`,
        'the same field thousands of times': `{ tagList { data { ${repeated(3000, () => 'id')} } } }`,
        'the same fields below fields': `{ ${repeated(40, () => `tagList { data { ${repeated(40, () => 'id')} } }`)} }`,
        'an unused fragment of many fields': `{ __typename } fragment F on Tag { ${repeated(1500, () => 'id')} }`,
        'many fragments': `{ __typename ${repeated(500, (index) => `...F${index}`)} } ${repeated(500, (index) => `fragment F${index} on Query { __typename }`)}`,
        'directives without end': `{ __typename ${repeated(3000, () => '@include(if: true)')} }`,
        'unknown directives': `{ __typename ${repeated(2000, (index) => `@d${index}`)} }`,
        'deep values': `{ tagList(filters: ${'{ not: '.repeat(2000)}{}${'}'.repeat(2000)}) { data { id } } }`,
        'deep lists': `{ tagList(filters: { or: ${'['.repeat(2000)}${']'.repeat(2000)} }) { data { id } } }`,
        'deep selections': `${'{ a'.repeat(2000)}${'}'.repeat(2000)}`,
        'a huge document': `{ ${repeated(50_000, () => '__typename')} }`,
        'a reserved alias': '{ tagList { __proto__: data { id } } }',
        'a comment only': '# nothing',
        nothing: '',
        'no GraphQL': 'select 1',
        'a document in JSON': JSON.stringify(parse('{ __typename }')),
        'a hostile document in JSON':
          '{"kind":"Document","loc":{},"definitions":[{"kind":"OperationDefinition"}]}',
        'JSON of nothing': 'null',
        'a subscription': 'subscription { tagList { data { id } } }',
        'a definition': 'type Query { x: Int }',
        'introspection that goes round':
          '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
        'two operations without a name': 'query A { __typename } query B { __typename }',
        'a negative page': '{ tagList(limit: -1) { data { id } } }',
        'an id that is none': '{ tag(id: "1 or 1=1") { data { id } } }',
        'a NUL in a filter': '{ tagList(filters: { name: { eq: "\\u0000" } }) { data { id } } }',
        'a lone surrogate': '{ tagList(filters: { name: { eq: "\\uD800" } }) { data { id } } }',
      }
      for (const [what, query] of Object.entries(hostile)) {
        const answer = await post(world.admin, query)
        assert.equal(answer.status, 400, `${what}: ${JSON.stringify(answer.body).slice(0, 300)}`)
      }
    })

    it('answers wrong variables with 400', async () => {
      const query =
        'query ($id: ID!, $filters: TagFiltersInput, $n: Int) { tag(id: $id) { data { id } } tagList(filters: $filters, limit: $n) { data { id } } }'
      let deep: unknown = {}
      for (let level = 0; level < 90; level++) deep = { not: deep }
      for (const variables of [
        {},
        { id: null },
        { id: {} },
        { id: [1, 2] },
        { id: 1.5 },
        { id: 1, n: 'many' },
        { id: 1, n: 1.5 },
        { id: 1, filters: 'x' },
        { id: 1, filters: { nope: {} } },
        { id: 1, filters: { name: { eq: 5 } } },
        { id: 1, filters: { name: { like: '%' } } },
        { id: 1, filters: JSON.parse('{"constructor":{"prototype":{}}}') },
      ]) {
        const answer = await post(world.admin, query, variables)
        assert.equal(answer.status, 400, `${JSON.stringify(variables)} ${JSON.stringify(answer.body)}`)
      }
      const wide = { or: Array.from({ length: 5_000 }, (_, index) => ({ name: { eq: `x${index}` } })) }
      const long = { or: Array.from({ length: 950 }, () => ({ name: { eq: 'x' } })) }
      for (const filters of [deep, wide, long]) {
        const answer = await post(world.admin, query, { id: 1, filters })
        assert.deepEqual(codesIn(answer), ['VALIDATION_ERROR'])
      }
      assert.equal(
        (await world.admin.post('/api/graphql', { query: '{ __typename }', variables: [] })).status,
        400,
      )
      assert.equal((await world.admin.post('/api/graphql', { query: 5 })).status, 400)
      assert.equal((await world.admin.post('/api/graphql', {})).status, 400)
    })

    it('takes one operation at a time, as JSON', async () => {
      const batch = await world.admin.post('/api/graphql', [{ query: '{ __typename }' }])
      assert.equal(batch.status, 400)
      for (const type of ['application/graphql', 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await world.admin.request('POST', '/api/graphql', {
          body: '{"query":"{ __typename }"}',
          headers: { 'content-type': type },
        })
        assert.equal(answer.status, 415, type)
      }
    })
  })

  describe('introspection', () => {
    it('answers the query that tools send, and describes a schema that is valid', async () => {
      const { buildClientSchema, getIntrospectionQuery, validateSchema } = await import('graphql')
      const schema = buildClientSchema(await ask(world.admin, getIntrospectionQuery()))
      assert.deepEqual(validateSchema(schema), [])
      assert.ok(schema.getType('SampleFiltersInput'))
    })
  })

  it('tells queries of one document apart when they are sent again', async () => {
    const query = 'query A { tagList { data { name } } } query B { a: __typename }'
    const send = async (operationName?: string) =>
      (await world.admin.post('/api/graphql', { query, operationName })).body
    const told = async () => [await send('A'), await send('B')]
    const expected = [{ data: { tagList: { data: [{ name: 'red' }] } } }, { data: { a: 'Query' } }]
    assert.deepEqual(await told(), expected)
    assert.deepEqual(await told(), expected)
    const single = { query: '{ __typename }' }
    assert.equal((await world.admin.post('/api/graphql', single)).status, 200)
    assert.equal((await world.admin.post('/api/graphql', { ...single, operationName: '' })).status, 400)
  })

  describe('GET', () => {
    it('executes queries, never mutations', async () => {
      const answer = await world.admin.get(
        parameters({
          query: 'query ($id: ID!) { tag(id: $id) { data { name } } }',
          variables: '{"id":1}',
        }),
      )
      assert.deepEqual(answer.body, { data: { tag: { data: { name: 'red' } } } })
      const mutation = await world.admin.get(
        parameters({ query: 'mutation { createTag(data: { name: "by GET" }) { data { id } } }' }),
      )
      assert.deepEqual(
        [mutation.status, mutation.headers.get('allow'), ...codesIn(mutation)],
        [405, 'POST', 'METHOD_NOT_ALLOWED'],
      )
      const named = await world.admin.get(
        parameters({
          query: 'query Q { __typename } mutation M { createTag(data: { name: "by GET" }) { data { id } } }',
          operationName: 'M',
        }),
      )
      assert.equal(named.status, 405)
      const { tagList } = await ask(world.admin, '{ tagList { pagination { total } } }')
      assert.equal(tagList.pagination.total, 1)
      assert.equal(
        (await world.admin.get(parameters({ query: '{ __typename }', variables: '{' }))).status,
        400,
      )
    })

    it('answers persisted queries once their text has been sent', async () => {
      const query = '{ tagList { data { name } } }'
      const unknown = await world.admin.get(parameters({ extensions: persisted(query) }))
      assert.deepEqual([unknown.status, ...codesIn(unknown)], [200, 'PERSISTED_QUERY_NOT_FOUND'])
      assert.equal(unknown.body.errors[0].message, 'PersistedQueryNotFound')
      assert.equal(unknown.headers.get('cache-control'), 'no-store')
      const extensions = JSON.parse(persisted(query))
      const sent = await world.admin.post('/api/graphql', { query, extensions })
      const asked = await world.admin.get(parameters({ extensions: persisted(query) }))
      assert.deepEqual(asked.body, { data: { tagList: { data: [{ name: 'red' }] } } })
      assert.deepEqual(asked.body, sent.body)
      const lie = await world.admin.post('/api/graphql', { query: '{ __typename }', extensions })
      assert.equal(lie.status, 400)
      for (const bad of [{ version: 2 }, { version: 1, sha256Hash: 'x' }, { version: 1, sha256Hash: {} }]) {
        const answer = await world.admin.post('/api/graphql', { extensions: { persistedQuery: bad } })
        assert.equal(answer.status, 400, JSON.stringify(bad))
      }
    })

    it('keeps no document that is not valid', async () => {
      const query = '{ nope }'
      const extensions = JSON.parse(persisted(query))
      assert.equal((await world.admin.post('/api/graphql', { query, extensions })).status, 400)
      const again = await world.admin.post('/api/graphql', { extensions })
      assert.deepEqual(codesIn(again), ['PERSISTED_QUERY_NOT_FOUND'])
    })

    it('lets caches keep what everybody may see', async () => {
      await allow(world, 'public', { tag: { read: true } })
      const path = parameters({ query: '{ tagList { data { name } } }' })
      const first = await world.anonymous.get(path)
      const etag = first.headers.get('etag') ?? ''
      assert.equal(first.headers.get('cache-control'), 'no-cache')
      assert.match(first.headers.get('vary') ?? '', /authorization/)
      const second = await world.anonymous.get(path, { headers: { 'if-none-match': etag } })
      assert.equal(second.status, 304)
      assert.equal((await world.admin.get(path)).headers.get('cache-control'), 'private, no-cache')
      dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.cacheMaxAge': 60 }))
      assert.equal((await world.anonymous.get(path)).headers.get('cache-control'), 'public, max-age=60')
      const failed = await world.anonymous.get(parameters({ query: '{ sampleList { data { id } } }' }))
      assert.deepEqual([failed.status, failed.headers.get('cache-control')], [401, 'no-store'])
      await create(world.admin, 'tag', { name: 'blue' })
      const changed = await world.anonymous.get(path, { headers: { 'if-none-match': etag } })
      assert.equal(changed.status, 200)
    })

    it('answers in the media type of GraphQL where that is asked for', async () => {
      const headers = { accept: 'application/graphql-response+json, application/json;q=0.9' }
      const answer = await world.admin.post('/api/graphql', { query: '{ __typename }' }, { headers })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/graphql-response\+json/)
      const plain = await post(world.admin, '{ __typename }')
      assert.match(plain.headers.get('content-type') ?? '', /^application\/json/)
    })
  })

  describe('the playground', () => {
    const cookieOf = async () => {
      const { headers } = await world.anonymous.post('/api/admin/auth/login', {
        identifier: adminEmail,
        password: adminPassword,
      })
      return headers.get('set-cookie')?.split(';')[0] ?? ''
    }

    it('is shown to whoever is signed in, with nothing from elsewhere', async () => {
      const { status, headers, body } = await world.admin.get('/api/graphql')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.doesNotMatch(body, /(src|href)="(https?:)?\/\//)
      const named = [...body.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? '')
      assert.equal(named.length, 3)
      for (const path of [...named, '/api/graphql/assets/sign-in.js']) {
        assert.equal((await world.anonymous.get(path)).status, 200, path)
      }
      assert.equal((await world.anonymous.get('/api/graphql/sign-in')).status, 200)
    })

    it('serves no other files', async () => {
      for (const path of ['package.json', '../index.js', '..%2findex.js', '%2e%2e/index.js', 'assets', '']) {
        const { status } = await createClient(world.service.url).get(`/api/graphql/assets/${path}`)
        assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      }
    })

    it('can be switched off', async () => {
      dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.playground': false }))
      assert.equal((await world.admin.get('/api/graphql')).status, 404)
      assert.equal((await world.admin.get('/api/graphql/assets/playground.js')).status, 404)
      assert.equal((await world.admin.get(parameters({ query: '{ __typename }' }))).status, 200)
      dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.playground': true }))
    })

    it('takes the session cookie for what reads, and for nothing that writes', async () => {
      const cookie = await cookieOf()
      assert.match(cookie, /^mortise_session=/)
      const headers = { cookie }
      assert.equal((await world.anonymous.get('/api/graphql', { headers })).status, 200)
      const query = await world.anonymous.get(parameters({ query: '{ personList { data { name } } }' }), {
        headers,
      })
      assert.deepEqual(query.body.data, { personList: { data: [{ name: 'Ada' }] } })
      await allow(world, 'public', {})
      const write = { query: 'mutation { createTag(data: { name: "by cookie" }) { data { id } } }' }
      assert.equal((await world.anonymous.post('/api/graphql', write, { headers })).status, 401)
      assert.equal((await world.anonymous.get(parameters(write), { headers })).status, 405)
    })
  })

  it('serves other plugins', async () => {
    const { status, body } = await world.service.kernel.get(graphqlService).execute({
      source: '{ tagList(limit: 1) { data { name } } }',
      variables: {},
      operationName: undefined,
      principal: { kind: 'admin', id: 1, username: 'admin', role: 'super-admin' },
      ip: undefined,
      isReadOnly: false,
    })
    assert.deepEqual(
      { status, body },
      { status: 200, body: { data: { tagList: { data: [{ name: 'red' }] } } } },
    )
  })
})
