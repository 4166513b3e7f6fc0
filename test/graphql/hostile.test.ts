import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { ask, codesIn, post } from './graphql-world.ts'
import { openSocket } from './socket-client.ts'

const options = {
  draftAndPublish: true,
  draftOverlay: true,
  softDelete: true,
  i18n: { enabled: true, locales: ['en', 'de'] },
}
const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options,
    attributes: {
      title: { type: 'string' },
      rank: { type: 'integer' },
      facts: { type: 'json' },
      next: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}

const env = { SVC_API_GRAPHQL_FEDERATION: 'true', SVC_LOCALIZATION_LOCALES: 'en,de' }

const times = (count: number, made: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => made(index)).join(' ')
/** A field under many names. */
const flood = (count: number, field: string, operation = 'query') =>
  `${operation} { ${times(count, (index) => `a${index}: ${field}`)} }`
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

interface Attack {
  readonly query: string
  readonly variables?: object
  /** Of the first error. */
  readonly problem?: string
}

const localizations = 'noteLocalizations(id: 1) { localizations { id } }'
const typeOfType = 'types { fields { type { fields { name } } } }'
const representations = (count: number) => numbers(count).map((id) => ({ __typename: 'Note', id }))
const entities = 'query ($of: [_Any!]!)'
const bulk = 'mutation ($ids: [ID!]!)'

/** What is refused before anything is read or written. */
const attacks: Readonly<Record<string, Attack>> = {
  'searches under many names': { query: flood(201, 'search(q: "x") { data { id } }'), problem: 'cost' },
  'aggregates under many names': { query: flood(201, 'notesAggregate { data { count } }'), problem: 'cost' },
  'distinct values of many fields under many names': {
    query: flood(60, 'notesDistinct { title { hasMore } rank { hasMore } next { hasMore } }'),
    problem: 'cost',
  },
  'drafts under many names': { query: flood(201, 'noteDraft(id: 1) { updated_at }'), problem: 'cost' },
  'revisions with what is in them': {
    query: flood(20, 'noteRevisions(id: 1, limit: 100) { data { data } }'),
    problem: 'cost',
  },
  'versions in several locales under many names': { query: flood(101, localizations), problem: 'cost' },
  'mutations under many names': {
    query: flood(201, 'createNote(data: { title: "x" }) { data { id } }', 'mutation'),
    problem: 'cost',
  },
  'restores under many names': {
    query: flood(201, 'restoreNote(id: 1) { data { id } }', 'mutation'),
    problem: 'cost',
  },
  'the trash under many names': { query: flood(2, 'emptyNoteTrash { count }', 'mutation'), problem: 'cost' },
  ...Object.fromEntries(
    ['bulkDeleteNote', 'bulkPublishNote', 'bulkUnpublishNote'].map((field) => [
      `${field} of the same entries over and over`,
      {
        query: `${bulk} { ${times(3, (index) => `a${index}: ${field}(ids: $ids) { count }`)} }`,
        variables: { ids: numbers(1_000) },
        problem: 'cost',
      },
    ]),
  ),
  'bulk updates of the same entries over and over': {
    query: `${bulk} { ${times(3, (index) => `a${index}: bulkUpdateNote(ids: $ids, data: { rank: 1 }) { count }`)} }`,
    variables: { ids: numbers(1_000) },
    problem: 'cost',
  },
  'new entries over and over': {
    query: `mutation ($of: [NoteInput!]!) { ${times(3, (index) => `a${index}: bulkCreateNote(entries: $of) { count }`)} }`,
    variables: { of: numbers(1_000).map((rank) => ({ rank })) },
    problem: 'cost',
  },
  'too many new entries': {
    query: 'mutation ($of: [NoteInput!]!) { bulkCreateNote(entries: $of) { count } }',
    variables: { of: numbers(1_001).map((rank) => ({ rank })) },
    problem: 'maxItems',
  },
  'bulk writes of too many entries': {
    query: `${bulk} { bulkDeleteNote(ids: $ids) { count } }`,
    variables: { ids: numbers(1_001) },
    problem: 'maxItems',
  },
  'bulk writes of far too many entries': {
    query: `${bulk} { bulkDeleteNote(ids: $ids) { count } }`,
    variables: { ids: numbers(50_000) },
    problem: 'cost',
  },
  'files moved over and over': {
    query: `mutation ($ids: [ID!]!) { ${times(3, (index) => `a${index}: moveMedia(ids: $ids) { count }`)} }`,
    variables: { ids: numbers(1_000) },
    problem: 'cost',
  },
  'too many representations': {
    query: `${entities} { _entities(representations: $of) { __typename } }`,
    variables: { of: representations(1_001) },
    problem: 'maxItems',
  },
  'representations under many names': {
    query: `${entities} { ${times(25, (index) => `a${index}: _entities(representations: $of) { ... on Note { id @skip(if: true) } }`)} }`,
    variables: { of: representations(1_000) },
    problem: 'cost',
  },
  'a representation that is no entry': {
    query: `${entities} { _entities(representations: $of) { __typename } }`,
    variables: { of: [[[[[[[]]]]]]] },
    problem: 'required',
  },
  'entries in a search that go deep': {
    query:
      '{ search(q: "x") { data { entry { ... on Note { next { next { next { next { next { next { next { id } } } } } } } } } } } }',
    problem: 'depth',
  },
  'fragments of one another in a feature': {
    query: `{ search(q: "x") { data { entry { ...A } } } }
      fragment A on Note { next { ...B } } fragment B on Note { next { ...A } }`,
  },
  'a list of types without end': {
    query: `query ($types: [String!]) { search(q: "x", types: $types) { data { id } } }`,
    variables: { types: numbers(20_000).map(() => 'note') },
    problem: 'maxItems',
  },
  'conditions without end': {
    query: 'query ($f: NoteFiltersInput) { notesDistinct(filters: $f) { title { hasMore } } }',
    variables: { f: { or: numbers(20_000).map((rank) => ({ rank: { eq: rank } })) } },
    problem: 'cost',
  },
  'conditions over and over': {
    query: `query ($f: NoteFiltersInput) { ${times(60, (index) => `a${index}: notes(filters: $f) { data { id } }`)} }`,
    variables: { f: { or: numbers(500).map((rank) => ({ rank: { eq: rank } })) } },
    problem: 'cost',
  },
  'conditions in places of JSON': {
    query: 'query ($f: NoteFiltersInput) { notesAggregate(filters: $f) { data { count } } }',
    variables: { f: { facts: { at: numbers(20_000).map((gt) => ({ path: ['size'], gt })) } } },
    problem: 'cost',
  },
  'conditions in conditions': {
    query: 'query ($f: NoteFiltersInput) { notesAggregate(filters: $f) { data { count } } }',
    variables: {
      f: numbers(90).reduce<object>((inside) => ({ not: inside }), { rank: { eq: 1 } }),
    },
  },
  'a long list in a condition': {
    query: 'query ($ids: [Int!]) { notes(filters: { id: { in: $ids } }) { data { id } } }',
    variables: { ids: numbers(100_000) },
  },
  'a search of a book': {
    query: 'query ($q: String!) { search(q: $q, typos: true) { data { corrections } } }',
    variables: { q: 'word '.repeat(100_000) },
    problem: 'maxLength',
  },
  'what a schema has, over and over': {
    query: flood(60, `__schema { ${typeOfType} ${times(5, (index) => `b${index}: ${typeOfType}`)} }`),
    problem: 'cost',
  },
  'types by name, over and over': {
    query: flood(
      45,
      '__type(name: "Query") { fields { args { type { inputFields { type { inputFields { name } } } } } } }',
    ),
  },
  'a subscription under many names': { query: flood(2, 'noteChanged { id }', 'subscription') },
}

