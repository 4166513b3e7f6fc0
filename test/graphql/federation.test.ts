import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { allow, create, read, useContent } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { ask, codesIn, countStatements, post } from './graphql-world.ts'

const env = { SVC_API_GRAPHQL_FEDERATION: 'true' }

const entities = `query ($of: [_Any!]!) {
  _entities(representations: $of) { __typename ... on Person { id name boss { name } } ... on Sample { title } }
}`

eachDatabase(({ name }) => {
  describe('A subgraph', () => {
    const world = useContent(name, [], env)
    const uuidOf = async (type: string, id: number) =>
      String((await read(world.admin, type, id, '?fields=uuid')).uuid)
    let draft: number

    before(async () => {
      const ada = await create(world.admin, 'person', { name: 'Ada' })
      const bob = await create(world.admin, 'person', { name: 'Bob', boss: ada.id })
      for (const { id } of [ada, bob]) await world.admin.put(`/api/content/person/${id}/publish`)
      draft = (await create(world.admin, 'person', { name: 'Ghost' })).id
      await create(world.admin, 'sample', { title: 'Alpha' })
      await allow(world, 'public', { person: { read: true } })
    })

    const find = async (client: Client, of: readonly object[]) =>
      (await ask(client, entities, { of }))._entities

    it('answers entries by id and by uuid, in the order in which they are asked for', async () => {
      const found = await find(world.admin, [
        { __typename: 'Sample', uuid: await uuidOf('sample', 1) },
        { __typename: 'Person', id: 2, name: 'ignored' },
        { __typename: 'Person', id: 999 },
        { __typename: 'Person', id: '1' },
        { __typename: 'Person', uuid: await uuidOf('person', 2) },
        { __typename: 'Person', id: 2 },
      ])
      const bob = { __typename: 'Person', id: 2, name: 'Bob', boss: { name: 'Ada' } }
      assert.deepEqual(found, [
        { __typename: 'Sample', title: 'Alpha' },
        bob,
        null,
        { __typename: 'Person', id: 1, name: 'Ada', boss: null },
        bob,
        bob,
      ])
    })

    it('takes entries from the document as well', async () => {
      const document =
        '{ _entities(representations: [{ __typename: "Person", id: 1 }]) { ... on Person { name } } }'
      assert.deepEqual(await ask(world.admin, document), { _entities: [{ name: 'Ada' }] })
      assert.deepEqual(await find(world.admin, []), [])
    })

    it('reads each type and key once, however many are asked for', async () => {
      const people = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ __typename: 'Person', id: index + 1 }))
      const few = await countStatements(world.service, () => find(world.admin, people(2)))
      const many = await countStatements(world.service, () => find(world.admin, people(90)))
      assert.deepEqual([few, many], [2, 2])
      const two = [...people(40), { __typename: 'Sample', id: 1 }]
      assert.equal(await countStatements(world.service, () => find(world.admin, two)), 3)
    })

    it('does not tell what is hidden from what is not there', async () => {
      const representations = [
        { __typename: 'Person', id: draft },
        { __typename: 'Person', id: 999 },
        { __typename: 'Person', uuid: await uuidOf('person', draft) },
        { __typename: 'Person', uuid: '0190a5f0-0000-7000-8000-000000000000' },
      ]
      const document = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { name } } }'
      const shown = await ask(world.anonymous, document, { of: representations })
      assert.deepEqual(shown, { _entities: [null, null, null, null] })
      const seen = await ask(world.admin, document, { of: representations })
      assert.deepEqual(seen._entities.map(Boolean), [true, false, true, false])
    })

    it('does not tell types that are closed from those that are not there', async () => {
      const answers: unknown[] = []
      for (const typeName of ['Sample', 'Tag', 'Nope', 'Query', 'Media', '__proto__']) {
        for (const key of [{ id: 1 }, {}, { id: -1 }]) {
          const of = [
            { __typename: 'Person', id: 1 },
            { __typename: typeName, ...key },
          ]
          const answer = await post(
            world.anonymous,
            'query ($of: [_Any!]!) { _entities(representations: $of) { __typename } }',
            { of },
          )
          answers.push([answer.status, answer.body.data, answer.body.errors])
        }
      }
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, JSON.stringify(answers))
      assert.equal((answers[0] as unknown[])[0], 401)
      for (const fragment of ['... on Tag { name }', '... on Tag { __typename }', '... on Nope { name }']) {
        const of = [{ __typename: 'Person', id: 1 }]
        const document = `query ($of: [_Any!]!) { _entities(representations: $of) { __typename ${fragment} } }`
        const answer = await post(world.anonymous, document, { of })
        assert.deepEqual([answer.status, ...codesIn(answer)], [401, 'UNAUTHENTICATED'], fragment)
      }
    })

    it('refuses what names no entry, all of it at once', async () => {
      const wrong = [
        ...[null, 7, 'Person', [], {}, { id: 1 }, { __typename: 7, id: 1 }, { __typename: 'Person' }],
        ...[
          { id: 0 },
          { id: 1.5 },
          { id: '1e3' },
          { id: { $gt: 0 } },
          { id: '9'.repeat(17) },
          { uuid: 7 },
          { uuid: [] },
        ].map((key) => ({ __typename: 'Person', ...key })),
      ]
      const of = [{ __typename: 'Person', id: 1 }, ...wrong.slice(1)]
      const answer = await post(world.admin, entities, { of })
      assert.deepEqual([answer.status, ...codesIn(answer)], [400, 'VALIDATION_ERROR'])
      const { details } = answer.body.errors[0].extensions
      assert.deepEqual(
        details.map(({ path }: { path: string }) => path),
        of.slice(1).map((_, index) => `representations.${index + 1}`),
      )
      for (const one of wrong.slice(0, 1))
        assert.equal((await post(world.admin, entities, { of: [one] })).status, 400)
      const unknown = await post(world.admin, entities, { of: [{ __typename: 'Nope', id: 1 }] })
      assert.deepEqual([unknown.status, ...codesIn(unknown)], [400, 'VALIDATION_ERROR'])
    })

    it('bounds what is asked for at once', async () => {
      const people = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ __typename: 'Person', id: index + 1 }))
      const many = await post(world.admin, entities, { of: people(1_001) })
      assert.deepEqual([many.status, ...codesIn(many)], [400, 'VALIDATION_ERROR'])
      const dear = await post(
        world.admin,
        'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { friends { friends { id name age } } } } }',
        { of: people(600) },
      )
      assert.deepEqual([dear.status, dear.body.errors[0].extensions.details[0].code], [400, 'cost'])
    })

    it('tells gateways what the caller may use', async () => {
      const { _service } = await ask(world.anonymous, '{ _service { sdl } }')
      assert.match(_service.sdl, /type Person @key\(fields: "id"\) @key\(fields: "uuid"\) \{/)
      assert.doesNotMatch(_service.sdl, /Sample|Tag|_Entity|_Any|_Service|_entities/)
      const all = await ask(world.admin, '{ _service { sdl } }')
      assert.match(all._service.sdl, /type Sample @key/)
      assert.doesNotMatch(all._service.sdl, /type (Media|User|ComponentTestSeo|Pagination) @key/)
      const off = await world.admin.put('/api/admin/config', { 'api.graphql.introspection': false })
      assert.equal(off.status, 200)
      assert.deepEqual(await ask(world.anonymous, '{ _service { sdl } }'), { _service })
      const both = await post(world.anonymous, '{ _service { sdl } __schema { queryType { name } } }')
      assert.deepEqual(codesIn(both), ['FORBIDDEN'])
      await world.admin.put('/api/admin/config', { 'api.graphql.introspection': true })
    })
  })
})

