import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  buildClientSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { graphqlExtensions } from '../../core-plugins/delivery/graphql/graphql.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { ask } from './graphql-world.ts'

const callers = [
  ...['nobody', 'user', 'outsideToken', 'readToken', 'writeToken', 'memoToken', 'mediaToken', 'fullToken'],
  ...['oneTypeEditor', 'editor', 'admin', 'superAdmin'],
] as const
type Caller = (typeof callers)[number]

/*
 * What is expected, written a second time and in another way than the service does it: what each caller may do with which
 * types, and what each field takes.
 */
type Ability = 'read' | 'create' | 'update' | 'delete' | 'publish' | 'drafts' | 'administrate'
type MediaAbility = 'media read' | 'media write' | 'media delete'

const types = ['article', 'memo', 'home', 'vault'] as const
type TypeName = (typeof types)[number]

const onContent: readonly Ability[] = ['read', 'create', 'update', 'delete', 'publish', 'drafts']
const onMedia: readonly MediaAbility[] = ['media read', 'media write', 'media delete']

type Abilities = Partial<Readonly<Record<TypeName, readonly Ability[]>>>
const onAllTypes = (...abilities: readonly Ability[]): Abilities =>
  Object.fromEntries(types.map((name) => [name, abilities]))

const abilitiesOf: Readonly<Record<Caller, Abilities & { readonly media?: readonly MediaAbility[] }>> = {
  nobody: {},
  user: { article: ['read', 'create'] },
  outsideToken: {},
  readToken: onAllTypes('read'),
  writeToken: onAllTypes('create', 'update', 'drafts'),
  memoToken: { memo: onContent },
  mediaToken: { media: ['media read'] },
  fullToken: { ...onAllTypes(...onContent, 'administrate'), media: onMedia },
  oneTypeEditor: { article: onContent },
  editor: { ...onAllTypes(...onContent), media: onMedia },
  admin: { ...onAllTypes(...onContent, 'administrate'), media: onMedia },
  superAdmin: { ...onAllTypes(...onContent, 'administrate'), media: onMedia },
}

/** What the fields of a type take; `*` is `Article`, `+` is `article`, and `#` is `articles`. */
const fieldsOfTypes: Readonly<Record<string, readonly Ability[]>> = {
  '#': ['read'],
  '+': ['read'],
  '+Changed': ['read'],
  '#Aggregate': ['read'],
  '#Distinct': ['read'],
  '+Localizations': ['read'],
  '+LocalizationDiff': ['read'],
  '+Workflow': ['update', 'drafts'],
  '+WorkflowHistory': ['update', 'drafts'],
  '+Draft': ['read', 'drafts'],
  '+Revisions': ['read', 'administrate'],
  '+RevisionDiff': ['read', 'administrate'],
  'create*': ['create'],
  'update*': ['update'],
  'delete*': ['delete'],
  'publish*': ['publish'],
  'unpublish*': ['publish'],
  'bulkCreate*': ['create'],
  'bulkUpdate*': ['update'],
  'bulkDelete*': ['delete'],
  'bulkPublish*': ['publish'],
  'bulkUnpublish*': ['publish'],
  'link*': ['update'],
  'unlink*': ['update'],
  'restore*': ['delete', 'administrate'],
  'purge*': ['delete', 'administrate'],
  'empty*Trash': ['delete', 'administrate'],
  'create*Localization': ['create', 'update', 'drafts'],
  'set*TranslationStatus': ['update'],
  'transition*': ['update'],
  'discard*Draft': ['update', 'drafts'],
  'restore*Revision': ['update', 'administrate'],
}

const ofFiles: Readonly<Record<string, MediaAbility>> = {
  media: 'media read',
  mediaFile: 'media read',
  mediaFolders: 'media read',
  updateMedia: 'media write',
  moveMedia: 'media write',
  bulkUpdateMedia: 'media write',
  bulkDeleteMedia: 'media delete',
  deleteMedia: 'media delete',
  createMediaFolder: 'media write',
  updateMediaFolder: 'media write',
  deleteMediaFolder: 'media delete',
}

/** May use the endpoint, and whoever may do that may use these. */
const insiders = callers.filter((caller) => Object.keys(abilitiesOf[caller]).length > 0)
const isReader = (caller: Caller) => types.some((name) => abilitiesOf[caller][name]?.includes('read'))

