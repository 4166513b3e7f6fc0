import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allow, create, dataOf, signUp, useContent, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { ask, codesIn, post } from './graphql-world.ts'

describe('GraphQL and rights', () => {
  const world = useContent('sqlite')
  let user: Client

  before(async () => {
    const shown = await create(world.admin, 'person', { name: 'Shown' })
    const draft = await create(world.admin, 'person', { name: 'Draft', boss: shown.id, friends: [shown.id] })
    await world.admin.put(`/api/content/person/${shown.id}/publish`)
    await world.admin.put(`/api/content/person/${shown.id}`, { friends: [draft.id], boss: draft.id })
    const tag = await create(world.admin, 'tag', { name: 'secret tag' })
    await create(world.admin, 'sample', {
      ...{ title: 'of a draft', owner: draft.id, tags: [tag.id] },
      links: [{ label: 'to a draft', person: draft.id, tags: [tag.id] }],
      blocks: [{ __component: 'test.link', label: 'block', person: draft.id }],
    })
    user = await signUp(world, 'reader')
  })

  it('refuses callers who may do nothing before anything is looked at', async () => {
    const anonymous = await post(world.anonymous, '{ no such syntax')
    assert.deepEqual([anonymous.status, anonymous.body.error.code], [401, 'UNAUTHENTICATED'])
    assert.equal((await post(user, '{ sampleList { data { id } } }')).status, 403)
    assert.equal((await world.anonymous.get('/api/graphql')).status, 401)
    assert.equal((await world.anonymous.get('/api/graphql?query={__typename}')).status, 401)
  })

  it('hides drafts wherever they are looked for', async () => {
    await allow(world, 'authenticated', { person: { read: true }, sample: { read: true } })
    const data = await ask(
      user,
      `{
        personList { data { id name boss { name } friends { name } staff { name } } pagination { total } }
        draft: person(id: 2) { data { id } }
        sampleList(filters: { owner: { null: true } }) {
          data { owner { name } links { person { name } } blocks { ... on ComponentTestLink { person { name } } } }
          pagination { total }
        }
        byDraft: sampleList(filters: { owner: { name: { eq: "Draft" } } }) { pagination { total } }
      }`,
    )
    assert.deepEqual(data, {
      personList: {
        data: [{ id: 1, name: 'Shown', boss: null, friends: [], staff: [] }],
        pagination: { total: 1 },
      },
      draft: { data: null },
      sampleList: {
        data: [{ owner: null, links: [{ person: null }], blocks: [{ person: null }] }],
        pagination: { total: 1 },
      },
      byDraft: { pagination: { total: 0 } },
    })
    const drafts = await post(user, '{ personList(published: false) { pagination { total } } }')
    assert.deepEqual([drafts.status, ...codesIn(drafts)], [403, 'FORBIDDEN'])
  })

  it('shows nothing of types that the caller may not read, from whatever side', async () => {
    for (const field of [
      'tagList { pagination { total } }',
      'tag(id: 1) { data { id } }',
      'home { data { id } }',
      'sampleList { data { tags { id } } }',
      'sampleList { data { links { tags { __typename } } } }',
      'sampleList(filters: { tags: { name: { startsWith: "s" } } }) { pagination { total } }',
      'personList { data { samples { tags { name } } } }',
      'personList { data { samples(filters: { tags: { name: { eq: "x" } } }) { id } } }',
    ]) {
      const answer = await post(user, `{ ${field} }`)
      assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], field)
      assert.equal(answer.body.data, undefined, field)
    }
  })

  it('answers what may be seen beside what may not, of types that the caller knows', async () => {
    const document =
      '{ drafts: personList(published: false) { data { id } } personList { pagination { total } } }'
    const answer = await post(user, document)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.data, { drafts: null, personList: { pagination: { total: 1 } } })
    assert.deepEqual(codesIn(answer), ['FORBIDDEN'])
    const closed = await post(user, '{ tagList { data { id } } personList { pagination { total } } }')
    assert.deepEqual([closed.status, ...codesIn(closed), closed.body.data], [403, 'FORBIDDEN', undefined])
  })

  it('does not tell types that are closed from those that are not there', async () => {
    for (const query of [
      '{ tagList { data { nope } } }',
      '{ nope { data { id } } }',
      '{ ...F } fragment F on Query { nope }',
      '{ sampleList { data { tags { nope } } } }',
      '{ sampleList { data { tags } } }',
      '{ sampleList { data { links { tags { nope } } } } }',
      '{ sampleList(filters: { tags: { nope: { eq: "x" } } }) { pagination { total } } }',
      '{ sampleList(filters: { tags: { name: { nope: "x" } } }) { pagination { total } } }',
      '{ sampleList { data { ... on Tag { name } } } }',
      '{ sampleList { data { ... on Nope { name } } } }',
      'query ($unused: TagFiltersInput) { sampleList { data { id } } }',
      'query ($unused: NopeFiltersInput) { sampleList { data { id } } }',
    ]) {
      const answer = await post(user, query)
      assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], query)
    }
    for (const name of ['Tag', 'Nope']) {
      const listed = `${name.toLowerCase()}List`
      const document = `query ($f: ${name}FiltersInput) { ${listed}(filters: $f) { data { id } } }`
      for (const [query, variables] of [
        [document, { f: { nope: 1 } }],
        [`query ($limit: Int) { ${listed}(limit: $limit) { data { id } } }`, { limit: 'x' }],
        [`{ ${listed}(limit: 100) { data { samples { samples { id } } } } }`, {}],
        [`{ ${name.toLowerCase()}(id: 1, uuid: "x") { data { id } } }`, {}],
        [`{ search(q: "x") { data { entry { ... on ${name} { name } } } } }`, {}],
        [
          `{ search(q: "x") { data { entry { __typename ... on ${name} @skip(if: true) { __typename } } } } }`,
          {},
        ],
      ] as const) {
        const answer = await post(user, query, variables)
        assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], query)
      }
    }
    const own = await post(user, '{ personList { data { nope } } }')
    assert.deepEqual([own.status, ...codesIn(own)], [400, 'VALIDATION_ERROR'])
    assert.doesNotMatch(JSON.stringify(own.body), /did you mean/i)
    for (const query of [
      '{ sampleList { data { links { nope } blocks { __component ... on ComponentTestLink { nope } } } } }',
      '{ sampleList(filters: { title: { nope: 1 } }) { pagination { total } } }',
      'query ($f: SampleFiltersInput) { sampleList { data { id } } }',
      '{ __schema { nope } }',
    ]) {
      const answer = await post(user, query)
      assert.deepEqual([answer.status, codesIn(answer)[0]], [400, 'VALIDATION_ERROR'], query)
    }
  })

  it('lets nobody write without the permission', async () => {
    for (const field of [
      'createSample(data: { title: "x" })',
      'updateSample(id: 1, data: { title: "x" })',
      'deleteSample(id: 1)',
      'publishPerson(id: 1)',
      'unpublishPerson(id: 1)',
      'updateHome(data: { headline: "x" })',
      'deleteHome',
    ]) {
      const answer = await post(user, `mutation { ${field} { data { id } } }`)
      assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], field)
    }
  })

  it('introspects what the caller may use', async () => {
    const query =
      '{ __schema { types { name } queryType { fields { name } } mutationType { fields { name } } } tag: __type(name: "Tag") { name } person: __type(name: "Person") { fields { name } } }'
    const all = await ask(world.admin, query)
    const some = await ask(user, query)
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
    assert.deepEqual(names(some.__schema.queryType.fields), [
      ...['personList', 'person', 'sampleList', 'sample'],
      ...['personListAggregate', 'sampleListAggregate', 'personListDistinct', 'sampleListDistinct', 'search'],
    ])
    assert.equal(some.__schema.mutationType, null)
    assert.equal(some.tag, null)
    assert.doesNotMatch(JSON.stringify(some.__schema.types), /Tag|Home|Memo/)
    assert.ok(names(all.__schema.mutationType.fields).includes('createTag'))
    assert.equal(all.tag.name, 'Tag')
    const writeOnly = await withScopes(world, 'content:write')
    const refused = await post(writeOnly, '{ __schema { queryType { name } } }')
    assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'])
    dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.introspection': false }))
    const off = await post(world.admin, '{ __schema { queryType { name } } }')
    assert.deepEqual([off.status, ...codesIn(off)], [403, 'FORBIDDEN'])
    dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.introspection': true }))
  })

  it('follows rights that change', async () => {
    await allow(world, 'public', { tag: { read: true } })
    const query = '{ tagList { data { name } } }'
    assert.deepEqual(await ask(world.anonymous, query), { tagList: { data: [{ name: 'secret tag' }] } })
    await allow(world, 'public', {})
    assert.equal((await post(world.anonymous, query)).status, 401)
  })
})