describe('hostile requests to the newer fields of GraphQL', () => {
  let service: TestService
  before(async () => {
    service = await startService({ schemas, env })
    const first = { title: 'x', facts: { long: 'y'.repeat(1_000) } }
    for (let index = 0; index < 5; index++) {
      expectStatus(await service.admin.post('/api/content/note', first), 201)
    }
    // What the first request loads is no part of what an attack takes.
    await ask(service.admin, '{ __schema { queryType { name } } }')
  })
  after(() => service.stop())

  /** Of the processor. Generous, as machines differ: an attack that gets through takes many times as much. */
  const budgetMs = 5_000

  for (const [what, { query, variables, problem }] of Object.entries(attacks)) {
    it(`refuses ${what}`, async () => {
      const start = process.cpuUsage()
      const answer = await post(service.admin, query, variables)
      const { user, system } = process.cpuUsage(start)
      const took = (user + system) / 1_000
      const told = JSON.stringify(answer.body).slice(0, 300)
      assert.equal(answer.status, 400, told)
      assert.equal(codesIn(answer)[0], 'VALIDATION_ERROR', told)
      if (problem !== undefined) {
        assert.equal(answer.body.errors[0].extensions.details?.[0].code, problem, told)
      }
      assert.ok(took < budgetMs, `${took} ms`)
    })
  }

  it('has written nothing', async () => {
    const { notes } = await ask(service.admin, '{ notes { data { title } pagination { total } } }')
    assert.equal(notes.pagination.total, 5)
  })

  it('takes one request in a body, and no batches', async () => {
    const one = { query: '{ __typename }' }
    for (const body of [[one], [one, one], Array.from({ length: 500 }, () => one), []]) {
      const { status, body: answered } = await service.admin.post('/api/graphql', body)
      assert.equal(status, 400, JSON.stringify(answered))
    }
    const twice = await service.admin.get('/api/graphql?query={__typename}&query={notes{data{id}}}')
    assert.equal(twice.status, 400)
  })

  it('still answers what is large but fair', async () => {
    const found = await ask(
      service.admin,
      `${entities} { _entities(representations: $of) { ... on Note { id title } } }`,
      { of: representations(1_000) },
    )
    assert.equal(found._entities.filter(Boolean).length, 5)
    const missing = await post(service.admin, `${bulk} { bulkDeleteNote(ids: $ids) { count } }`, {
      ids: numbers(1_000),
    })
    assert.deepEqual(codesIn(missing), ['NOT_FOUND'])
    const many = await ask(
      service.admin,
      flood(100, 'createNote(data: { title: "many" }) { data { id } }', 'mutation'),
    )
    assert.equal(Object.keys(many).length, 100)
  })

  it('follows a bounded number of entries', async () => {
    const { token } = expectStatus(
      await service.admin.post('/api/admin/api-tokens', { name: 'hostile', scopes: ['content:read'] }),
      201,
    ).body.data
    const client = await openSocket(service.url, { token })
    const query = 'subscription ($ids: [ID!]) { noteChanged(ids: $ids) { id } }'
    await client.subscribe('many', query, { ids: numbers(1_001) })
    await client.subscribe('some', query, { ids: numbers(1_000) })
    const [{ payload }] = client.of('error', 'many')
    assert.match(payload[0].message, /at most 1000/)
    assert.deepEqual(client.of('error', 'some'), [])
    client.close()
    await until(() => client.closed !== undefined)
  })
})
