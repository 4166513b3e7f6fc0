import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql'
import { type GraphqlRootCaller, graphqlExtensions } from '../../core-plugins/delivery/graphql/graphql.ts'
import { AppError, policies } from '../../core-plugins/foundation/http/http.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { definePlugin, pluginErred } from '../../kernel/index.ts'
import { allow, create, signUp, useContent, withScopes } from '../api/content-world.ts'
import { type Client, createClient } from '../support/client.ts'
import { ask, codesIn, post } from './graphql-world.ts'

type Args = Readonly<Record<string, unknown>>

/** What was resolved, in order. */
let calls: { field: string; args: Args; caller: GraphqlRootCaller }[] = []
const faults: string[] = []

const types = `
  enum Tone { LOW HIGH }
  input BellInput { tone: Tone! = LOW, times: Int, inside: BellInput, at: DateTime }
  type Bell { name: String! tone: Tone times: Int inside: Bell echo(of: String): String }
`

const noted =
  (field: string, answer: (args: Args) => unknown) =>
  async (args: Args, caller: GraphqlRootCaller): Promise<unknown> => {
    calls.push({ field, args, caller })
    return answer(args)
  }

const bell = ({ bell: given }: Args) => ({ name: 'a bell', ...(given as object) })

const open = { access: 'open' } as const

const bells = definePlugin({
  name: 'bells',
  description: 'Rings.',
  register({ contribute, on }) {
    on(pluginErred, ({ plugin, where }) => void faults.push(`${plugin}: ${where}`))
    contribute(policies, {
      name: 'bells.isTall',
      check: async ({ principal }) => principal.kind === 'user' && principal.username === 'tall',
    })
    contribute(graphqlExtensions, {
      types,
      queries: {
        bell: {
          ...open,
          type: 'Bell',
          arguments: 'bell: BellInput!',
          description: 'A "bell"',
          resolve: noted('bell', bell),
        },
        filtered: {
          ...open,
          type: 'JSON',
          arguments: 'filters: BellInput',
          resolve: noted('filtered', (args) => args),
        },
        manyBells: {
          ...open,
          type: '[Bell!]',
          arguments: 'count: Int!',
          resolve: noted('manyBells', ({ count }) => Array.from({ length: Number(count) }, () => bell({}))),
        },
        wrongBell: {
          ...open,
          type: 'Bell',
          resolve: noted('wrongBell', () => ({ name: null, tone: 'LOUD' })),
        },
        noBell: { ...open, type: 'Bell', resolve: () => undefined },
        lostBell: {
          ...open,
          type: 'Bell',
          resolve: () => {
            throw new AppError('CONFLICT', 'is lost', {
              details: [{ path: 'bell', code: 'lost', message: 'is lost' }],
            })
          },
        },
        brokenBell: { ...open, type: 'Bell', resolve: () => Promise.reject(new Error('a secret')) },
        tallBell: {
          type: 'Bell',
          access: 'permission',
          scope: 'content:read',
          policies: ['bells.isTall'],
          resolve: noted('tallBell', bell),
        },
        adminBell: {
          type: 'AdminBell',
          access: 'area',
          scope: 'admin:metrics:read',
          resolve: noted('adminBell', () => ({})),
        },
      },
      mutations: {
        ring: {
          type: 'Bell',
          access: 'admin-user',
          arguments: 'bell: BellInput',
          resolve: noted('ring', bell),
        },
        ringForAll: { ...open, type: 'Bell', resolve: noted('ringForAll', bell) },
      },
    })
  },
})

const broken = (name: string, field: object) =>
  definePlugin({
    name,
    description: 'Adds what cannot be used.',
    register({ contribute }) {
      const defaults = { ...open, type: 'String', resolve: () => '' }
      contribute(graphqlExtensions, { queries: { ...{ [`${name}Query`]: { ...defaults, ...field } } } })
    },
  })

const clash = (name: string, kind: 'queries' | 'mutations', field: string, clashing = '') =>
  definePlugin({
    name,
    description: 'Adds what is there already.',
    register({ contribute }) {
      const definition = { ...open, type: 'String', resolve: () => '' }
      contribute(graphqlExtensions, { types: clashing, [kind]: { [field]: definition } })
    },
  })

/** `AdminBell` is only met by those who may use the field that leads to it. */
const withAdminBell = definePlugin({ ...bells, register: (context) => bells.register?.(withType(context)) })

