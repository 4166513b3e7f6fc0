import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql'
import { type GraphqlFieldQuery, graphqlExtensions } from '../../core-plugins/delivery/graphql/graphql.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { allow, create, dataOf, signUp, useContent } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { ask, codesIn, countStatements, post } from './graphql-world.ts'

/** What the loader of `badge` was called with, call by call. */
let calls: GraphqlFieldQuery[][] = []

const types = `
  enum Size { SMALL LARGE }
  type Badge { text: String! size: Size length: Int madeAt: DateTime }
`

const badges = definePlugin({
  name: 'badges',
  description: 'Gives people and tags a badge.',
  register({ contribute }) {
    const badge = {
      type: 'Badge',
      arguments: 'prefix: String = "the"',
      description: 'What is "written" on it',
      needs: ['name'],
      async load(queries: readonly GraphqlFieldQuery[]) {
        calls.push([...queries])
        return queries.map(({ entry, args }) => {
          if (entry.name === 'Wrong') return new AppError('CONFLICT', 'has lost the badge')
          const text = `${args.prefix} ${entry.name}`
          return { text, size: 'SMALL', length: text.length, madeAt: '2026-01-01T00:00:00.000Z' }
        })
      },
    }
    const shouts = { type: '[String!]', load: () => Promise.reject(new Error('the shouts are gone')) }
    const echo = {
      type: 'String',
      arguments: 'of: String!',
      load: async (queries: readonly GraphqlFieldQuery[]) => queries.map(({ args }) => args.of),
    }
    contribute(graphqlExtensions, {
      types,
      fieldsOf: ({ name }) => (['person', 'tag'].includes(name) ? { badge, shouts, echo } : {}),
    })
  },
})

const clashing = definePlugin({
  name: 'clashing',
  description: 'Adds what is there already.',
  register({ contribute }) {
    const load = async () => []
    contribute(graphqlExtensions, {
      fieldsOf: ({ name }) => (name === 'tag' ? { name: { type: 'String', load } } : {}),
    })
  },
})

const unwritten = definePlugin({
  name: 'unwritten',
  description: 'Adds what nobody can read.',
  register({ contribute }) {
    const load = async () => []
    contribute(graphqlExtensions, { fieldsOf: () => ({ nope: { type: 'Nope', load } }) })
  },
})

