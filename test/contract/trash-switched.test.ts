import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { onEachVersion, type Version } from '../support/versions.ts'

const schemasWith = (options: object) => ({
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options,
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'string', unique: true },
      related: { type: 'relation', relation: 'manyToOne', target: 'article' },
      more: { type: 'relation', relation: 'manyToMany', target: 'article' },
      holder: { type: 'relation', relation: 'manyToOne', target: 'article', onDelete: 'RESTRICT' },
    },
  },
})

const on = schemasWith({ softDelete: true })
const off = schemasWith({})
const withDrafts = schemasWith({ softDelete: true, draftAndPublish: true })

const article = '/api/content/article'

eachDatabase((database) => {
  const withVersions = (...versions: readonly Version[]) => onEachVersion(database, versions, openToPublic)

  async function openToPublic({ admin }: TestService) {
    const roles: { id: number; name: string }[] = (await admin.get('/api/admin/roles')).body.data
    const id = roles.find(({ name }) => name === 'public')?.id
    const permissions = { content: { article: { read: true } } }
    assert.equal((await admin.put(`/api/admin/roles/${id}`, { permissions })).status, 200)
  }

  const create = async (client: Client, data: object): Promise<number> => {
    const { status, body } = await client.post(article, data)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }

  const titles = async (client: Client): Promise<string[]> => {
    const { body } = await client.get(`${article}?sort=id`)
    return body.data.map((entry: { title: string }) => entry.title)
  }

  const pending = async ({ admin }: TestService) =>
    (await admin.get('/api/database/preview')).body.data.filter(
      ({ change }: { change: string }) => change === 'end-trash',
    )

  const decide = async ({ admin }: TestService, body: object) => {
    const answer = await admin.post('/api/database/safe-sync', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }

  /** Entry 1 refers to 2 and 3, which are in the trash. */
  async function fill({ admin }: TestService) {
    await create(admin, { title: 'kept' })
    const first = await create(admin, { title: 'first gone', slug: 'taken' })
    const second = await create(admin, { title: 'second gone' })
    assert.equal((await admin.put(`${article}/1`, { related: first, more: [second] })).status, 200)
    for (const id of [first, second]) assert.equal((await admin.delete(`${article}/${id}`)).status, 200)
  }

  describe('softDelete switched off while entries are in the trash', slow, () => {
    it('hides them everywhere, and tells how many there are, until they are restored on request', () =>
      withVersions(
        [on, fill],
        [
          off,
          async (service) => {
            const { admin, url } = service
            for (const client of [service, admin]) {
              assert.deepEqual(await titles(client), ['kept'])
              assert.equal((await client.get(`${article}/2`)).status, 404)
              const { body } = await client.get(`${article}/1?populate=related,more`)
              assert.deepEqual([body.data.related, body.data.more], [null, []])
              const counted = await client.get(`${article}/aggregate?function=count`)
              assert.equal(counted.body.data?.[0]?.value ?? counted.body.data?.value, 1)
              assert.equal(
                (await client.get(`${article}?filters[title][$contains]=gone`)).body.data.length,
                0,
              )
            }
            const token = await admin.post('/api/admin/api-tokens', {
              name: 'reader',
              scopes: ['content:read'],
            })
            const reader = createClient(url, token.body.data.token)
            assert.deepEqual((await reader.get('/api/search?q=gone')).body.data, [])
            const query = '{ articles { data { title related { title } } } }'
            const graphql = await service.post('/api/graphql', { query })
            assert.deepEqual(graphql.body.data.articles.data, [{ title: 'kept', related: null }])
            const exported = await admin.get(`${article}/export`)
            assert.ok(!JSON.stringify(exported.body).includes('gone'))

            const [change] = await pending(service)
            assert.match(change.reason, /^2 deleted entries would become public/)
            assert.equal(change.safe, false)
            const alerts = await admin.get('/api/admin/operational-alerts')
            assert.match(JSON.stringify(alerts.body.data), /2 deleted entries would become public/)

            await decide(service, { allowDestructive: true })
            assert.deepEqual(await titles(service), ['kept'])
            for (const trash of [{ nothing: 'restore' }, { article: 'publish' }]) {
              assert.equal((await admin.post('/api/database/safe-sync', { trash })).status, 400)
            }
            await decide(service, { trash: { article: 'restore' } })
            assert.deepEqual(await pending(service), [])
            assert.deepEqual(await titles(service), ['kept', 'first gone', 'second gone'])
          },
        ],
        [
          off,
          async (service) => {
            assert.deepEqual(await pending(service), [])
            assert.equal((await service.admin.delete(`${article}/3`)).status, 200)
            assert.deepEqual(await titles(service), ['kept', 'first gone'])
            const { body } = await service.get(`${article}/1?populate=related,more`)
            assert.equal(body.data.related.title, 'first gone')
            assert.deepEqual(body.data.more, [])
          },
        ],
      ))

    it('deletes them for good on request, with what refers to them, and keeps what must not be lost', () =>
      withVersions(
        [on, fill],
        [
          on,
          async ({ admin }) => {
            const held = await create(admin, { title: 'held' })
            await create(admin, { title: 'holding', holder: held })
            assert.ok([200, 409].includes((await admin.delete(`${article}/${held}`)).status))
          },
        ],
        [
          off,
          async (service) => {
            const waiting = await pending(service)
            assert.equal(waiting.length, 1)
            await decide(service, { trash: { article: 'delete' } })
            const shown = (await service.get(`${article}/1?populate=related,more`)).body.data
            assert.deepEqual([shown.related, shown.more], [null, []])
            await create(service.admin, { title: 'takes the slug', slug: 'taken' })
            assert.equal((await service.admin.get(`${article}/2`)).status, 404)
            const events = await service.admin.get('/api/admin/audit-logs?limit=100')
            assert.equal(events.status, 200)
          },
        ],
        [
          off,
          async (service) => {
            const all = await titles(service)
            assert.ok(!all.includes('first gone') && !all.includes('second gone'))
            assert.ok(all.includes('holding') && all.includes('takes the slug'))
          },
        ],
      ))

    it('hides what became public before, and what a process of an earlier version has deleted', slow, () =>
      withVersions(
        [on, fill],
        [
          off,
          async (service) => {
            await decide(service, { trash: { article: 'restore' } })
            assert.equal((await titles(service)).length, 3)
          },
        ],
        [off, async (service) => assert.equal((await titles(service)).length, 3)],
        [on, async ({ admin }) => void (await admin.delete(`${article}/2`))],
        [off, async (service) => assert.deepEqual(await titles(service), ['kept', 'second gone'])],
      ),
    )

    it('leaves drafts to their own decision where draftAndPublish is switched off, too', slow, () =>
      withVersions(
        [
          withDrafts,
          async ({ admin }) => {
            const open = await create(admin, { title: 'public' })
            await admin.put(`${article}/${open}/publish`)
            const draft = await create(admin, { title: 'deleted draft' })
            await admin.delete(`${article}/${draft}`)
          },
        ],
        [
          off,
          async (service) => {
            assert.deepEqual(await titles(service), ['public'])
            await decide(service, { trash: { article: 'restore' } })
            assert.deepEqual(await titles(service), ['public'])
            await decide(service, { drafts: { article: 'publish' } })
            assert.deepEqual(await titles(service), ['public', 'deleted draft'])
          },
        ],
      ),
    )
  })
})