/** The rest. */
const others: Readonly<Record<string, (caller: Caller) => boolean>> = {
  search: isReader,
  _service: (caller) => isReader(caller) || abilitiesOf[caller].media !== undefined,
  // What it is asked for is of the type `article`.
  _entities: (caller) => may(caller, 'article', ['read']),
  bell: (caller) => insiders.includes(caller),
  ringBell: (caller) => caller === 'superAdmin',
}

function may(caller: Caller, type: TypeName, abilities: readonly Ability[]): boolean {
  return abilities.every((ability) => abilitiesOf[caller][type]?.includes(ability))
}

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

/** Who may use each field of `Query`, `Mutation` and `Subscription`, by its name. */
const expected = new Map<string, (caller: Caller) => boolean>([
  ...types.flatMap((type) =>
    Object.entries(fieldsOfTypes).map(([pattern, abilities]): [string, (caller: Caller) => boolean] => [
      pattern.replace('*', capital(type)).replace('+', type).replace('#', `${type}s`),
      (caller) => may(caller, type, abilities),
    ]),
  ),
  ...Object.entries(ofFiles).map(([name, ability]): [string, (caller: Caller) => boolean] => [
    name,
    (caller) => abilitiesOf[caller].media?.includes(ability) ?? false,
  ]),
  ...Object.entries(others),
])

