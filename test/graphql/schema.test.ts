import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { buildClientSchema, getIntrospectionQuery, printSchema, validateSchema } from 'graphql'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { startService, type TestService } from '../support/service.ts'
import { ask, codesIn, post } from './graphql-world.ts'

const type = (name: string, plural: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: plural, displayName: name },
  attributes,
  ...more,
})

const text = { type: 'string' }

/** Names that mean something to GraphQL, or that are written alike there. */
const awkward: Readonly<Record<string, object>> = {
  'query.json': type('query', 'queries', { name: text, and: text, not: { type: 'integer' } }),
  'string.json': type('string', 'strings', { id2: text, null: text, in: text }),
  'date.json': type('date', 'dates', { date: { type: 'date' } }),
  'pagination.json': type('pagination', 'paginations', { total: { type: 'integer' } }),
  'a-1.json': type('a-1', 'a-1-list', { name: text }),
  'a1.json': type('a1', 'a1-list', { name: text }),
  'article-input.json': type('article-input', 'article-inputs', { name: text }),
  'article.json': type('article', 'articles', {
    kind: { type: 'enum', enum: ['red', 'dark blue', 'true'] },
    state: { type: 'enum', enum: ['new', 'old'], default: 'new' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'query' },
    author: { type: 'relation', relation: 'manyToOne', target: 'user' },
    blocks: { type: 'dynamicZone', components: ['shared.text', 'shared.empty-one'] },
  }),
  'article-state.json': type('article-state', 'article-states', { name: text }),
  'components/shared.text.json': {
    ...{ uid: 'shared.text', category: 'shared', info: { displayName: 'Text' } },
    attributes: { text, inner: { type: 'component', component: 'shared.empty-one', repeatable: true } },
  },
  'components/shared.empty-one.json': {
    ...{ uid: 'shared.empty-one', category: 'shared', info: { displayName: 'Empty' } },
    attributes: { flag: { type: 'boolean' } },
  },
}

