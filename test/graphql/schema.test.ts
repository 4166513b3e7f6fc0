import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql'
import { startService, type TestService } from '../support/service.ts'
import { ask } from './graphql-world.ts'

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
    assert.equal(fields.length, 2 * 9)
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

  it('shows of content users what REST shows of them', async () => {
    const schema = buildClientSchema(await ask(service.admin, getIntrospectionQuery()))
    const user = schema.getType('User')?.toConfig() as { fields?: object } | undefined
    const names = Object.keys(user?.fields ?? {})
    assert.ok(names.includes('username'))
    for (const name of ['email', 'passwordHash', 'role', 'tokenVersion', 'blocked'])
      assert.ok(!names.includes(name))
  })
})