describe('fields of plugins in GraphQL', () => {
  const world = useContent('sqlite', [badges, clashing, unwritten])
  let user: Client

  before(async () => {
    const shown = await create(world.admin, 'person', { name: 'Shown' })
    const draft = await create(world.admin, 'person', { name: 'Draft', boss: shown.id })
    await world.admin.put(`/api/content/person/${shown.id}/publish`)
    await create(world.admin, 'person', { name: 'Other', boss: shown.id, friends: [shown.id, draft.id] })
    const tag = await create(world.admin, 'tag', { name: 'secret' })
    await create(world.admin, 'sample', {
      ...{ title: 'a', owner: shown.id, tags: [tag.id] },
      blocks: [{ __component: 'test.link', label: 'block', person: shown.id, tags: [tag.id] }],
    })
    await create(world.admin, 'sample', { title: 'b', owner: draft.id })
    user = await signUp(world, 'reader')
    await allow(world, 'authenticated', { person: { read: true }, sample: { read: true } })
  })

  beforeEach(() => {
    calls = []
  })

  it('are answered for all entries of a level at once, with what they need', async () => {
    const { personList } = await ask(
      world.admin,
      '{ personList(sort: "id") { data { id badge { text size length madeAt __typename } } pagination { total } } }',
    )
    assert.deepEqual(personList.data[1], {
      id: 2,
      badge: {
        ...{ text: 'the Draft', size: 'SMALL', length: 9, madeAt: '2026-01-01T00:00:00.000Z' },
        __typename: 'Badge',
      },
    })
    assert.equal(personList.pagination.total, 3)
    assert.deepEqual(
      calls.map((queries) => queries.map(({ entry }) => entry)),
      [
        [
          { id: 1, name: 'Shown' },
          { id: 2, name: 'Draft' },
          { id: 3, name: 'Other' },
        ],
      ],
    )
  })

  it('are found wherever their entries are, under any name and with arguments', async () => {
    const data = await ask(
      world.admin,
      `query ($p: String, $more: Boolean!) {
        sampleList(sort: "id") { data {
          title
          boss: owner { who: badge(prefix: $p) { text } name }
          owner { badge { text } }
          blocks { __component ... on ComponentTestLink { label people: person { badge { text } } } }
          tags @include(if: $more) { badge { text } }
        } }
        person(id: "1") { data { a: badge(prefix: "x") { text } badge { text } } }
        __typename
      }`,
      { p: 'a', more: false },
    )
    const badge = (text: string) => ({ badge: { text } })
    const block = { __component: 'test.link', label: 'block', people: badge('the Shown') }
    assert.deepEqual(data, {
      sampleList: {
        data: [
          {
            ...{ title: 'a', boss: { who: { text: 'a Shown' }, name: 'Shown' }, owner: badge('the Shown') },
            blocks: [block],
          },
          {
            ...{ title: 'b', boss: { who: { text: 'a Draft' }, name: 'Draft' }, owner: badge('the Draft') },
            blocks: [],
          },
        ],
      },
      person: { data: { a: { text: 'x Shown' }, ...badge('the Shown') } },
      __typename: 'Query',
    })
  })

  it('ask the database for nothing more than the entries', async () => {
    const plain = '{ personList { data { name } } }'
    const extended = '{ personList { data { badge { text } } } }'
    const statements = (query: string) => countStatements(world.service, () => ask(world.admin, query))
    assert.equal(await statements(extended), await statements(plain))
  })

  it('fail by themselves', async () => {
    await create(world.admin, 'person', { name: 'Wrong' })
    const answer = await post(
      world.admin,
      '{ personList(sort: "id") { data { name badge { text } } } tagList { data { name shouts } } }',
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.data.personList.data[0], { name: 'Shown', badge: { text: 'the Shown' } })
    assert.deepEqual(answer.body.data.personList.data[3], { name: 'Wrong', badge: null })
    assert.deepEqual(answer.body.data.tagList, { data: [{ name: 'secret', shouts: null }] })
    assert.deepEqual(answer.body.errors[0], {
      message: 'has lost the badge',
      path: ['personList', 'data', 3, 'badge'],
      extensions: { code: 'CONFLICT' },
    })
    assert.deepEqual(answer.body.errors[1].path, ['tagList', 'data', 0, 'shouts'])
    assert.deepEqual(codesIn(answer), ['CONFLICT', 'INTERNAL_ERROR'])
    assert.doesNotMatch(JSON.stringify(answer.body), /shouts are gone/)
    await world.admin.delete('/api/content/person/4')
  })

  it('never get an entry that the caller may not see', async () => {
    const hidden = await post(
      user,
      '{ tagList { data { badge { text } } } personList { pagination { limit } } }',
    )
    assert.deepEqual([hidden.status, ...codesIn(hidden)], [403, 'FORBIDDEN'])
    assert.equal((await post(user, '{ sampleList { data { tags { badge { text } } } } }')).status, 403)
    assert.equal((await post(user, '{ tagList { data { nope } } }')).status, 403)
    assert.equal(calls.length, 0)
    const { sampleList } = await ask(user, '{ sampleList(sort: "id") { data { owner { badge { text } } } } }')
    assert.deepEqual(sampleList.data, [{ owner: { badge: { text: 'the Shown' } } }, { owner: null }])
    assert.deepEqual(
      calls.flat().map(({ entry }) => entry.id),
      [1],
    )
  })

  it('are told to those who may read their entries', async () => {
    const whole = buildClientSchema(await ask(world.admin, getIntrospectionQuery()))
    assert.deepEqual(validateSchema(whole), [])
    const fieldsOf = async (client: Client, type: string) => {
      const { __type: told } = await ask(
        client,
        `{ personList { data { badge { text } } } __type(name: "${type}") { fields { name } } }`,
      )
      return told?.fields.map(({ name }: { name: string }) => name)
    }
    assert.ok((await fieldsOf(world.admin, 'Tag')).includes('badge'))
    assert.ok((await fieldsOf(user, 'Person')).includes('badge'))
    assert.equal(await fieldsOf(user, 'Tag'), undefined)
  })

  it('are answered after a write', async () => {
    const { createPerson: made } = await ask(
      world.admin,
      'mutation { createPerson(data: { name: "New" }) { data { badge { text } boss { badge { text } } } } }',
    )
    assert.deepEqual(made, { data: { badge: { text: 'the New' }, boss: null } })
  })

  it('cost as much as what is read', async () => {
    dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.maxCost': 400 }))
    const one = '{ personList(limit: 10) { data { badge { text } } } }'
    await ask(world.admin, one)
    const several =
      '{ personList(limit: 10) { data { a: badge { text } b: badge { text } c: badge { text } } } }'
    const dear = await post(world.admin, several)
    assert.deepEqual([dear.status, dear.body.errors[0].extensions.details[0].code], [400, 'cost'])
    dataOf(await world.admin.put('/api/admin/config', { 'api.graphql.maxCost': 20_000 }))
    const large = await post(world.admin, 'query ($of: String!) { personList { data { echo(of: $of) } } }', {
      of: 'x'.repeat(6_000_000),
    })
    assert.ok(large.status === 400 || large.status === 413, String(large.status))
  })

  it('are validated as all others are', async () => {
    for (const query of [
      '{ personList { data { badge } } }',
      '{ personList { data { badge { nope } } } }',
      '{ personList { data { echo } } }',
      '{ personList { data { echo(of: null) } } }',
      '{ personList { data { badge(prefix: 5) { text } } } }',
    ]) {
      const answer = await post(world.admin, query)
      assert.deepEqual([answer.status, codesIn(answer)[0]], [400, 'VALIDATION_ERROR'], query)
      assert.equal(answer.body.data, undefined)
    }
  })

  it('are left out, and named in the log, where they cannot be used', async () => {
    const logged = world.service.logLines.filter(({ message }) => message.includes('are left out'))
    assert.deepEqual(
      logged.map(({ plugin }) => plugin),
      ['clashing', 'unwritten'],
    )
    assert.deepEqual(await ask(world.admin, '{ tagList { data { name } } }'), {
      tagList: { data: [{ name: 'secret' }] },
    })
  })
})