describe('the GraphQL schema', () => {
  let service: TestService
  before(async () => {
    service = await startService({ schemas: awkward })
  })
  after(() => service.stop())

  it('is valid whatever things are called', async () => {
    const schema = buildClientSchema(await ask(service.admin, getIntrospectionQuery()))
    assert.deepEqual(validateSchema(schema), [])
    const fields = Object.keys(schema.getQueryType()?.getFields() ?? {})
    const ofFeatures = fields.filter((name) =>
      /(Aggregate|Distinct|Revisions|RevisionDiff)$|^search$|^media/.test(name),
    )
    assert.equal(fields.length - ofFeatures.length, 2 * 9)
    assert.equal(ofFeatures.length, 4 * 9 + 4)
    assert.equal(schema.getType('Article')?.toString(), 'Article')
  })

  it('serves what is called awkwardly', async () => {
    const { createQuery_: made } = await ask(
      service.admin,
      'mutation { createQuery_(data: { name: "x", and: "y", not: 3 }) { data { id and not } } }',
    )
    assert.deepEqual(made, { data: { id: 1, and: 'y', not: 3 } })
    const found = await ask(
      service.admin,
      '{ queries(filters: { and: { eq: "y" }, not: { gt: 2 } }) { data { name } } }',
    )
    assert.deepEqual(found, { queries: { data: [{ name: 'x' }] } })
    const zone = await ask(
      service.admin,
      `mutation { createArticle(data: { kind: "dark blue", parent: 1, blocks: [
        { __component: "shared.text", text: "a", inner: [{ flag: true }, { flag: false }] },
        { __component: "shared.empty-one", flag: true }
      ] }) { data {
        kind state parent { name } author { username }
        blocks { __component __typename ... on ComponentSharedText { text inner { flag } } ... on ComponentSharedEmptyOne { flag } }
      } } }`,
    )
    assert.deepEqual(zone.createArticle.data, {
      ...{ kind: 'dark blue', state: 'new', parent: { name: 'x' }, author: null },
      blocks: [
        {
          ...{ __component: 'shared.text', __typename: 'ComponentSharedText', text: 'a' },
          inner: [{ flag: true }, { flag: false }],
        },
        { __component: 'shared.empty-one', __typename: 'ComponentSharedEmptyOne', flag: true },
      ],
    })
  })

  it('tells of blocks as one of several, and takes them as REST does as well', async () => {
    const block = await ask(
      service.admin,
      '{ __type(name: "ArticleBlocksInput") { isOneOf inputFields { name type { name } } } }',
    )
    assert.deepEqual(block.__type, {
      isOneOf: true,
      inputFields: [
        { name: 'ComponentSharedText', type: { name: 'ComponentSharedTextInput' } },
        { name: 'ComponentSharedEmptyOne', type: { name: 'ComponentSharedEmptyOneInput' } },
      ],
    })
    const asked = '{ data { blocks { __component ... on ComponentSharedText { text inner { flag } } } } }'
    const inner = [{ flag: true }]
    const expected = [{ __component: 'shared.text', text: 'a', inner }, { __component: 'shared.empty-one' }]
    const documents: readonly [string, object?][] = [
      [
        `mutation { createArticle(data: { blocks: [
          { ComponentSharedText: { text: "a", inner: { flag: true } } }, { ComponentSharedEmptyOne: {} }
        ] }) ${asked} }`,
      ],
      [
        `mutation ($text: String, $empty: ComponentSharedEmptyOneInput!) { createArticle(data: { blocks: [
          { ComponentSharedText: { text: $text, inner: [{ flag: true }] } }, { ComponentSharedEmptyOne: $empty }
        ] }) ${asked} }`,
        { text: 'a', empty: {} },
      ],
      [
        `mutation ($blocks: [ArticleBlocksInput!]) { createArticle(data: { blocks: $blocks }) ${asked} }`,
        { blocks: [{ ComponentSharedText: { text: 'a', inner } }, { __component: 'shared.empty-one' }] },
      ],
    ]
    for (const [document, variables] of documents) {
      const { createArticle } = await ask(service.admin, document, variables)
      assert.deepEqual(createArticle.data.blocks, expected, document)
    }
  })

  it('refuses blocks that are none, whatever way they are sent', async () => {
    for (const [block, message] of [
      ['{ ComponentSharedText: {}, ComponentSharedEmptyOne: {} }', /one key out of ComponentSharedText/],
      ['{}', /one key out of/],
      ['{ nope: {} }', /one key out of/],
      ['{ constructor: {} }', /one key out of/],
      ['"x"', /must be a block/],
      ['{ ComponentSharedText: null }', /ComponentSharedText/],
      ['{ ComponentSharedText: "x" }', /ComponentSharedText/],
      ['{ ComponentSharedText: { nope: 1 } }', /ComponentSharedText/],
      ['{ ComponentSharedText: { inner: [{ flag: "x" }] } }', /ComponentSharedText/],
      ['{ __component: "nope" }', /must be one of shared/],
    ] as const) {
      const literal = `mutation { createArticle(data: { blocks: [${block}] }) { data { id } } }`
      const byVariable =
        'mutation ($b: [ArticleBlocksInput!]) { createArticle(data: { blocks: $b }) { data { id } } }'
      const value = JSON.parse(block.replace(/(\w+):/g, '"$1":')) as unknown
      for (const answer of [
        await post(service.admin, literal),
        await post(service.admin, byVariable, { b: [value] }),
      ]) {
        assert.deepEqual([answer.status, codesIn(answer)[0]], [400, 'VALIDATION_ERROR'], block)
        assert.match(JSON.stringify(answer.body), message)
      }
    }
  })

  it('shows of content users what REST shows of them', async () => {
    const schema = buildClientSchema(await ask(service.admin, getIntrospectionQuery()))
    const user = schema.getType('User')?.toConfig() as { fields?: object } | undefined
    const names = Object.keys(user?.fields ?? {})
    assert.ok(names.includes('username'))
    for (const name of ['email', 'passwordHash', 'role', 'tokenVersion', 'blocked'])
      assert.ok(!names.includes(name))
  })
})