const options = {
  draftAndPublish: true,
  draftOverlay: true,
  softDelete: true,
  i18n: { enabled: true, locales: ['en', 'de'] },
  workflow: {
    enabled: true,
    initialState: 'draft',
    states: [
      { name: 'draft', label: 'Draft' },
      { name: 'ready', label: 'Ready', publishable: true },
    ],
    transitions: [{ from: 'draft', to: 'ready', label: 'Done' }],
  },
}
const typeFile = (kind: string, name: string, attributes: object = {}) => ({
  [`${name}.json`]: {
    kind,
    info: { singularName: name, pluralName: `${name}s`, displayName: capital(name) },
    options: kind === 'singleType' ? { draftAndPublish: true } : options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const relationTo = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
const schemas = {
  ...typeFile('collectionType', 'article', { memo: relationTo('memo'), other: relationTo('article') }),
  ...typeFile('collectionType', 'memo', { article: relationTo('article'), other: relationTo('memo') }),
  ...typeFile('singleType', 'home'),
  ...typeFile('singleType', 'vault'),
}

const bells = definePlugin({
  name: 'bells',
  description: 'Rings.',
  register({ contribute }) {
    contribute(graphqlExtensions, {
      types: 'type Bell { name: String }',
      queries: { bell: { access: 'open', type: 'Bell', resolve: () => ({ name: 'a bell' }) } },
      mutations: { ringBell: { access: 'super-admin', type: 'Bell', resolve: () => ({ name: 'a bell' }) } },
    })
  },
})

const nowhere = 999_999_999

/** A value that fits a type; numbers lead to nothing that is there. */
function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType)
  if (isListType(type)) return `[${literalOf(type.ofType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField)
    return `{ ${required.map(({ name, type: of }) => `${name}: ${literalOf(of)}`).join(' ')} }`
  }
  return ['ID', 'Int'].includes(type.name) ? String(nowhere) : '"de"'
}

const takesKey: Readonly<Record<string, string>> = {
  _entities: 'representations: [{ __typename: "Article", id: 1 }]',
  ...Object.fromEntries(types.slice(0, 2).map((name) => [name, `id: ${nowhere}`])),
}

/** The field with as little as it takes, under a name that does not tell which one it is. */
function asked({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const literal = ({ name: argument, type: of }: GraphQLArgument) => `${argument}: ${literalOf(of)}`
  const given = takesKey[name] ?? args.filter(isRequiredArgument).map(literal).join(', ')
  const isComposite = isCompositeType('ofType' in type && isNonNullType(type) ? type.ofType : type)
  const inside = isComposite || isListType('ofType' in type ? type.ofType : type) ? ' { __typename }' : ''
  return `x: ${name}${given === '' ? '' : `(${given})`}${inside}`
}

interface Told {
  readonly status: number
  readonly text: string
}

describe('permission matrix of GraphQL', () => {
  let service: TestService
  let whole: GraphQLSchema
  let tokens: Readonly<Record<Caller, string | undefined>>
  /** The documents by the names of their fields. */
  const documents = new Map<string, string>()

  before(async () => {
    const env = { SVC_API_GRAPHQL_FEDERATION: 'true', SVC_LOCALIZATION_LOCALES: 'en,de' }
    service = await startService({ schemas, plugins: [bells], env })
    await allow('authenticated', { article: { read: true, create: true } })
    const every = { read: true, create: true, update: true, delete: true, publish: true }
    await newRole('one type', { article: every })
    const token = async (...scopes: string[]) => (await newApiToken(service, scopes)).token
    const onMemos = ['read', 'write', 'delete', 'publish'].map((each) => `content:${each}:memo`)
    const admin = async (role: string) => (await newAdmin(service, role)).token
    tokens = {
      nobody: undefined,
      user: (await newUser(service)).token,
      outsideToken: await token('admin:jobs:read'),
      readToken: await token('content:read'),
      writeToken: await token('content:write'),
      memoToken: await token(...onMemos),
      mediaToken: await token('media:read'),
      fullToken: await token('admin:*'),
      oneTypeEditor: await admin('one type'),
      editor: await admin('editor'),
      admin: await admin('admin'),
      superAdmin: await admin('super-admin'),
    }
    whole = buildClientSchema(await ask(service.admin, getIntrospectionQuery()))
    for (const [operation, root] of rootsOf(whole)) {
      for (const field of Object.values(root.getFields())) {
        documents.set(field.name, `${operation} { ${asked(field)} }`)
      }
    }
  })
  after(() => service?.stop())

  function rootsOf(schema: GraphQLSchema) {
    const roots = [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
      ['subscription', schema.getSubscriptionType()],
    ] as const
    return roots.flatMap(([operation, root]) => (root ? [[operation, root] as const] : []))
  }

  async function newRole(name: string, content: object): Promise<void> {
    const role = { name, permissions: { content, media: {} } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
  }

  async function allow(role: string, content: object): Promise<void> {
    const { body } = expectStatus(await service.admin.get('/api/admin/roles'), 200)
    const id = body.data.find(({ name }: { name: string }) => name === role).id
    const permissions = { content, media: {} }
    expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
  }

  /** What somebody is told; of a subscription that has begun no more than that. */
  async function send(caller: Caller, query: string): Promise<Told> {
    const token = tokens[caller]
    const end = new AbortController()
    const response = await fetch(`${service.url}/api/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(query.startsWith('subscription') ? { accept: 'text/event-stream' } : {}),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, operationName: query.includes('Asked') ? 'Asked' : undefined }),
      signal: end.signal,
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const text = isStream ? 'events' : await response.text()
    if (isStream) end.abort()
    return { status: response.status, text: text.replaceAll(/"requestId":"[^"]*"/g, '') }
  }

  it('names all fields that there are', () => {
    const unknown = [...documents.keys()].filter((name) => !expected.has(name))
    assert.deepEqual(unknown, [], 'say in this test who may use them')
    const forms = new Set([...expected.keys()].filter((name) => documents.has(name)))
    for (const pattern of Object.keys(fieldsOfTypes)) {
      const ofArticle = pattern.replace('*', 'Article').replace('+', 'article').replace('#', 'articles')
      assert.ok(forms.has(ofArticle), `${ofArticle} is not there any more`)
    }
    for (const name of [...Object.keys(ofFiles), ...Object.keys(others)]) assert.ok(forms.has(name), name)
  })

  /** `*` is the name of a type, `+` that of its fields: of one that is closed, or of none. */
  const aboutTypes = [
    '{ x: +s { data { id } } }',
    '{ x: +s(limit: 100) { data { other { other { other { title } } } } } }',
    '{ x: +(id: 1, uuid: "x") { data { id } } }',
    '{ articles { data { id } } x: +s { data { id } } }',
    '{ articles { data { id } } x: +s @skip(if: true) { data { id } } }',
    'query Asked { x: articles { data { id } } } query Other { x: +s { data { id } } }',
    'query Other { x: +s { data { id } } } query Asked { x: articles { data { id } } }',
    '{ articles { data { ... on * { id } } } }',
    '{ articles { data { id ...F } } } fragment F on * { id }',
    'query ($f: *FiltersInput) { articles { data { id } } }',
    'query ($f: *FiltersInput) { x: +s(filters: $f) { data { id } } }',
    '{ search(q: "x", types: ["+"]) { data { id } } }',
    '{ search(q: "x") { data { entry { ... on * { title } } } } }',
    '{ search(q: "x") { data { entry { ... on * @skip(if: true) { title } } } } }',
    '{ _entities(representations: [{ __typename: "*", id: 1 }]) { __typename } }',
    '{ _entities(representations: [{ __typename: "Article", id: 1 }]) { ... on * { id } } }',
    '{ x: +sAggregate(groupBy: [title]) { data { count } } }',
    '{ x: +sDistinct { title { values { value } } } }',
    '{ __type(name: "*") { name } }',
    '{ __type(name: "*FiltersInput") { name } }',
    'mutation { createArticle(data: { title: "in vain" }) { data { id } } x: delete*(id: 1) { data { id } } }',
    'mutation { createArticle(data: { title: "in vain" }) { data { id } } x: bulkDelete*(ids: [1]) { ids } }',
    'mutation ($data: *UpdateInput!) { x: update*(id: 1, data: $data) { data { id } } }',
    'subscription { x: +Changed(ids: [1]) { id } }',
    'subscription { x: +Changed { nope } }',
  ]

  it('tells nobody whether there is a type that is closed to them, whatever is asked', async () => {
    for (const caller of ['user', 'oneTypeEditor', 'mediaToken'] as const) {
      for (const pattern of aboutTypes) {
        const about = (name: string) => pattern.replaceAll('*', capital(name)).replaceAll('+', name)
        const [closed, none] = [await send(caller, about('memo')), await send(caller, about('nope'))]
        assert.deepEqual(closed, none, `${caller}: ${pattern}`)
      }
    }
    const { articles } = await ask(
      service.admin,
      '{ articles(filters: { title: { eq: "in vain" } }) { pagination { total } } }',
    )
    assert.equal(articles.pagination.total, 0)
  })

  for (const caller of callers) {
    it(`lets ${caller} use what they may`, async () => {
      const wrong: string[] = []
      for (const [name, document] of documents) {
        const told = await send(caller, document)
        const isAllowed = expected.get(name)?.(caller) === true
        const isRefused = /"code":"(FORBIDDEN|UNAUTHENTICATED)"/.test(told.text)
        if (isRefused === isAllowed || told.status >= 500) wrong.push(`${name}: ${told.status} ${told.text}`)
      }
      assert.deepEqual(wrong, [])
    })

    it(`tells ${caller} nothing of types that are closed to them`, async () => {
      const hidden = types.filter((name) => (abilitiesOf[caller][name] ?? []).length === 0)
      for (const [name, document] of documents) {
        const hiddenType = hidden.find((type) => name.toLowerCase().includes(type))
        if (hiddenType === undefined || hidden.length === types.length) continue
        const unknown = document.replace(name, name.replace(new RegExp(hiddenType, 'i'), 'nothing'))
        assert.deepEqual(await send(caller, document), await send(caller, unknown), name)
      }
    })

    it(`shows ${caller} the same in introspection`, async () => {
      const mayAsk = others._service?.(caller) === true
      const told = await send(caller, getIntrospectionQuery())
      assert.equal(told.status === 200, mayAsk, told.text)
      if (!mayAsk) return
      const shown = buildClientSchema(JSON.parse(told.text).data)
      const names = rootsOf(shown).flatMap(([, root]) => Object.keys(root.getFields()))
      const usable = [...documents.keys()].filter((name) => expected.get(name)?.(caller))
      // Which types can be asked for stands in its arguments.
      const hasEntities = isReader(caller) ? ['_entities'] : []
      const nothing = usable.some((name) => documents.get(name)?.startsWith('query')) ? [] : ['nothing']
      const all = new Set([...usable, ...hasEntities, ...nothing])
      assert.deepEqual(new Set(names), all)
      const hidden = types.filter((name) => (abilitiesOf[caller][name] ?? []).length === 0)
      const seen = hidden.flatMap((name) => told.text.match(new RegExp(`.{60}${name}.{20}`, 'gi')) ?? [])
      assert.deepEqual(seen, [])
    })
  }
})
