import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { type Caller, expectStatus, newApiToken, newUser } from './auth-callers.ts'

const collection = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes,
  },
})
const schemas = {
  ...collection('open', {
    title: { type: 'string' },
    one: { type: 'relation', relation: 'manyToOne', target: 'closed', inversedBy: 'opens' },
    many: { type: 'relation', relation: 'manyToMany', target: 'closed' },
    part: { type: 'component', component: 'shared.part' },
    picture: { type: 'media' },
    from: { type: 'relation', relation: 'oneToMany', target: 'closed', mappedBy: 'to' },
  }),
  ...collection('closed', {
    secret: { type: 'string' },
    opens: { type: 'relation', relation: 'oneToMany', target: 'open', mappedBy: 'one' },
    to: { type: 'relation', relation: 'manyToOne', target: 'open', inversedBy: 'from' },
  }),
  'components/shared.part.json': {
    uid: 'shared.part',
    category: 'shared',
    info: { displayName: 'Part' },
    attributes: {
      text: { type: 'string' },
      link: { type: 'relation', relation: 'manyToOne', target: 'closed' },
      links: { type: 'relation', relation: 'manyToMany', target: 'closed' },
    },
  },
}
const may = { read: true, create: true, update: true }
const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data

/** Whoever may not read a type cannot find out anything about its entries through types that lead to it. */
describe('types that a caller may not read', () => {
  let service: TestService
  let writer: Caller
  let closed: number
  let open: number
  let missing: number

  before(async () => {
    service = await startService({ schemas })
    const roles: { id: number; name: string }[] = dataOf(await service.admin.get('/api/admin/roles'))
    const publicRole = roles.find(({ name }) => name === 'public')?.id
    const permissions = { content: { open: { read: true } }, media: {} }
    expectStatus(await service.admin.put(`/api/admin/roles/${publicRole}`, { permissions }), 200)
    const role = { name: 'writer', permissions: { content: { open: may }, media: {} } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    writer = await newUser(service, 'writer')
    closed = dataOf(await service.admin.post('/api/content/closed', { secret: 'x' }), 201).id
    const part = { text: 't', link: closed, links: [closed] }
    const body = { title: 'One', one: closed, many: [closed], part }
    open = dataOf(await service.admin.post('/api/content/open', body), 201).id
    expectStatus(await service.admin.put(`/api/content/closed/${closed}`, { to: open }), 200)
    expectStatus(await service.admin.post('/api/content/open', { title: 'Two' }), 201)
    missing = closed + 1000
  })
  after(() => service?.stop())

  const callers = (): [string, Client, number][] => [
    ['anonymous', service, 401],
    ['a content user', writer.client, 403],
  ]

  it('show as empty in whatever leads to them', async () => {
    for (const [who, client] of callers()) {
      for (const query of ['', '?populate=*', '?fields=one,many,part']) {
        const list = dataOf(await client.get(`/api/content/open${query}`))
        const entry = list.find(({ id }: { id: number }) => id === open)
        const one = dataOf(await client.get(`/api/content/open/${open}${query}`))
        for (const { one: toOne, many, part } of [entry, one]) {
          assert.deepEqual([toOne, many], [null, []], `${who} ${query}`)
          assert.deepEqual([part.link, part.links], [null, []], `${who} ${query}`)
        }
      }
    }
    const seen = dataOf(await service.admin.get(`/api/content/open/${open}`))
    assert.deepEqual(
      [seen.one, seen.many, seen.part.link, seen.part.links],
      [closed, [closed], closed, [closed]],
    )
  })

  it('cannot be filtered, grouped or aggregated by, be it by id alone', slow, async () => {
    const fields = ['one', 'many', 'from']
    const filters = (field: string) => [
      `filters[${field}]=${closed}`,
      `filters[${field}][$eq]=${closed}`,
      `filters[${field}][$ne]=${closed}`,
      `filters[${field}][$in]=${closed},${missing}`,
      `filters[${field}][$notIn]=${closed}`,
      `filters[${field}][$gt]=0`,
      `filters[${field}][$null]=true`,
      `filters[${field}][$notNull]=true`,
      `filters[${field}][$not][$null]=true`,
      `filters[$not][${field}]=${closed}`,
      `filters[$or][0][title]=a&filters[$or][1][${field}]=${closed}`,
      `filters[${field}][id]=${closed}`,
      `filters[${field}][secret]=x`,
      `filters[${field}][nothing]=x`,
      `filters[${field}]=nothing`,
    ]
    for (const [who, client, refusal] of callers()) {
      for (const filter of fields.flatMap(filters)) {
        for (const path of ['/api/content/open?', '/api/content/open/aggregate?function=count&']) {
          assert.equal((await client.get(`${path}${filter}`)).status, refusal, `${who} ${path}${filter}`)
          assert.notEqual((await service.admin.get(`${path}${filter}`)).status, refusal)
        }
      }
      for (const field of fields) {
        const groups = field === 'from' ? [] : [`function=count&groupBy[]=${field}`]
        for (const query of [`function=count&field=${field}`, ...groups]) {
          const answer = await client.get(`/api/content/open/aggregate?${query}`)
          assert.equal(answer.status, refusal, `${who} ${query}`)
        }
        assert.equal((await client.get(`/api/content/open?populate=${field}`)).status, refusal)
        assert.equal((await client.get(`/api/content/open?sort=${field}`)).status, 400)
      }
    }
  })

  it('cannot be found out about by other questions of a list', slow, async () => {
    const inside = [`=${closed}`, '[secret]=x', '[nothing]=x', '[$null]=true', '[$not][secret]=x']
    const queries = [
      ...['link', 'links'].flatMap((name) => inside.map((each) => `open?filters[part][${name}]${each}`)),
      ...['secret', 'nothing', 'id'].map((name) => `open?sort=one.${name}`),
      ...['one', 'many', 'from'].flatMap((name) => [
        `open?populate[${name}]=true`,
        `open?populate[${name}][fields]=secret`,
        `open?populate[${name}][filters][secret]=x`,
        `open?populate[${name}][nothing]=x`,
        `open/${open}?populate[${name}][fields]=id`,
        `open/distinct?field=title&filters[${name}]=${closed}`,
        `open/distinct?field=title&filters[${name}][secret]=x&ownFilters=false`,
        `open/distinct?field=title&populate=${name}`,
      ]),
      ...['many', 'from'].map((name) => `open?populate[${name}][total]=true&populate[${name}][limit]=0`),
      'open?populate[many][sort]=secret',
      'open?populate=part.link',
      'open?populate[part][populate][links][total]=true',
      'open?populate[part][on][shared.part][populate][link][fields]=secret',
      'open/distinct?field=one',
      'open/distinct?field=many,title',
      ...['one', 'many', 'from', 'part.link', 'part.links', 'one.opens', 'one.to.from'].flatMap((name) =>
        ['secret', 'nothing', 'id'].map((inner) => `open/distinct?field=${name}.${inner}`),
      ),
      'open/distinct?field=part.link,part.links',
      'open/distinct?field=title,part.link.secret&populate=nothing',
      'open/distinct?field=title,nothing&filters[one][nothing]=1',
    ]
    for (const [who, client, refusal] of callers()) {
      for (const query of queries) {
        assert.equal((await client.get(`/api/content/${query}`)).status, refusal, `${who} ${query}`)
        assert.notEqual((await service.admin.get(`/api/content/${query}`)).status, refusal, query)
      }
      assert.equal((await client.get('/api/content/closed/distinct?field=secret')).status, refusal)
      assert.equal((await client.get('/api/content/closed/distinct?field=nothing')).status, refusal)
    }
  })

  it('cannot be filtered by in GraphQL, neither written out nor by a variable', async () => {
    const ask = (client: Client, query: string, variables = {}) =>
      client.post('/api/graphql', { query, variables })
    const queries: [string, object][] = [
      [`{ opens(filters: { one: { id: { eq: ${closed} } } }) { data { id } } }`, {}],
      ['query ($f: OpenFilters) { opens(filters: $f) { data { id } } }', { f: { one: { id: closed } } }],
      ['{ opens { data { id one { id } } } }', {}],
      ['{ __type(name: "Closed") { name fields { name } } }', {}],
    ]
    for (const [query, variables] of queries) {
      const { body } = await ask(writer.client, query, variables)
      assert.ok(!JSON.stringify(body).includes('"secret"'), JSON.stringify(body))
      assert.ok(body.errors !== undefined || body.data?.__type === null, `${query}: ${JSON.stringify(body)}`)
    }
  })

  it('answer a link to a hidden entry as they answer one to nothing', async () => {
    const { client } = writer
    const without = (answer: Answer, id: number) =>
      JSON.stringify([answer.status, answer.body.error.code, answer.body.error.details]).replaceAll(
        String(id),
        '#',
      )
    const bodies = (id: number) => [
      { one: id },
      { many: [id] },
      { part: { text: 't', link: id } },
      { part: { text: 't', links: [id] } },
    ]
    for (const [index, body] of bodies(closed).entries()) {
      for (const send of [
        (sent: object) => client.post('/api/content/open', { title: 'x', ...sent }),
        (sent: object) => client.put(`/api/content/open/${open}`, sent),
      ]) {
        const answers = [await send(body), await send(bodies(missing)[index] ?? {})] as const
        assert.equal(answers[0].status, 400)
        assert.equal(without(answers[0], closed), without(answers[1], missing))
      }
    }
    for (const field of ['one', 'many', 'from']) {
      for (const id of [closed, missing]) {
        const path = (verb: string) => `/api/content/open/${open}/${verb}/${field}`
        expectStatus(await client.post(path('link'), { id }), 403)
        expectStatus(await client.delete(path('unlink'), { id }), 403)
      }
    }
  })

  it('keep what leads to them where somebody sends back what they have read', async () => {
    const read = dataOf(await writer.client.get(`/api/content/open/${open}`))
    const written = dataOf(await writer.client.put(`/api/content/open/${open}`, { ...read, title: 'New' }))
    assert.deepEqual([written.title, written.one, written.many], ['New', null, []])
    const seen = dataOf(await service.admin.get(`/api/content/open/${open}`))
    assert.deepEqual([seen.title, seen.one, seen.many], ['New', closed, [closed]])
    // Whoever may read them may take them out.
    const other = dataOf(await service.admin.post('/api/content/open', { one: closed, many: [closed] }), 201)
    const emptied = dataOf(await service.admin.put(`/api/content/open/${other.id}`, { one: null, many: [] }))
    assert.deepEqual([emptied.one, emptied.many], [null, []])
  })

  it('are not in the API document of that caller, and neither is what else they may not use', async () => {
    const document = async (client: Client) => {
      const { status, body } = await client.get('/api/_docs/openapi.json')
      assert.equal(status, 200)
      return { paths: Object.keys(body.paths), text: JSON.stringify(body) }
    }
    const own = await document(writer.client)
    assert.ok(own.paths.includes('/content/open/{id}'))
    assert.ok(own.paths.includes('/auth/me'))
    assert.deepEqual(
      own.paths.filter((path) =>
        /closed|\/admin\/(api-tokens|users|jobs|backups|config)|webhooks|publish/.test(path),
      ),
      [],
    )
    assert.ok(!own.text.includes('secret'))
    assert.ok(!/"title":"closed"/.test(own.text))
    const whole = await document(service.admin)
    for (const path of ['/content/closed/{id}', '/admin/api-tokens', '/admin/auth/register', '/webhooks']) {
      assert.ok(whole.paths.includes(path), path)
    }
    const reader = await newApiToken(service, ['content:read'])
    const { paths } = await document(reader.client)
    assert.ok(paths.includes('/content/closed/{id}') && !paths.includes('/admin/api-tokens'))
    const operations = (await reader.client.get('/api/_docs/openapi.json')).body.paths['/content/open/{id}']
    assert.deepEqual(Object.keys(operations), ['get'])
  })
})
