import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { whole, wholeBlock } from './content-schemas.ts'
import {
  allow,
  create,
  dataOf,
  entriesIn,
  entryIn,
  list,
  listIds,
  pathOf,
  problemsIn,
  read,
  signUp,
  update,
  useContent,
  withScopes,
} from './content-world.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

eachDatabase((database) => {
  const world = useContent(database.name)
  const publish = (id: number, body?: object) => world.admin.put(pathOf('person', `${id}/publish`), body)
  const unpublish = (id: number, body?: object) => world.admin.put(pathOf('person', `${id}/unpublish`), body)

  describe('publishing', () => {
    it('takes an entry from draft to published and back', async () => {
      const { id, published_at } = await create(world.admin, 'person', { name: 'Ada' })
      assert.equal(published_at, null)
      const before = new Date().toISOString()
      const published = dataOf(await publish(id))
      assert.ok(
        String(published.published_at) >= before &&
          String(published.published_at) <= new Date().toISOString(),
      )
      assert.deepEqual(await read(world.admin, 'person', id), published)
      assert.equal(
        dataOf(await publish(id)).published_at,
        published.published_at,
        'a second time changes nothing',
      )
      assert.equal(dataOf(await publish(id, {})).published_at, published.published_at)
      assert.equal(dataOf(await unpublish(id)).published_at, null)
      assert.equal(dataOf(await unpublish(id)).published_at, null)
    })

    it('keeps a moment in the past and schedules one in the future', async () => {
      const { id } = await create(world.admin, 'person', { name: 'Ada' })
      const past = '2020-01-31T10:00:00.000Z'
      assert.equal(dataOf(await publish(id, { publishedAt: '2020-01-31T12:00:00+02:00' })).published_at, past)
      const future = inAnHour()
      assert.equal(dataOf(await publish(id, { publishedAt: future })).published_at, future)
      assert.ok((await listIds(world.admin, 'person', '?published=false&limit=100')).includes(id))
      assert.ok(!(await listIds(world.admin, 'person', '?published=true&limit=100')).includes(id))
      assert.ok(String(dataOf(await publish(id)).published_at) <= new Date().toISOString())
    })

    it('takes a moment, and nothing else', slow, async () => {
      const { id } = await create(world.admin, 'person', { name: 'Ada' })
      for (const publishedAt of ['soon', '2026-02-30T00:00:00Z', '2026-01-31', 5, null, {}]) {
        problemsIn(await publish(id, { publishedAt }))
      }
      problemsIn(await publish(id, { published_at: inAnHour() }))
      problemsIn(await publish(999_999), 404, 'NOT_FOUND')
      problemsIn(await unpublish(999_999), 404, 'NOT_FOUND')
    })

    it('is not for types without drafts', async () => {
      const { id } = await create(world.admin, 'tag', { name: 'no drafts' })
      problemsIn(await world.admin.put(pathOf('tag', `${id}/publish`)))
      problemsIn(await world.admin.put(pathOf('tag', `${id}/unpublish`)))
    })

    it('does not happen by writing published_at', async () => {
      const { id, published_at } = await create(world.admin, 'person', {
        name: 'Ada',
        published_at: '2020-01-01',
      })
      assert.equal(published_at, null)
      assert.equal((await update(world.admin, 'person', id, { publishedAt: inAnHour() })).published_at, null)
    })
  })

  describe('a draft', () => {
    /** A draft, a published and a scheduled person, each the boss of the next. */
    async function staff(): Promise<{ draft: number; published: number; scheduled: number }> {
      const draft = await create(world.admin, 'person', { name: 'Draft' })
      const published = await create(world.admin, 'person', { name: 'Published', boss: draft.id })
      const scheduled = await create(world.admin, 'person', { name: 'Scheduled', boss: published.id })
      dataOf(await publish(published.id))
      dataOf(await publish(scheduled.id, { publishedAt: inAnHour() }))
      return { draft: draft.id, published: published.id, scheduled: scheduled.id }
    }

    async function assertHidden(client: Client): Promise<void> {
      const { draft, published, scheduled } = await staff()
      const filter = `filters[id][$in]=${draft},${published},${scheduled}`
      assert.deepEqual(await listIds(client, 'person', `?${filter}`), [published])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&published=true`), [published])
      const page = await client.get(`${pathOf('person')}?${filter}`)
      assert.equal(page.body.pagination.total, 1)
      problemsIn(await client.get(`${pathOf('person')}?${filter}&published=false`), 403, 'FORBIDDEN')
      for (const id of [draft, scheduled])
        problemsIn(await client.get(pathOf('person', id)), 404, 'NOT_FOUND')
      assert.equal((await read(client, 'person', published)).boss, null, 'a related draft is hidden as well')
      const populated = await read(client, 'person', published, '?populate=boss,staff')
      assert.deepEqual([populated.boss, populated.staff], [null, []])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&filters[boss][$notNull]=true`), [])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&filters[boss]=${draft}`), [])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&filters[boss][name]=Draft`), [])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&filters[staff][name]=Scheduled`), [])
    }

    async function assertShown(client: Client): Promise<void> {
      const { draft, published, scheduled } = await staff()
      const filter = `filters[id][$in]=${draft},${published},${scheduled}`
      assert.deepEqual(await listIds(client, 'person', `?${filter}`), [draft, published, scheduled])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&published=true`), [published])
      assert.deepEqual(await listIds(client, 'person', `?${filter}&published=false`), [draft, scheduled])
      assert.equal((await read(client, 'person', draft)).name, 'Draft')
      const populated = await read(client, 'person', published, '?populate=boss,staff')
      assert.equal(entryIn(populated.boss).id, draft)
      assert.deepEqual(
        entriesIn(populated.staff).map(({ id }) => id),
        [scheduled],
      )
      assert.deepEqual(await listIds(client, 'person', `?${filter}&filters[staff][name]=Scheduled`), [
        published,
      ])
    }

    it('is shown to admin users, and to tokens that may write, publish or do everything', slow, async () => {
      await assertShown(world.admin)
      await assertShown(await withScopes(world, 'content:read', 'content:write'))
      await assertShown(await withScopes(world, 'content:read', 'content:publish'))
      await assertShown(await withScopes(world, 'admin:*'))
    })

    it('is hidden from tokens that may only read', async () => {
      await assertHidden(await withScopes(world, 'content:read'))
      await assertHidden(await withScopes(world, 'content:read', 'content:delete'))
    })

    it('is hidden from content users and the public, who see nothing at all unless they are allowed to', async () => {
      const user = await signUp(world, `reader-${database.name}`)
      problemsIn(await world.anonymous.get(pathOf('person')), 401, 'UNAUTHENTICATED')
      problemsIn(await user.get(pathOf('person')), 403, 'FORBIDDEN')
      for (const role of ['public', 'authenticated']) await allow(world, role, { person: { read: true } })
      await assertHidden(world.anonymous)
      await assertHidden(user)
      for (const client of [world.anonymous, user]) {
        const status = client === user ? 403 : 401
        assert.equal((await client.get(pathOf('sample'))).status, status, 'another type')
        assert.equal((await client.post(pathOf('person'), { name: 'x' })).status, status)
        assert.equal((await client.put(pathOf('person', 1), { name: 'x' })).status, status)
        assert.equal((await client.delete(pathOf('person', 1))).status, status)
      }
    })

    it('is hidden behind links and inside components as well', async () => {
      const { draft, published } = await staff()
      const sample = await create(world.admin, 'sample', {
        owner: draft,
        links: [
          { label: 'draft', person: draft },
          { label: 'published', person: published },
        ],
        blocks: [{ __component: 'test.menu', links: [{ label: 'nested', person: draft }] }],
      })
      const friend = await create(world.admin, 'person', { name: 'Friend', friends: [draft, published] })
      dataOf(await publish(friend.id))
      const reader = await withScopes(world, 'content:read')
      assert.deepEqual((await read(reader, 'person', friend.id)).friends, [published])
      const shown = await read(reader, 'sample', sample.id)
      assert.equal(shown.owner, null)
      assert.deepEqual(shown.links, [
        whole.link({ label: 'draft' }),
        whole.link({ label: 'published', person: published }),
      ])
      assert.deepEqual(shown.blocks, [wholeBlock({ __component: 'test.menu', links: [{ label: 'nested' }] })])
      const expanded = await read(
        reader,
        'sample',
        sample.id,
        '?populate=owner,links.person,blocks.links.person',
      )
      assert.equal(expanded.owner, null)
      const people = (expanded.links as { person: { id: number } | null }[]).map(
        ({ person }) => person?.id ?? null,
      )
      assert.deepEqual(people, [null, published])
      assert.deepEqual((await read(world.admin, 'person', friend.id)).friends, [draft, published])
    })

    it('can be written by those who may write', async () => {
      const writer = await withScopes(world, 'content:read', 'content:write')
      const { id } = await create(writer, 'person', { name: 'Written' })
      assert.equal((await update(writer, 'person', id, { age: 36 })).age, 36)
      problemsIn(await writer.put(pathOf('person', `${id}/publish`)), 403, 'FORBIDDEN')
      problemsIn(await writer.delete(pathOf('person', id)), 403, 'FORBIDDEN')
      const publisher = await withScopes(world, 'content:publish')
      assert.ok(dataOf(await publisher.put(pathOf('person', `${id}/publish`))).published_at)
      problemsIn(await publisher.put(pathOf('person', id), { age: 1 }), 403, 'FORBIDDEN')
      assert.ok(
        (await list(world.admin, 'person', '?published=true&limit=100')).some((entry) => entry.id === id),
      )
    })
  })
})
