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
      related: { type: 'relation', relation: 'manyToOne', target: 'article' },
    },
  },
})

const on = schemasWith({ draftAndPublish: true })
const off = schemasWith({})

const inAYear = new Date(Date.now() + 365 * 24 * 3600 * 1000).toISOString()

eachDatabase((database) => {
  const withVersions = (versions: readonly Version[]) => onEachVersion(database, versions, openToPublic)

  async function openToPublic({ admin }: TestService) {
    const roles: { id: number; name: string }[] = (await admin.get('/api/admin/roles')).body.data
    const id = roles.find(({ name }) => name === 'public')?.id
    const permissions = { content: { article: { read: true } } }
    assert.equal((await admin.put(`/api/admin/roles/${id}`, { permissions })).status, 200)
  }

  const create = async (client: Client, data: object): Promise<number> => {
    const { status, body } = await client.post('/api/content/article', data)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }

  async function tokenFor({ url, admin }: TestService, scope: string): Promise<Client> {
    const { body } = await admin.post('/api/admin/api-tokens', { name: scope, scopes: [scope] })
    return createClient(url, body.data.token)
  }

  const titles = async (client: Client): Promise<string[]> => {
    const { body } = await client.get('/api/content/article?sort=id')
    return body.data.map((entry: { title: string }) => entry.title)
  }

  const pending = async ({ admin }: TestService) =>
    (await admin.get('/api/database/preview')).body.data.filter(
      ({ change }: { change: string }) => change === 'end-drafts',
    )

  /** What is public, one scheduled entry and two drafts. */
  async function fill({ admin }: TestService) {
    const published = await create(admin, { title: 'public' })
    await admin.put(`/api/content/article/${published}/publish`)
    const scheduled = await create(admin, { title: 'scheduled' })
    await admin.put(`/api/content/article/${scheduled}/publish`, { publishedAt: inAYear })
    const draft = await create(admin, { title: 'draft' })
    const pointing = await create(admin, { title: 'pointing', related: draft })
    await admin.put(`/api/content/article/${pointing}/publish`)
  }

  describe('draftAndPublish switched on', () => {
    it('leaves public what was public', () =>
      withVersions([
        [off, async ({ admin }) => void (await create(admin, { title: 'from before' }))],
        [
          on,
          async (service) => {
            assert.deepEqual(await titles(service), ['from before'])
            const { body } = await service.get('/api/content/article')
            assert.equal(body.data[0].published_at, body.data[0].created_at)
            await create(service.admin, { title: 'a draft' })
            assert.deepEqual(await titles(service), ['from before'])
          },
        ],
      ]))

    it('again leaves public what was made while it was off', slow, () =>
      withVersions([
        [
          on,
          async ({ admin }) => {
            const id = await create(admin, { title: 'first' })
            await admin.put(`/api/content/article/${id}/publish`)
          },
        ],
        [off, async ({ admin }) => void (await create(admin, { title: 'meanwhile' }))],
        [off, async (service) => assert.deepEqual(await titles(service), ['first', 'meanwhile'])],
        [on, async (service) => assert.deepEqual(await titles(service), ['first', 'meanwhile'])],
      ]),
    )
  })

  describe('draftAndPublish switched off while entries are not published', slow, () => {
    it('hides them from all reads, and tells how many there are, until they are published on request', () =>
      withVersions([
        [on, fill],
        [
          off,
          async (service) => {
            const { admin } = service
            assert.deepEqual(await titles(service), ['public', 'pointing'])
            assert.equal((await service.get('/api/content/article/3')).status, 404)
            const populated = await service.get('/api/content/article/4?populate=related')
            assert.equal(populated.body.data.related, null)
            const counted = await service.get('/api/content/article/aggregate?function=count')
            assert.equal(
              counted.body.data?.[0]?.value ?? counted.body.data?.value,
              2,
              JSON.stringify(counted.body),
            )
            const reader = await tokenFor(service, 'content:read')
            assert.deepEqual((await reader.get('/api/search?q=draft')).body.data, [])
            const graphql = await service.post('/api/graphql', { query: '{ articles { data { title } } }' })
            assert.equal(graphql.body.data.articles.data.length, 2)
            const [change] = await pending(service)
            assert.match(change.reason, /^2 entries that are not published would become public/)
            const alerts = await admin.get('/api/admin/operational-alerts')
            assert.match(JSON.stringify(alerts.body.data), /2 entries that are not published/)

            await admin.post('/api/database/safe-sync', { allowDestructive: true })
            assert.deepEqual(await titles(service), ['public', 'pointing'])
            const unknown = await admin.post('/api/database/safe-sync', { drafts: { nothing: 'publish' } })
            assert.equal(unknown.status, 400)
            const done = await admin.post('/api/database/safe-sync', { drafts: { article: 'publish' } })
            assert.equal(done.status, 200, JSON.stringify(done.body))
            assert.deepEqual(await pending(service), [])
            assert.deepEqual(await titles(service), ['public', 'scheduled', 'draft', 'pointing'])
          },
        ],
        [
          off,
          async (service) => {
            assert.deepEqual(await pending(service), [])
            await create(service.admin, { title: 'new' })
            assert.deepEqual(await titles(service), ['public', 'scheduled', 'draft', 'pointing', 'new'])
          },
        ],
        [off, async (service) => assert.equal((await titles(service)).length, 5)],
      ]))

    it('deletes them on request', () =>
      withVersions([
        [on, fill],
        [
          off,
          async (service) => {
            const { status } = await service.admin.post('/api/database/safe-sync', {
              drafts: { article: 'delete' },
            })
            assert.equal(status, 200)
            assert.deepEqual(await titles(service), ['public', 'pointing'])
            assert.deepEqual(await titles(service.admin), ['public', 'pointing'])
          },
        ],
        [off, async (service) => assert.deepEqual(await titles(service), ['public', 'pointing'])],
      ]))
  })

  describe('draftAndPublish switched off while drafts are in the trash', slow, () => {
    const withTrash = schemasWith({ draftAndPublish: true, softDelete: true })
    const trashOnly = schemasWith({ softDelete: true })
    const decide = async ({ admin }: TestService, decision: string) => {
      const done = await admin.post('/api/database/safe-sync', { drafts: { article: decision } })
      assert.equal(done.status, 200, JSON.stringify(done.body))
    }
    const restore = ({ admin }: TestService, id: number) => admin.post(`/api/content/article/${id}/restore`)

    /** Entry 1 is public, 2 and 3 are drafts in the trash, 4 was public before it came there. */
    async function fillTrash({ admin }: TestService) {
      for (const title of ['public', 'draft', 'other draft', 'was public']) await create(admin, { title })
      for (const id of [1, 4]) await admin.put(`/api/content/article/${id}/publish`)
      for (const id of [2, 3, 4]) await admin.delete(`/api/content/article/${id}`)
    }

    it('leaves a restored draft hidden, until it is published on request', () =>
      withVersions([
        [withTrash, fillTrash],
        [
          trashOnly,
          async (service) => {
            for (const id of [2, 4]) assert.equal((await restore(service, id)).status, 200)
            assert.deepEqual(await titles(service), ['public', 'was public'])
            const [change] = await pending(service)
            assert.match(change.reason, /^2 entries that are not published would become public/)
            await decide(service, 'publish')
            assert.deepEqual(await pending(service), [])
            assert.deepEqual(await titles(service), ['public', 'draft', 'was public'])
          },
        ],
        [
          trashOnly,
          async (service) => {
            assert.deepEqual(await titles(service), ['public', 'draft', 'was public'])
            assert.equal((await restore(service, 3)).status, 200)
            assert.deepEqual(await titles(service), ['public', 'draft', 'other draft', 'was public'])
          },
        ],
      ]))

    it('deletes them for good on request, with those that are not in the trash', () =>
      withVersions([
        [withTrash, fillTrash],
        [withTrash, async ({ admin }) => void (await create(admin, { title: 'no trash' }))],
        [
          trashOnly,
          async (service) => {
            await decide(service, 'delete')
            assert.deepEqual(await pending(service), [])
            for (const id of [2, 3, 5]) assert.equal((await restore(service, id)).status, 404)
            assert.equal((await restore(service, 4)).status, 200)
            assert.deepEqual(await titles(service), ['public', 'was public'])
          },
        ],
        [trashOnly, async (service) => assert.deepEqual(await titles(service), ['public', 'was public'])],
      ]))
  })
})
