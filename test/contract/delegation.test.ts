import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { type Caller, expectStatus, newAdmin, newApiToken } from '../api/auth-callers.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const typeFile = (name: string) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
})
const schemas = { ...typeFile('open'), ...typeFile('closed') }

const all = { read: true, create: true, update: true, delete: true, publish: true }
const everything = { content: { '*': all }, media: { read: true, write: true, delete: true } }
const openOnly = { content: { open: all }, media: {} }

const releases = '/api/admin/content-releases'
const tokens = '/api/admin/api-tokens'
const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data

/** The rights of whoever made a thing, in the thing: also those that its maker loses later. */
eachDatabase((database) => {
  let service: TestService
  let receiver: Receiver
  let adminRole: number

  before(async () => {
    receiver = await startReceiver()
    service = await startService({
      database: database.name,
      schemas,
      env: { SVC_JOBS_POLL_INTERVAL_MS: '20', SVC_WEBHOOKS_RETRY_DELAYS: '[10]' },
    })
    const roles: { id: number; name: string }[] = dataOf(await service.admin.get('/api/admin/roles'))
    adminRole = roles.find(({ name }) => name === 'admin')?.id ?? 0
  })
  after(async () => {
    await service.stop()
    await receiver.close()
  })

  const setAdminRights = async (permissions: object) =>
    expectStatus(await service.admin.put(`/api/admin/roles/${adminRole}`, { permissions }), 200)
  const setRole = async ({ id }: Caller, role: string) =>
    expectStatus(await service.admin.put(`/api/admin/users/${id}`, { role }), 200)

  /** Runs `work` while the role `admin` has rights on one type only. */
  async function whileRestricted<T>(work: () => Promise<T>): Promise<T> {
    await setAdminRights(openOnly)
    try {
      return await work()
    } finally {
      await setAdminRights(everything)
    }
  }

  const create = async (type: string): Promise<number> =>
    dataOf(await service.admin.post(`/api/content/${type}`, { title: 'One' }), 201).id
  const isPublished = async (type: string, id: number) =>
    dataOf(await service.admin.get(`/api/content/${type}/${id}`)).published_at !== null
  const tokenOf = async (by: Client, ...scopes: string[]) => {
    const { id, token } = dataOf(await by.post(tokens, { name: 'delegated', scopes }), 201)
    return { id, client: createClient(service.url, token) }
  }
  const drained = () => service.kernel.get(jobsService).drain()

  it('gives an API token no more than its maker has, as of now', async () => {
    const maker = await newAdmin(service, 'admin')
    const { client, id } = await tokenOf(maker.client, 'admin:*')
    const listed = dataOf(await service.admin.get(tokens)).find((each: { id: number }) => each.id === id)
    assert.equal(listed.made_by, `admin:${maker.id}`)
    expectStatus(await client.get('/api/content/closed'), 200)
    expectStatus(await client.get('/api/admin/audit-logs'), 200)

    await whileRestricted(async () => {
      expectStatus(await client.get('/api/content/open'), 200)
      expectStatus(await client.get('/api/content/closed'), 403)
      expectStatus(await client.post('/api/content/closed', { title: 'x' }), 403)
      expectStatus(await client.get('/api/media'), 403)
      expectStatus(await client.get('/api/admin/audit-logs'), 200)
    })
    expectStatus(await client.get('/api/content/closed'), 200)

    await setRole(maker, 'editor')
    expectStatus(await client.get('/api/content/closed'), 200)
    expectStatus(await client.get('/api/admin/audit-logs'), 403)
    expectStatus(await client.get('/api/content/closed?deleted=true'), 403)

    await setRole(maker, 'super-admin')
    expectStatus(await client.get('/api/admin/audit-logs'), 200)
    expectStatus(await client.post('/api/admin/auth/register', {}), 403)
  })

  it('ends an API token with its maker, blocked or deleted, and takes it up again with a new maker', async () => {
    const maker = await newAdmin(service, 'admin')
    const { client, id } = await tokenOf(maker.client, 'content:read')
    const block = (blocked: boolean) => service.admin.put(`/api/admin/users/${maker.id}`, { blocked })
    expectStatus(await client.get('/api/content/open'), 200)
    expectStatus(await block(true), 200)
    expectStatus(await client.get('/api/content/open'), 401)
    expectStatus(await block(false), 200)
    expectStatus(await client.get('/api/content/open'), 200)
    expectStatus(await service.admin.delete(`/api/admin/users/${maker.id}`), 200)
    expectStatus(await client.get('/api/content/open'), 401)
    const { token, made_by } = dataOf(await service.admin.post(`${tokens}/${id}/regenerate`))
    assert.match(made_by, /^admin:\d+$/)
    expectStatus(await createClient(service.url, token).get('/api/content/open'), 200)
  })

  it('ends what a token has made with the token', async () => {
    const first = await newApiToken(service, ['admin:tokens:write', 'content:read'])
    const second = await tokenOf(first.client, 'content:read', 'admin:tokens:write')
    const third = await tokenOf(second.client, 'content:read')
    expectStatus(await third.client.get('/api/content/open'), 200)
    expectStatus(await service.admin.delete(`${tokens}/${first.id}`), 200)
    for (const { client } of [second, third]) expectStatus(await client.get('/api/content/open'), 401)
  })

  it('outlives its own regeneration, and that by a token of its own', async () => {
    const first = await newApiToken(service, ['admin:tokens:write', 'content:read'])
    const second = await tokenOf(first.client, 'content:read', 'admin:tokens:write')
    const renewed = dataOf(await second.client.post(`${tokens}/${first.id}/regenerate`))
    const client = createClient(service.url, renewed.token)
    expectStatus(await client.get('/api/content/open'), 200)
    expectStatus(await second.client.get('/api/content/open'), 200)
    const again = dataOf(await client.post(`${tokens}/${first.id}/regenerate`))
    expectStatus(await createClient(service.url, again.token).get('/api/content/open'), 200)
  })

  it('lets tokens make tokens in short rows only', async () => {
    let by: Client = service.admin
    const statuses: number[] = []
    for (let index = 0; index < 10; index += 1) {
      const answer = await by.post(tokens, { name: 'row', scopes: ['admin:tokens:write'] })
      statuses.push(answer.status)
      if (answer.status === 201) by = createClient(service.url, answer.body.data.token)
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 201, 201, 201, 403, 403])
    expectStatus(await by.post(`${tokens}`, {}), 400)
  })

  it('publishes by a release what its publisher may publish, with a token or without', async () => {
    const restricted = await newAdmin(service, 'admin')
    const id = dataOf(await service.admin.post(releases, { name: 'r' }), 201).id
    const [open, closed] = [await create('open'), await create('closed')]
    const add = (by: Client, contentType: string, entryId: number) =>
      by.post(`${releases}/${id}/entries`, { contentType, entryId })
    await whileRestricted(async () => {
      const { client } = await tokenOf(restricted.client, 'admin:releases:write')
      for (const by of [client, restricted.client]) {
        expectStatus(await add(by, 'closed', closed), 403)
        // Whether there is such an entry is not told either.
        expectStatus(await add(by, 'closed', 999_999), 403)
      }
      expectStatus(await add(client, 'open', open), 403)
      expectStatus(await add(restricted.client, 'open', open), 201)
      expectStatus(await add(service.admin, 'closed', closed), 201)
      const { entries } = dataOf(await restricted.client.get(`${releases}/${id}`))
      assert.deepEqual(
        entries.map(({ contentType }: { contentType: string }) => contentType),
        ['open'],
      )
      for (const by of [client, restricted.client]) {
        expectStatus(await by.post(`${releases}/${id}/publish`), 403)
      }
    })
    assert.equal(await isPublished('closed', closed), false)
    assert.equal(dataOf(await service.admin.post(`${releases}/${id}/publish`)).status, 'published')
    assert.equal(await isPublished('closed', closed), true)
  })

  /** A release of one entry that is due as soon as `meanwhile` has been done. */
  async function scheduledBy(by: Client, type: string, meanwhile: () => Promise<unknown>) {
    const entry = await create(type)
    const { id } = dataOf(await by.post(releases, { name: 's' }), 201)
    expectStatus(await by.post(`${releases}/${id}/entries`, { contentType: type, entryId: entry }), 201)
    const scheduledAt = new Date(Date.now() + 1_500).toISOString()
    assert.match(
      dataOf(await by.put(`${releases}/${id}`, { scheduledAt })).scheduledBy,
      /^(admin|token):\d+$/,
    )
    await meanwhile()
    const read = async () => dataOf(await service.admin.get(`${releases}/${id}`))
    await until(async () => ['published', 'failed'].includes((await read()).status))
    return { release: await read(), entry }
  }

  it('publishes a scheduled release with the rights that its scheduler has by then', slow, async () => {
    const maker = await newAdmin(service, 'admin')
    const done = await scheduledBy(maker.client, 'closed', async () => undefined)
    assert.equal(done.release.status, 'published')

    const lost = await scheduledBy(maker.client, 'closed', () => setAdminRights(openOnly))
    await setAdminRights(everything)
    assert.equal(lost.release.status, 'failed')
    assert.match(
      lost.release.error.message,
      /^not allowed: .* requires permission to publish all of its entries$/,
    )
    assert.equal(await isPublished('closed', lost.entry), false)

    const gone = await scheduledBy(maker.client, 'open', () =>
      service.admin.put(`/api/admin/users/${maker.id}`, { blocked: true }),
    )
    assert.equal(gone.release.status, 'failed')
    assert.equal(await isPublished('open', gone.entry), false)
    const { id } = gone.release
    assert.equal(dataOf(await service.admin.post(`${releases}/${id}/publish`)).status, 'published')
  })

  /** The types that a receiver was told of since it was last asked. */
  function toldTypes(path: string): string[] {
    const told = receiver.received.filter(({ path: at }) => at.endsWith(path))
    return told.map(({ body }) => body.data.contentType).sort()
  }

  async function webhookOf(by: Client, more: object = {}) {
    const path = `/${randomUUID()}`
    const fields = { name: 'w', url: `${receiver.url}${path}`, events: ['entry.create'], ...more }
    return { path, answer: await by.post('/api/webhooks', fields) }
  }

  const createBoth = async () => {
    await create('open')
    await create('closed')
    await drained()
  }

  it('tells a webhook of what its maker may read, as of now', async () => {
    const maker = await newAdmin(service, 'admin')
    const { path, answer } = await webhookOf(maker.client)
    const { id, made_by } = dataOf(answer, 201)
    assert.equal(made_by, `admin:${maker.id}`)
    await createBoth()
    assert.deepEqual(toldTypes(path), ['closed', 'open'])
    await whileRestricted(createBoth)
    assert.deepEqual(toldTypes(path), ['closed', 'open', 'open'])
    const logs = dataOf(await service.admin.get(`/api/webhooks/${id}/logs`))
    assert.equal(logs.length, 3)
    await setRole(maker, 'editor')
    await createBoth()
    assert.equal(toldTypes(path).length, 5)
    expectStatus(await service.admin.delete(`/api/admin/users/${maker.id}`), 200)
    await createBoth()
    assert.equal(toldTypes(path).length, 5)
    expectStatus(await service.admin.put(`/api/webhooks/${id}`, { url: `${receiver.url}${path}?anew` }), 200)
    await create('closed')
    await until(async () => receiver.received.some(({ path: at }) => at.endsWith(`${path}?anew`)))
    expectStatus(await service.admin.delete(`/api/webhooks/${id}`), 200)
  })

  it('keeps somebody who may not read a type from subscribing to it, taking it over or reading of it', async () => {
    const restricted = await newAdmin(service, 'admin')
    const { path, answer } = await webhookOf(service.admin)
    const { id } = dataOf(answer, 201)
    await createBoth()
    await whileRestricted(async () => {
      const closed = await webhookOf(restricted.client, { content_types: ['closed'] })
      const unknown = await webhookOf(restricted.client, { content_types: ['nothing'] })
      expectStatus(closed.answer, 400)
      assert.deepEqual(
        closed.answer.body.error.details,
        JSON.parse(JSON.stringify(unknown.answer.body.error.details).replaceAll('nothing', 'closed')),
      )
      const own = await webhookOf(restricted.client)
      await createBoth()
      assert.deepEqual(toldTypes(own.path), ['open'])
      const change = (body: object) => restricted.client.put(`/api/webhooks/${id}`, body)
      expectStatus(await change({ url: `${receiver.url}/mine` }), 403)
      expectStatus(await change({ secret: 'mine' }), 403)
      assert.match(dataOf(await change({ name: 'renamed' })).made_by, /^admin:/)
      const logs: { payload: { data: { contentType: string } } | null }[] = dataOf(
        await restricted.client.get(`/api/webhooks/${id}/logs`),
      )
      const shown = logs.map(({ payload }) => payload?.data.contentType ?? null)
      assert.deepEqual(shown, [null, 'open', null, 'open'])
      const { token } = dataOf(
        await restricted.client.post(tokens, { name: 'hooks', scopes: ['webhooks:write'] }),
        201,
      )
      expectStatus((await webhookOf(createClient(service.url, token))).answer, 403)
      // Naming what one may read makes the webhook one's own.
      expectStatus(await change({ url: `${receiver.url}/mine`, content_types: ['open'] }), 200)
    })
    await createBoth()
    assert.deepEqual(toldTypes('/mine'), ['open'])
    assert.equal(toldTypes(path).length, 4)
    expectStatus(await service.admin.delete(`/api/webhooks/${id}`), 200)
  })

  it('does not deliver again what the maker of a webhook has lost the right to', async () => {
    const maker = await newAdmin(service, 'admin')
    receiver.answers((_, response) => response.writeHead(500).end())
    const { answer } = await webhookOf(maker.client, { content_types: ['closed'] })
    const { id } = dataOf(answer, 201)
    await create('closed')
    const logs = async () => dataOf(await service.admin.get(`/api/webhooks/${id}/logs`))
    await until(async () => (await logs())[0]?.status === 'dead')
    receiver.answers((_, response) => response.writeHead(200).end())
    const [{ id: dead }] = await logs()
    await whileRestricted(async () => {
      expectStatus(await service.admin.post(`/api/webhooks/${id}/replay/${dead}`), 202)
      await until(async () => (await logs())[0]?.status === 'dead')
      assert.match((await logs())[0].error, /may not read closed any more/)
    })
    expectStatus(await service.admin.delete(`/api/webhooks/${id}`), 200)
  })
})