// biome-ignore lint/suspicious/noExplicitAny: any point is passed through
function withType(context: any): any {
  return {
    ...context,
    // biome-ignore lint/suspicious/noExplicitAny: likewise
    contribute(point: unknown, value: any) {
      if (point !== graphqlExtensions) return context.contribute(point, value)
      context.contribute(point, { ...value, types: `${types} type AdminBell { weight: Float }` })
    },
  }
}

describe('queries and mutations of plugins in GraphQL', () => {
  const world = useContent('sqlite', [
    mountPlugin(withAdminBell, { space: 'bells', listenerTimeoutMs: 1_000 }),
    broken('nullless', { type: 'String!' }),
    broken('policyless', { access: 'permission', policies: ['nobody.has'] }),
    broken('accessless', { access: 'everyone' }),
    broken('typeless', { type: 'Nope' }),
    broken('hidden', { arguments: '__a: String' }),
    clash('list-clash', 'queries', 'personList'),
    clash('plugin-clash', 'queries', 'bell'),
    clash('write-clash', 'mutations', 'createPerson'),
    clash('name-clash', 'queries', 'a: String } type X { b'),
    clash('own-name', 'queries', '__own'),
  ])
  let user: Client
  let tall: Client

  before(async () => {
    const { id } = await create(world.admin, 'person', { name: 'Ann' })
    await world.admin.put(`/api/content/person/${id}/publish`)
    user = await signUp(world, 'reader')
    tall = await signUp(world, 'tall')
    await allow(world, 'authenticated', { person: { read: true } })
  })

  beforeEach(() => {
    calls = []
  })

  it('are answered with arguments as their types coerce them, under any name', async () => {
    const data = await ask(
      user,
      `query ($in: BellInput!) {
        a: bell(bell: $in) { name tone times __typename inside { tone } }
        bell(bell: { tone: HIGH, inside: { times: 2 } }) { ...on Bell { tone inside { times tone } } }
        personList { data { name } }
      }`,
      { in: { times: 3, at: '2026-01-01T00:00:00.000Z' } },
    )
    assert.deepEqual(data, {
      a: { name: 'a bell', tone: 'LOW', times: 3, __typename: 'Bell', inside: null },
      bell: { tone: 'HIGH', inside: { times: 2, tone: 'LOW' } },
      personList: { data: [{ name: 'Ann' }] },
    })
    assert.equal(calls[0]?.caller.principal.kind, 'user')
    assert.ok(calls[0]?.caller.ip)
  })

  it('get arguments as they were sent, whatever they are called', async () => {
    assert.deepEqual(await ask(user, '{ filtered(filters: { times: null }) }'), {
      filtered: { filters: { times: null, tone: 'LOW' } },
    })
    assert.deepEqual(await ask(user, '{ noBell { name } }'), { noBell: null })
  })

  it('are resolved anew each time, with arguments of their own', async () => {
    const query = '{ bell(bell: { times: 1 }) { times } }'
    await ask(user, query)
    ;(calls[0]?.args.bell as { times: number }).times = 99
    assert.deepEqual(await ask(tall, query), { bell: { times: 1 } })
    assert.equal(calls.length, 2)
  })

  it('are for those who would pass such a route', async () => {
    for (const [client, query, status] of [
      [world.admin, 'mutation { ring { name } }', 200],
      [user, 'mutation { ring { name } }', 401],
      [user, 'mutation { ringForAll { name } }', 200],
      [tall, '{ tallBell { name } }', 200],
      [user, '{ tallBell { name } }', 403],
      [world.admin, '{ adminBell { weight } }', 200],
      [tall, '{ adminBell { weight } }', 401],
      [createClient(world.service.url), '{ bell(bell: {}) { name } }', 401],
    ] as const) {
      calls = []
      const answer = await post(client, query)
      assert.equal(answer.status, status, `${query} ${JSON.stringify(answer.body)}`)
      assert.equal(calls.length, status === 200 ? 1 : 0, query)
      if (status === 403) assert.deepEqual(codesIn(answer), ['FORBIDDEN'])
    }
    const tokens = [
      await withScopes(world, 'content:read'),
      await withScopes(world, 'content:read', 'admin:metrics:read'),
    ]
    const statuses = await Promise.all(
      tokens.map(async (token) => (await post(token, '{ adminBell { weight } }')).status),
    )
    assert.deepEqual(statuses, [403, 200])
  })

  it('are hidden from those who may not use them, with their types', async () => {
    const whole = buildClientSchema(await ask(world.admin, getIntrospectionQuery()))
    assert.deepEqual(validateSchema(whole), [])
    assert.equal(whole.getQueryType()?.getFields().bell?.description, 'A "bell"')
    const shown = async (client: Client) => {
      const schema = buildClientSchema(await ask(client, getIntrospectionQuery()))
      return {
        fields: ['bell', 'tallBell', 'adminBell'].filter((name) => schema.getQueryType()?.getFields()[name]),
        mutations: Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) =>
          name.startsWith('ring'),
        ),
        types: ['Bell', 'AdminBell'].filter((name) => schema.getType(name)),
      }
    }
    assert.deepEqual(await shown(user), { fields: ['bell'], mutations: ['ringForAll'], types: ['Bell'] })
    assert.deepEqual(await shown(tall), {
      fields: ['bell', 'tallBell'],
      mutations: ['ringForAll'],
      types: ['Bell'],
    })
    assert.deepEqual(await shown(world.admin), {
      fields: ['bell', 'adminBell'],
      mutations: ['ring', 'ringForAll'],
      types: ['Bell', 'AdminBell'],
    })
    const probes = [
      '{ adminBell { nope } }',
      '{ nothingAtAll { nope } }',
      '{ bell(bell: {}) { ... on AdminBell { weight } } }',
    ]
    for (const query of probes) assert.equal((await post(user, query)).status, 403, query)
    assert.equal((await post(user, '{ bell(bell: {}) { nope } }')).status, 400)
  })

  it('fail by themselves, with the codes of REST', async () => {
    const answer = await post(
      user,
      '{ lostBell { name } wrongBell { name tone } brokenBell { name } bell(bell: {}) { name } }',
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.data, {
      lostBell: null,
      wrongBell: null,
      brokenBell: null,
      bell: { name: 'a bell' },
    })
    assert.deepEqual(answer.body.errors[0], {
      message: 'is lost',
      path: ['lostBell'],
      extensions: { code: 'CONFLICT', details: [{ path: 'bell', code: 'lost', message: 'is lost' }] },
    })
    assert.ok(
      codesIn(answer)
        .slice(1)
        .every((code) => code === 'INTERNAL_ERROR'),
    )
    assert.doesNotMatch(JSON.stringify(answer.body), /secret|LOUD/)
    assert.deepEqual(faults, ['bells: the GraphQL field brokenBell'])
    assert.equal((await post(user, '{ lostBell { name } }')).status, 409)
  })

  it('are validated, and cost as much as what they answer', async () => {
    for (const [query, code] of [
      ['{ bell { name } }', undefined],
      ['{ bell(bell: { tone: LOUD }) { name } }', undefined],
      ['{ bell(bell: { nope: 1 }) { name } }', undefined],
      ['{ bell(bell: {}) }', undefined],
      [`{ ${Array.from({ length: 300 }, (_, at) => `b${at}: bell(bell: {}) { name }`).join(' ')} }`, 'cost'],
      [`{ bell(bell: {}) { ${'inside { '.repeat(12)} name ${'}'.repeat(12)} } }`, 'depth'],
    ] as const) {
      const answer = await post(user, query)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.errors[0].extensions.details?.[0].code, code)
    }
    assert.equal(calls.length, 0)
    const large = await post(user, '{ manyBells(count: 2000000) { name } }')
    assert.equal(large.status, 400, JSON.stringify(large.body).slice(0, 200))
    assert.match(large.body.errors[0].extensions.code, /VALIDATION_ERROR|PAYLOAD/)
  })

  it('run one after the other in mutations, and never by GET', async () => {
    const data = await ask(
      world.admin,
      'mutation { ring(bell: { times: 1 }) { times } b: ring(bell: { times: 2 }) { times } createPerson(data: { name: "New" }) { data { name } } }',
    )
    assert.deepEqual(data, { ring: { times: 1 }, b: { times: 2 }, createPerson: { data: { name: 'New' } } })
    calls = []
    const query = encodeURIComponent('mutation { ringForAll { name } }')
    assert.equal((await user.get(`/api/graphql?query=${query}`)).status, 405)
    assert.equal(calls.length, 0)
  })

  it('are left out, and named in the log, where they cannot be used', async () => {
    await ask(user, '{ bell(bell: {}) { name } }')
    const logged = world.service.logLines.filter(({ message }) => message.includes('are left out'))
    assert.deepEqual(
      logged.map(({ plugin }) => plugin),
      [
        ...['nullless', 'policyless', 'accessless', 'typeless', 'hidden', 'list-clash', 'plugin-clash'],
        ...['write-clash', 'name-clash', 'own-name'],
      ],
    )
  })
})
