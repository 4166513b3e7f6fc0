import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAll, dataOf, list, pathOf, problemsIn, useContent, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  const bulk = (verb: string, ids: unknown, client: Client = world.admin, type = 'person') =>
    client.post(pathOf(type, `bulk-${verb}`), { ids })
  const isPublic = async () => new Set((await list(world.anonymous, 'person')).map(({ id }) => id))
  const people = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => ({ name: `Person ${index}` }))
    return (await createAll(world.admin, 'person', names)).map(({ id }) => id)
  }

  describe('bulk-publish and bulk-unpublish', () => {
    it('publish and unpublish all entries', async () => {
      const reader = { content: { person: { read: true } }, media: {} }
      const roles: { id: number; name: string }[] = (await world.admin.get('/api/admin/roles')).body.data
      const id = roles.find(({ name }) => name === 'public')?.id
      dataOf(await world.admin.put(`/api/admin/roles/${id}`, { permissions: reader }))
      const ids = await people(3)
      const { batch, ...counted } = dataOf(await bulk('publish', [...ids, ids[0]]))
      assert.deepEqual(counted, { count: 3, ids })
      assert.notEqual(batch, null)
      const published = await isPublic()
      assert.ok(ids.every((id) => published.has(id)))
      assert.deepEqual(dataOf(await bulk('unpublish', ids.slice(1))).ids, ids.slice(1))
      const left = await isPublic()
      assert.deepEqual(
        ids.map((id) => left.has(id)),
        [true, false, false],
      )
    })

    it('change none if one cannot be', async () => {
      const ids = await people(2)
      for (const verb of ['publish', 'unpublish']) {
        problemsIn(await bulk(verb, [...ids, 999_999]), 404, 'NOT_FOUND')
      }
      const entries = await list(world.admin, 'person', `?filters[id][$in]=${ids.join()}`)
      assert.deepEqual(
        entries.map(({ published_at }) => published_at),
        [null, null],
      )
    })

    it('refuse what is no list of ids, and types without drafts', async () => {
      const tooMany = Array.from({ length: 1_001 }, (_, index) => index + 1)
      for (const ids of [[], ['x'], [0], [1.5], 7, null, undefined, tooMany]) {
        problemsIn(await bulk('publish', ids))
      }
      problemsIn(await bulk('publish', [1], world.admin, 'sample'))
      problemsIn(await bulk('publish', [1], world.admin, 'nothing'), 404, 'NOT_FOUND')
    })

    it('are for those who may publish', async () => {
      const [id] = await people(1)
      const writer = await withScopes(world, 'content:read', 'content:write', 'content:delete')
      for (const verb of ['publish', 'unpublish']) {
        problemsIn(await bulk(verb, [id], writer), 403, 'FORBIDDEN')
        problemsIn(await bulk(verb, [999_999], writer), 403, 'FORBIDDEN')
        problemsIn(await bulk(verb, [id], world.anonymous), 401, 'UNAUTHENTICATED')
      }
      const publisher = await withScopes(world, 'content:publish')
      assert.equal(dataOf(await bulk('publish', [id], publisher)).count, 1)
    })
  })
})
