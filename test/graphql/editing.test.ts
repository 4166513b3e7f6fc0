import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allow, create, dataOf, read, update, useContent, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { ask, codesIn, post } from './graphql-world.ts'

eachDatabase(({ name }) => {
  describe('Editing over GraphQL', () => {
    const world = useContent(name)
    let writer: Client

    before(async () => {
      writer = await withScopes(world, 'content:read', 'content:write')
      await allow(world, 'public', { person: { read: true } })
    })

    const people = async (...names: string[]) => {
      const ids: number[] = []
      for (const each of names) ids.push((await create(world.admin, 'person', { name: each })).id)
      return ids
    }

    it('writes many entries at once, and says how that is undone', slow, async () => {
      const ids = await people('Ada', 'Bob')
      const done = await ask(
        world.admin,
        `mutation ($ids: [ID!]!) {
          bulkUpdatePerson(ids: $ids, data: { age: 7 }) { count ids batch { id expires_at } }
          bulkPublishPerson(ids: $ids) { count }
          bulkUnpublishPerson(ids: $ids) { count }
        }`,
        { ids },
      )
      const { batch } = done.bulkUpdatePerson
      assert.deepEqual([done.bulkUpdatePerson.count, done.bulkUpdatePerson.ids], [2, ids])
      assert.deepEqual([done.bulkPublishPerson.count, done.bulkUnpublishPerson.count], [2, 2])
      assert.equal((await read(world.admin, 'person', ids[0] ?? 0)).age, 7)
      const [third = 0] = await people('Eve')
      const changed = await ask(
        world.admin,
        `mutation { bulkUpdatePerson(ids: [${third}], data: { age: 9 }) { batch { id } } }`,
      )
      dataOf(await world.admin.post(`/api/admin/batches/${changed.bulkUpdatePerson.batch.id}/revert`))
      assert.equal((await read(world.admin, 'person', third)).age, null)
      assert.match(batch.expires_at, /Z$/)
      const gone = await ask(world.admin, `mutation { bulkDeletePerson(ids: [${ids}]) { ids } }`)
      assert.deepEqual(gone.bulkDeletePerson.ids, ids)
    })

    it('writes all or none, and refuses what the routes refuse', async () => {
      const [id = 0] = await people('Alone')
      const missing = await post(
        world.admin,
        `mutation { bulkUpdatePerson(ids: [${id}, 9999], data: { age: 1 }) { count } }`,
      )
      assert.deepEqual(codesIn(missing), ['NOT_FOUND'])
      assert.equal((await read(world.admin, 'person', id)).age, null)
      const many = Array.from({ length: 1_001 }, (_, index) => index + 1)
      for (const ids of [[], many]) {
        const answer = await post(
          world.admin,
          'mutation ($ids: [ID!]!) { bulkDeletePerson(ids: $ids) { count } }',
          { ids },
        )
        assert.deepEqual([answer.status, ...codesIn(answer)], [400, 'VALIDATION_ERROR'])
      }
      for (const field of ['bulkPublishPerson', 'bulkUnpublishPerson', 'bulkDeletePerson']) {
        const answer = await post(writer, `mutation { ${field}(ids: [${id}]) { count } }`)
        assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], field)
      }
      assert.equal((await post(world.admin, 'mutation { bulkPublishTag(ids: [1]) { count } }')).status, 400)
    })

    it('creates many entries at once, or changes those that are there already', async () => {
      const document = `mutation ($entries: [PersonInput!]!, $publish: Boolean) {
        bulkCreatePerson(entries: $entries, publish: $publish) { count ids created updated unchanged }
      }`
      const entries = [{ name: 'One', age: 1 }, { name: 'Two' }]
      const made = (await ask(world.admin, document, { entries, publish: true })).bulkCreatePerson
      assert.deepEqual(
        { ...made, ids: made.ids.length },
        { count: 2, ids: 2, created: 2, updated: 0, unchanged: 0 },
      )
      const [first = 0] = made.ids
      assert.ok((await read(world.anonymous, 'person', first)).published_at)
      const asDraft = await post(writer, document, { entries, publish: true })
      assert.deepEqual([asDraft.status, ...codesIn(asDraft)], [403, 'FORBIDDEN'])
      const wrong = await post(world.admin, document, {
        entries: [{ name: 'Three' }, { name: 'x', boss: 99_999 }],
      })
      assert.equal(wrong.body.errors[0].extensions.details[0].path, '1.boss')
      const unmatched = await post(
        world.admin,
        'mutation { bulkCreatePerson(entries: [{ name: "x" }], match: "age") { count } }',
      )
      assert.deepEqual([unmatched.status, ...codesIn(unmatched)], [400, 'VALIDATION_ERROR'])
      const closed = await post(world.anonymous, document, { entries })
      assert.deepEqual([closed.status, ...codesIn(closed)], [401, 'UNAUTHENTICATED'])
      const matching =
        'mutation ($entries: [TagInput!]!) { bulkCreateTag(entries: $entries, match: "name") { created updated unchanged } }'
      await ask(world.admin, matching, { entries: [{ name: 'matched' }] })
      const again = await ask(world.admin, matching, { entries: [{ name: 'matched' }, { name: 'other' }] })
      assert.deepEqual(again.bulkCreateTag, { created: 1, updated: 0, unchanged: 1 })
    })

    it('links and unlinks, from either side', async () => {
      const [boss = 0, first = 0, second = 0] = await people('Boss', 'First', 'Second')
      const document = (verb: string, field: string, to: number) =>
        `mutation { ${verb}Person(id: ${boss}, field: ${field}, to: ${to}) { data { name staff { name } friends { name } } } }`
      const friends = await ask(writer, document('link', 'friends', first))
      assert.deepEqual(friends.linkPerson.data, { name: 'Boss', staff: [], friends: [{ name: 'First' }] })
      const staff = await ask(writer, document('link', 'staff', second))
      assert.deepEqual(staff.linkPerson.data.staff, [{ name: 'Second' }])
      const left = await ask(writer, document('unlink', 'friends', first))
      assert.deepEqual(left.unlinkPerson.data.friends, [])
      const unknown = await post(writer, document('link', 'name', first))
      assert.deepEqual([unknown.status, ...codesIn(unknown)], [400, 'VALIDATION_ERROR'])
      const none = await post(writer, document('link', 'friends', 9_999))
      assert.equal(codesIn(none).length, 1)
      const refused = await post(world.anonymous, document('link', 'friends', first))
      assert.deepEqual([refused.status, ...codesIn(refused)], [401, 'UNAUTHENTICATED'])
    })

    it('restores what is in the trash, and deletes for good', async () => {
      const { id } = await create(world.admin, 'memo', { title: 'kept' })
      await world.admin.delete(`/api/content/memo/${id}`)
      const restored = await ask(world.admin, `mutation { restoreMemo(id: ${id}) { data { id title } } }`)
      assert.deepEqual(restored.restoreMemo.data, { id, title: 'kept' })
      const purged = await ask(world.admin, `mutation { purgeMemo(id: ${id}) { data { id uuid } } }`)
      assert.equal(purged.purgeMemo.data.id, id)
      assert.ok(purged.purgeMemo.data.uuid)
      assert.equal((await world.admin.get(`/api/content/memo/${id}?deleted=true`)).status >= 400, true)
      const other = await create(world.admin, 'memo', { title: 'other' })
      await world.admin.delete(`/api/content/memo/${other.id}`)
      const none = await ask(world.admin, 'mutation { emptyMemoTrash(olderThanDays: 1) { count hasMore } }')
      assert.deepEqual(none.emptyMemoTrash, { count: 0, hasMore: false })
      const emptied = await ask(world.admin, 'mutation { emptyMemoTrash { count ids hasMore } }')
      assert.deepEqual(emptied.emptyMemoTrash, { count: 1, ids: [other.id], hasMore: false })
      const deleter = await withScopes(world, 'content:read', 'content:delete')
      for (const field of [
        'restoreMemo(id: 1) { data { id } }',
        'purgeMemo(id: 1) { data { id } }',
        'emptyMemoTrash { count }',
      ]) {
        const answer = await post(deleter, `mutation { ${field} }`)
        assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], field)
      }
      assert.equal((await post(world.admin, 'mutation { restoreTag(id: 1) { data { id } } }')).status, 400)
    })

    it('shows what is in the trash to administrators', async () => {
      const gone = await create(world.admin, 'memo', { title: 'in the trash' })
      const { uuid } = await read(world.admin, 'memo', gone.id, '?fields=uuid')
      await create(world.admin, 'memo', { title: 'not in the trash' })
      await world.admin.delete(`/api/content/memo/${gone.id}`)
      const document = `{
        memoList(deleted: true) { data { id title } pagination { total } }
        memo(id: ${gone.id}, deleted: true) { data { title } }
        byUuid: memo(uuid: "${uuid}", deleted: true) { data { id } }
        present: memo(id: ${gone.id}) { data { id } }
      }`
      assert.deepEqual(await ask(world.admin, document), {
        memoList: { data: [{ id: gone.id, title: 'in the trash' }], pagination: { total: 1 } },
        memo: { data: { title: 'in the trash' } },
        byUuid: { data: { id: gone.id } },
        present: { data: null },
      })
      const refused = await post(writer, '{ memoList(deleted: true) { data { id } } }')
      assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'])
      assert.equal((await post(world.admin, '{ tagList(deleted: true) { data { id } } }')).status, 400)
      await ask(world.admin, 'mutation { emptyMemoTrash { count } }')
    })

    it('lists, compares and restores revisions as REST does', async () => {
      const { id } = await create(world.admin, 'tag', { name: 'first' })
      await update(world.admin, 'tag', id, { name: 'second' })
      const rest = (await world.admin.get(`/api/content/tag/${id}/revisions?limit=1`)).body
      const shape = 'id version action author { kind id username } created_at'
      const { tagRevisions } = await ask(
        world.admin,
        `{ tagRevisions(id: ${id}, limit: 1) { data { ${shape} data } pagination { total limit offset hasMore } } }`,
      )
      assert.deepEqual(tagRevisions, { data: rest.data, pagination: rest.pagination })
      const all = await ask(world.admin, `{ tagRevisions(id: ${id}) { data { id version } } }`)
      const [newest, oldest] = all.tagRevisions.data
      const diff = await ask(
        world.admin,
        `{ tagRevisionDiff(id: ${id}, from: ${oldest.id}) { from { ${shape} } to { ${shape} } fields { field from to } } }`,
      )
      const path = `/api/content/tag/${id}/revisions/${oldest.id}`
      assert.deepEqual(diff.tagRevisionDiff, dataOf(await world.admin.get(`${path}/diff`)))
      assert.equal(newest.version, 2)
      const restored = await ask(
        world.admin,
        `mutation { restoreTagRevision(id: ${id}, revision: ${oldest.id}) { data { name } leftOut } }`,
      )
      assert.deepEqual(restored.restoreTagRevision, { data: { name: 'first' }, leftOut: [] })
    })

    it('shows revisions to those to whom REST shows them', async () => {
      for (const field of [
        '{ personRevisions(id: 1) { data { id } } }',
        '{ personRevisionDiff(id: 1, from: 1) { fields { field } } }',
        'mutation { restorePersonRevision(id: 1, revision: 1) { leftOut } }',
      ]) {
        const refused = await post(writer, field)
        assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'], field)
      }
      const other = await post(world.admin, '{ personRevisionDiff(id: 99999, from: 1) { fields { field } } }')
      assert.deepEqual(codesIn(other), ['NOT_FOUND'])
      const wrong = await post(world.admin, '{ personRevisions(id: 1, limit: 0) { data { id } } }')
      assert.deepEqual(codesIn(wrong), ['VALIDATION_ERROR'])
    })
  })

  describe('Drafts beside entries over GraphQL', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: name, schemas: { 'note.json': note } })
    })
    const note = {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      options: { draftAndPublish: true, draftOverlay: true },
      attributes: { title: { type: 'string' }, body: { type: 'text' } },
    }

    it('are compared and dropped as by REST', async (t) => {
      t.after(() => service.stop())
      const { admin } = service
      const { id } = await create(admin, 'note', { title: 'public', body: 'same' })
      await admin.put(`/api/content/note/${id}/publish`)
      const none = await post(admin, `{ noteDraft(id: ${id}) { updated_at } }`)
      assert.deepEqual(codesIn(none), ['NOT_FOUND'])
      await update(admin, 'note', id, { title: 'draft', body: 'same' })
      const { noteDraft } = await ask(
        admin,
        `{ noteDraft(id: ${id}) { fields { field live draft } updated_at } }`,
      )
      assert.deepEqual(noteDraft, dataOf(await admin.get(`/api/content/note/${id}/draft`)))
      assert.deepEqual(noteDraft.fields, [{ field: 'title', live: 'public', draft: 'draft' }])
      const reader = await withScopes({ service, admin }, 'content:read')
      for (const field of [
        `{ noteDraft(id: ${id}) { updated_at } }`,
        `mutation { discardNoteDraft(id: ${id}) { data { id } } }`,
      ]) {
        const refused = await post(reader, field)
        assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'], field)
      }
      const dropped = await ask(
        admin,
        `mutation { discardNoteDraft(id: ${id}) { data { title has_draft } } }`,
      )
      assert.equal(dropped.discardNoteDraft.data.title, 'public')
      assert.deepEqual(codesIn(await post(admin, `{ noteDraft(id: ${id}) { updated_at } }`)), ['NOT_FOUND'])
    })
  })
})