/** Attributes that are required, in all ways that make it less than a promise. */
const required: Readonly<Record<string, object>> = {
  'note.json': type(
    'note',
    'notes',
    {
      title: { ...text, required: true },
      kind: { ...text, required: true, default: 'plain' },
      reason: { ...text, required: true, condition: { field: 'title', operator: 'eq', value: 'x' } },
      parent: { type: 'relation', relation: 'manyToOne', target: 'note', required: true },
      body: text,
      cover: { type: 'media' },
      parts: { type: 'component', component: 'shared.part', repeatable: true, required: true },
    },
    { options: { softDelete: true } },
  ),
  'idea.json': type(
    'idea',
    'ideas',
    { title: { ...text, required: true } },
    { options: { draftAndPublish: true, incompleteDrafts: true } },
  ),
  'components/shared.part.json': {
    ...{ uid: 'shared.part', category: 'shared', info: { displayName: 'Part' } },
    attributes: { name: { ...text, required: true }, more: text },
  },
}

describe('what the GraphQL schema promises', () => {
  let service: TestService
  let sdl: string
  before(async () => {
    service = await startService({ schemas: required })
    const options = { oneOf: true } as const
    sdl = printSchema(buildClientSchema(await ask(service.admin, getIntrospectionQuery(options))))
  })
  after(() => service.stop())

  const fieldsOf = (name: string) =>
    Object.fromEntries(
      (sdl.match(new RegExp(`(?:type|input) ${name} \\{([^}]*)\\}`))?.[1] ?? '')
        .replace(/"""[^"]*"""|\([^)]*\)/g, '')
        .split('\n')
        .flatMap((line) => {
          const [field, of] = line.trim().split(': ')
          return of === undefined ? [] : [[field, of]]
        }),
    )

  it('is what no entry can be saved without', () => {
    assert.deepEqual(fieldsOf('Note'), {
      ...{ id: 'Int!', uuid: 'String!', created_at: 'DateTime!', updated_at: 'DateTime!' },
      ...{ title: 'String!', kind: 'String!', reason: 'String', parent: 'Note', body: 'String' },
      cover: 'Media',
      parts: '[ComponentSharedPart!]!',
    })
    const { title, published_at } = fieldsOf('Idea')
    assert.deepEqual({ title, published_at }, { title: 'String', published_at: 'DateTime' })
    assert.deepEqual(fieldsOf('ComponentSharedPart'), { id: 'JSON', name: 'String!', more: 'String' })
    const { filename, url, size, width } = fieldsOf('Media')
    assert.deepEqual([filename, url, size, width], ['String!', 'String!', 'Int!', 'Int'])
    assert.deepEqual(fieldsOf('NotePage'), { data: '[Note!]!', pagination: 'Pagination!' })
  })

  it('is asked of new entries, not of changes', async () => {
    assert.deepEqual(fieldsOf('NoteInput'), {
      ...{ title: 'String!', kind: 'String', reason: 'String', parent: 'ID!', body: 'String' },
      cover: 'ID',
      parts: '[ComponentSharedPartInput!]!',
    })
    assert.ok(Object.values(fieldsOf('NoteUpdateInput')).every((of) => !String(of).endsWith('!')))
    assert.deepEqual(fieldsOf('IdeaInput'), { title: 'String' })
    const refused = await post(service.admin, 'mutation { createNote(data: { body: "x" }) { data { id } } }')
    const rest = await service.admin.post('/api/content/note', { body: 'x' })
    assert.deepEqual(refused.body.errors[0].extensions.details, rest.body.error.details)
    const titles = 'mutation ($data: IdeaInput!) { createIdea(data: $data) { data { title } } }'
    assert.deepEqual(await ask(service.admin, titles, { data: {} }), {
      createIdea: { data: { title: null } },
    })
    const changed = await ask(
      service.admin,
      'mutation ($data: IdeaInput!) { updateIdea(id: 1, data: $data) { data { title } } }',
      { data: { title: 'now' } },
    )
    assert.equal(changed.updateIdea.data.title, 'now')
  })

  it('costs nobody a page where an entry is older than the rule', async () => {
    const database = service.kernel.get(databaseService)
    const text = sql`insert into content_note (id, created_at, updated_at)
      select id, created_at, updated_at from svc_admin_users limit 1`
    await database.run(database.prepare(text, {}), {})
    const { notes } = await ask(service.admin, '{ notes { data { id title parts { name } } } }')
    assert.deepEqual(notes.data, [{ id: 1, title: null, parts: [] }])
  })
})