describe('A supergraph', () => {
  const world = useContent('sqlite', [], env)

  it('is composed of the service and of a subgraph that refers to its entries', async () => {
    const { _service } = await ask(world.admin, '{ _service { sdl } }')
    const ratings = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      type Query { best: Sample worst: Person }
      type Sample @key(fields: "id") { id: Int! stars: Int! }
      type Person @key(fields: "uuid") { uuid: String! fans: Int! }`
    const composed = composeServices([
      { name: 'content', typeDefs: parse(_service.sdl), url: 'http://content' },
      { name: 'ratings', typeDefs: parse(ratings), url: 'http://ratings' },
    ])
    assert.deepEqual(composed.errors ?? [], [])
    const { supergraphSdl = '' } = composed as { supergraphSdl?: string }
    assert.match(supergraphSdl, /type Sample[^{]*@join__type\(graph: RATINGS, key: "id"\)/)
    assert.match(supergraphSdl, /type Person[^{]*@join__type\(graph: RATINGS, key: "uuid"\)/)
  })
})

describe('A service that is no subgraph', () => {
  const world = useContent('sqlite')

  it('knows nothing of federation', async () => {
    for (const document of ['{ _service { sdl } }', '{ _entities(representations: []) { __typename } }']) {
      const answer = await post(world.admin, document)
      assert.deepEqual([answer.status, ...codesIn(answer)], [400, 'VALIDATION_ERROR'])
    }
    const { __schema } = await ask(world.admin, '{ __schema { types { name } } }')
    assert.doesNotMatch(JSON.stringify(__schema), /_Any|_Entity|_Service/)
  })
})
