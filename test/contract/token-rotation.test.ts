import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { apiTokensTable } from '../../core-plugins/accounts/auth/tables.ts'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { httpService } from '../../core-plugins/foundation/http/http.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, problemsOf } from '../api/auth-callers.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const tokens = '/api/admin/api-tokens'
const articles = '/api/content/article'
const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

interface Listed {
  readonly id: number
  readonly expiresAt: string | null
  readonly last_used_at: string | null
  readonly former_values: { valid_until: string; last_used_at: string | null }[]
}

eachDatabase((database) => {
  let service: TestService
  before(async () => {
    service = await startService({ database: database.name })
  })
  after(() => service.stop())

  const rotate = (id: number, body: object, by: Client = service.admin) =>
    by.post(`${tokens}/${id}/rotate`, body)
  const clientOf = (token: string) => createClient(service.url, token)
  const statusOf = async (client: Client, path = articles) => (await client.get(path)).status
  const listed = async (id: number): Promise<Listed> =>
    dataOf(await service.admin.get(tokens)).find((token: Listed) => token.id === id)

  it('lets the former value work beside the new one, shows both in use, and revokes both', async () => {
    const old = await newApiToken(service, ['content:read:article'], { expiresAt: inDays(5) })
    assert.equal(await statusOf(old.client), 200)
    const { expiresAt } = await listed(old.id)
    const askedAt = Date.now()
    const { token, ...issued } = dataOf(await rotate(old.id, { graceMinutes: 30 }))
    assert.deepEqual([issued.id, issued.expiresAt, issued.last_used_at], [old.id, expiresAt, null])
    const [former, ...others] = issued.former_values
    assert.deepEqual(others, [])
    const endMs = Date.parse(former.valid_until)
    assert.ok(endMs >= askedAt + 30 * 60_000 && endMs <= Date.now() + 30 * 60_000, former.valid_until)

    const fresh = clientOf(token)
    assert.deepEqual([await statusOf(old.client), await statusOf(fresh)], [200, 200])
    assert.deepEqual(
      [await statusOf(old.client, '/api/content/category'), await statusOf(fresh, '/api/content/category')],
      [403, 403],
    )
    await until(async () => {
      const { last_used_at, former_values } = await listed(old.id)
      return last_used_at !== null && former_values[0]?.last_used_at != null
    })
    const audited = dataOf(await service.admin.get(`/api/admin/audit-logs?action=api_token.rotate`))
    assert.equal(audited[0].resource, `api_token:${old.id}`)
    assert.deepEqual(audited[0].details, { fields: ['graceMinutes'] })

    expectStatus(await service.admin.delete(`${tokens}/${old.id}`), 200)
    assert.deepEqual([await statusOf(old.client), await statusOf(fresh)], [401, 401])
  })

  it('keeps several former values, so that a new one which got lost leaves no gap, but few', async () => {
    const old = await newApiToken(service, ['content:read'])
    for (let count = 0; count < 5; count++)
      expectStatus(await rotate(old.id, { graceMinutes: 10 + count }), 200)
    assert.equal(await statusOf(old.client), 200)
    expectStatus(await rotate(old.id, { graceMinutes: 5 }), 409)
    const ends = (await listed(old.id)).former_values.map(({ valid_until }) => valid_until)
    assert.equal(ends.length, 5)
    assert.deepEqual(ends, [...ends].sort())
    const { former_values } = dataOf(await service.admin.post(`${tokens}/${old.id}/regenerate`))
    assert.deepEqual(former_values, [])
    assert.equal(await statusOf(old.client), 401)
    assert.deepEqual((await listed(old.id)).former_values, [])
  })

  it('ends a former value when the token would have ended, whatever its new end', slow, async () => {
    const end = new Date(Date.now() + 1_500).toISOString()
    const old = await newApiToken(service, ['content:read'], { expiresAt: end })
    const { token, former_values, expiresAt } = dataOf(
      await rotate(old.id, { graceMinutes: 60, expiresAt: null }),
    )
    assert.deepEqual([former_values[0].valid_until, expiresAt], [end, null])
    assert.equal(await statusOf(old.client), 200)
    await until(async () => (await statusOf(old.client)) === 401)
    assert.equal(await statusOf(clientOf(token)), 200)
    assert.deepEqual((await listed(old.id)).former_values, [])
  })

  it('names all problems, and bounds the time', async () => {
    const { id } = await newApiToken(service, ['content:read'])
    const wrong = await rotate(id, { graceMinutes: 0, expiresAt: '2020-01-01T00:00:00Z' })
    assert.deepEqual(problemsOf(expectStatus(wrong, 400)), { graceMinutes: 'minimum', expiresAt: 'past' })
    for (const graceMinutes of [7 * 24 * 60 + 1, 1.5, '30', -1, null]) {
      expectStatus(await rotate(id, { graceMinutes }), 400)
    }
    expectStatus(await rotate(id, {}), 400)
    expectStatus(await rotate(999_999, { graceMinutes: 1 }), 404)
  })

  it('gives nobody more than making such a token would', async () => {
    const target = await newApiToken(service, ['content:write'])
    const weak = await newApiToken(service, ['admin:tokens:write', 'content:read'])
    expectStatus(await rotate(target.id, { graceMinutes: 1 }, weak.client), 403)
    const reader = await newApiToken(service, ['admin:tokens:read', 'content:write'])
    expectStatus(await rotate(target.id, { graceMinutes: 1 }, reader.client), 403)
    const editor = await newAdmin(service, 'editor')
    expectStatus(await rotate(target.id, { graceMinutes: 1 }, editor.client), 403)
    assert.deepEqual((await listed(target.id)).former_values, [])
  })

  it('lets a token rotate itself, but not prolong itself', async () => {
    const own = await newApiToken(service, ['admin:tokens:write', 'content:read'], { expiresAt: inDays(3) })
    for (const expiresAt of [null, inDays(4)]) {
      expectStatus(await rotate(own.id, { graceMinutes: 1, expiresAt }, own.client), 403)
    }
    const child = dataOf(
      await own.client.post(tokens, { name: 'child', scopes: ['admin:tokens:write', 'content:read'] }),
      201,
    )
    expectStatus(await rotate(own.id, { graceMinutes: 1, expiresAt: null }, clientOf(child.token)), 403)
    const { token, expiresAt } = dataOf(
      await rotate(own.id, { graceMinutes: 1, expiresAt: inDays(2) }, own.client),
    )
    assert.ok(expiresAt < inDays(2.1))
    assert.deepEqual([await statusOf(own.client), await statusOf(clientOf(token))], [200, 200])
  })

  it('leaves a former value the rights of its maker, who may be gone', async () => {
    const maker: Caller = await newAdmin(service, 'admin')
    const scopes = ['content:read', 'admin:tokens:write', 'webhooks:write']
    const old = dataOf(await maker.client.post(tokens, { name: 'of a maker', scopes }), 201)
    const { token } = dataOf(await rotate(old.id, { graceMinutes: 60 }))
    // What it made, or a value that it gave itself, would have the rights of the new maker.
    expectStatus(await rotate(old.id, { graceMinutes: 60 }, clientOf(old.token)), 403)
    expectStatus(await clientOf(old.token).post(`${tokens}/${old.id}/regenerate`), 403)
    expectStatus(await clientOf(old.token).post(tokens, { name: 'child', scopes: ['content:read'] }), 403)
    const hook = { name: 'h', url: 'https://example.com/', events: ['entry.create'] }
    expectStatus(await clientOf(old.token).post('/api/webhooks', hook), 403)
    expectStatus(await clientOf(token).post(tokens, { name: 'child', scopes: ['content:read'] }), 201)

    expectStatus(await service.admin.put(`/api/admin/users/${maker.id}`, { blocked: true }), 200)
    assert.deepEqual([await statusOf(clientOf(old.token)), await statusOf(clientOf(token))], [401, 200])
    // And rotating what is dead already wakes up nothing.
    const dead = dataOf(await rotate(old.id, { graceMinutes: 60 }))
    assert.equal(await statusOf(clientOf(old.token)), 401)
    assert.equal(await statusOf(clientOf(dead.token)), 200)
  })

  it('ends tokens after the default time, unless never is asked for', async () => {
    const make = async (more: object) =>
      dataOf(await service.admin.post(tokens, { name: 't', scopes: ['content:read'], ...more }), 201)
        .expiresAt
    const end = Date.parse(await make({}))
    assert.ok(Math.abs(end - Date.parse(inDays(90))) < 60_000)
    assert.equal(await make({ expiresAt: null }), null)
    const settings = (days: number) =>
      service.admin.put('/api/admin/config', { 'security.tokens.defaultLifetimeDays': days })
    expectStatus(await settings(2), 200)
    assert.ok((await make({})) < inDays(2.1))
    expectStatus(await settings(0), 400)
    expectStatus(await settings(90), 200)
  })

  it('warns of a token that ends soon until it has a later end or is gone', async () => {
    const soon = async (name: string) => {
      const { id } = await newApiToken(service, ['content:read'], { name, expiresAt: inDays(20) })
      return id as number
    }
    const [rotated, revoked, neither] = [await soon('Website "A"'), await soon('Import'), await soon('Kept')]
    await newApiToken(service, ['content:read'], { expiresAt: inDays(40) })
    await newApiToken(service, ['content:read'], { name: 'short', expiresAt: inDays(2) })
    const open = async () => {
      const path = '/api/admin/operational-alerts?status=open&kind=api_token_expiring'
      const alerts: { details: { tokenId: number } }[] = dataOf(await service.admin.get(path))
      return alerts.map(({ details }) => details.tokenId).sort((left, right) => left - right)
    }
    const schedules: { id: number; name: string }[] = dataOf(
      await service.admin.get('/api/admin/scheduled-jobs'),
    )
    const schedule = schedules.find(({ name }) => name === 'auth.warn-of-expiring-tokens')
    const look = async () => {
      expectStatus(await service.admin.post(`/api/admin/scheduled-jobs/${schedule?.id}/run`), 202)
      await service.kernel.get(jobsService).drain()
    }
    await look()
    assert.deepEqual(
      await open(),
      [],
      'neither of those that end later, nor of one that was made for two days',
    )
    const age = apiTokensTable
      .on(service.kernel.get(databaseService))
      .update(['expiresAt', 'createdAt'], ['id'])
    for (const id of [rotated, revoked, neither]) {
      await age.run({ id, expiresAt: inDays(9), createdAt: inDays(-80) })
    }
    await look()
    assert.deepEqual(await open(), [rotated, revoked, neither])
    expectStatus(await rotate(rotated, { graceMinutes: 5, expiresAt: inDays(90) }), 200)
    expectStatus(await service.admin.delete(`${tokens}/${revoked}`), 200)
    assert.deepEqual(await open(), [neither])
    await look()
    assert.deepEqual(await open(), [neither])
    expectStatus(await rotate(neither, { graceMinutes: 5 }), 200)
    await look()
    assert.deepEqual(await open(), [neither], 'which ends as soon as before')
  })

  it(
    'tells a token that is limited to a type nothing of anything else, whatever route it asks',
    slow,
    async () => {
      const { admin, kernel } = service
      const made = async (path: string, body: object) =>
        dataOf(await admin.post(path, body), 201).id as number
      const author = await made('/api/content/author', { name: 'Hilda zqxauthor' })
      const category = await made('/api/content/category', { name: 'zqxcategory', slug: 'zqxcategory' })
      const article = await made(articles, {
        title: 'Shown',
        slug: 'limited-shown',
        author,
        categories: [category],
      })
      dataOf(await admin.put(`${articles}/${article}`, { title: 'zqxformer' }))
      dataOf(await admin.put(`${articles}/${article}`, { title: 'Shown' }))
      dataOf(await admin.put(`${articles}/${article}/publish`, {}))
      const draft = await made(articles, { title: 'zqxdraft', slug: 'limited-draft', author })
      await made(`/api/content/author/${author}/comments`, { body: 'zqxcomment' })
      await made(`${articles}/${article}/comments`, { body: 'zqxremark' })
      const { client } = await newApiToken(service, ['content:read:article'], { name: 'limited' })

      const { routes, apiPrefix } = kernel.get(httpService)
      const asked = routes.filter(
        ({ method, rawResponse, access }) =>
          method === 'GET' && rawResponse !== 'text/event-stream' && access !== 'open',
      )
      const queries = [
        ...[
          '',
          'populate=*',
          'populate=author.articles,categories',
          'meta=true',
          'draft=true',
          'published=false',
        ],
        ...[
          'deleted=true',
          'q=zq',
          'search=hilda',
          'groupBy[]=author&function=count',
          'fields=title,author&limit=100',
        ],
        ...[
          'function=count',
          'function=count&groupBy[]=categories',
          'from=2020-01-01&to=2040-01-01',
          'wait=0',
          'since=',
        ],
      ]
      const answered = new Set<string>()
      for (const route of asked) {
        const paths = [article, draft, author, category].flatMap((id) =>
          ['article', 'author'].map((type) =>
            `${route.mountedAt === 'root' ? '' : apiPrefix}${route.path}`
              .replace(':type', type)
              .replace(':name', type)
              .replace(/:\w+|\*$/g, String(id)),
          ),
        )
        for (const path of new Set(paths)) {
          for (const query of queries) {
            const answer = await client.get(query === '' ? path : `${path}?${query}`)
            assert.ok(answer.status < 500, `${path}?${query}: ${answer.status}`)
            const text = JSON.stringify(answer.body)
            assert.ok(!/zqx/i.test(text), `${path}?${query} tells ${text.match(/.{60}zqx.{20}/i)?.[0]}`)
            if (answer.status === 200) answered.add(route.name)
          }
        }
      }
      for (const name of [
        'content:entries.list',
        'content:search.find',
        'changes:snapshot.read',
        'content:entries.aggregate',
      ]) {
        assert.ok(answered.has(name), `${name} is asked in vain`)
      }
    },
  )

  it('lets a token that is limited to a type guess nothing of others by filters and order', async () => {
    const hop = 'filters[author][name][$startsWith]=H'
    const { client } = await newApiToken(service, ['content:read:article'])
    const guesses = [
      ...[
        `${articles}?${hop}`,
        `${articles}?sort=author.name`,
        `${articles}/aggregate?function=count&${hop}`,
      ],
      ...[
        `${articles}?filters[$not][author][name][$eq]=x`,
        `${articles}?filters[$or][0][categories][name][$eq]=x`,
      ],
      ...[
        `${articles}/aggregate?function=count&groupBy[]=author.name`,
        `${articles}?populate[categories][filters][name]=x`,
      ],
      ...[`${articles}?distinct=author.name`, `${articles}/distinct?field=author.name`],
    ]
    for (const path of guesses) {
      const answer = await client.get(path)
      const isUnaffected = JSON.stringify(answer.body) === JSON.stringify((await client.get(articles)).body)
      assert.ok(
        answer.status >= 400 || (isUnaffected && path.includes('populate')),
        `${path}: ${answer.status}`,
      )
      assert.ok(answer.status < 500, path)
    }
    for (const query of [
      '{ articles(filters: { author: { name: { startsWith: "H" } } }) { data { id } } }',
      '{ articles { data { author { name } } } }',
      '{ articles(sort: "author.name") { data { id } } }',
      '{ authors { data { name } } }',
      'mutation { updateArticle(id: 1, data: { title: "x" }) { data { id } } }',
      'mutation { createAuthor(data: { name: "x" }) { data { id } } }',
    ]) {
      const { body } = await client.post('/api/graphql', { query })
      assert.ok(body.errors?.length > 0, `${query}: ${JSON.stringify(body)}`)
    }
  })

  it('refuses every write to a token that may only read a type, its drafts included', async () => {
    const { client } = await newApiToken(service, ['content:read:article', 'content:drafts:article'])
    const { routes, apiPrefix } = service.kernel.get(httpService)
    const id = dataOf(await service.admin.post(articles, { title: 'Kept', slug: 'limited-kept' }), 201).id
    const isRead = /^(graphql:|content:preview|changes:)/
    for (const route of routes) {
      if (route.method === 'GET' || route.access === 'open' || isRead.test(route.name)) continue
      const path = `${apiPrefix}${route.path}`.replace(':type', 'article').replace(/:\w+/g, String(id))
      const { status } = await client.request(route.method, path, {
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
      assert.ok([401, 403, 404].includes(status), `${route.name}: ${status}`)
    }
    assert.equal(dataOf(await service.admin.get(`${articles}/${id}`)).title, 'Kept')
  })
})
