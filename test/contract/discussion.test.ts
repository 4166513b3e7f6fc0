import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assignmentCreated, commentCreated } from '../../core-plugins/editing/discussion/discussion.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser, problemsOf } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true }),
  ...typeFile('note', { softDelete: true }),
}

interface Shown {
  readonly id: number
  readonly body: string
  readonly parent: number | null
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  let other: Caller
  const told: string[] = []
  const listener = definePlugin({
    name: 'listener',
    description: 'Listens to discussions',
    register({ on }) {
      on(commentCreated, ({ entry, comment }) => told.push(`${entry.type} ${entry.id}: ${comment.body}`))
      on(assignmentCreated, ({ entry, assignment }) => told.push(`${entry.id}: ${assignment.role}`))
    },
  })

  before(async () => {
    service = await startService({ database: name, schemas, plugins: [listener] })
    editor = await newAdmin(service, 'editor')
    other = await newAdmin(service, 'editor')
  })
  after(() => service.stop())

  const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
  const create = async (type = 'page'): Promise<number> =>
    dataOf(await service.admin.post(`/api/content/${type}`, { title: 'One' }), 201).id
  const say = (client: Client, id: number, body: string, parent?: number | null) =>
    client.post(`/api/content/page/${id}/comments`, { body, ...(parent === undefined ? {} : { parent }) })
  const commentsOf = async (id: number): Promise<Shown[]> =>
    dataOf(await service.admin.get(`/api/content/page/${id}/comments`))

  describe('comments', () => {
    it('are made and listed, oldest first, in threads', async () => {
      const id = await create()
      const first = dataOf(await say(editor.client, id, 'What of this? <b>é</b> 😀'), 201)
      const { created_at: createdAt, updated_at: updatedAt, ...rest } = first
      assert.equal(createdAt, updatedAt)
      assert.deepEqual(rest, {
        id: first.id,
        body: 'What of this? <b>é</b> 😀',
        author: { id: editor.id, username: editor.username },
        field: null,
        mentions: [],
        parent: null,
        resolved: false,
        resolved_at: null,
        resolved_by: null,
      })
      const answer = dataOf(await say(service.admin, id, 'Fine', first.id), 201)
      const { body } = await service.admin.get(`/api/content/page/${id}/comments`)
      assert.deepEqual(
        body.data.map(({ id, parent }: Shown) => [id, parent]),
        [
          [first.id, null],
          [answer.id, first.id],
        ],
      )
      assert.equal(body.pagination.total, 2)
      assert.equal(told.at(-1), `page ${id}: Fine`)
      const logs = dataOf(
        await service.admin.get(`/api/admin/audit-logs?resource=page:${id}&action=comment.create`),
      )
      assert.deepEqual(logs[0].details, { id: answer.id })
    })

    it('are changed and deleted by their author, and by administrators', async () => {
      const id = await create()
      const comment = dataOf(await say(editor.client, id, 'Frist'), 201)
      const path = `/api/content/page/${id}/comments/${comment.id}`
      expectStatus(await other.client.put(path, { body: 'mine' }), 403)
      expectStatus(await other.client.delete(path), 403)
      assert.equal(dataOf(await editor.client.put(path, { body: 'First' })).body, 'First')
      assert.equal(dataOf(await service.admin.put(path, { body: 'Second' })).body, 'Second')
      assert.equal(dataOf(await editor.client.delete(path)).body, 'Second')
      expectStatus(await editor.client.delete(path), 404)
      assert.deepEqual(await commentsOf(id), [])
    })

    it('leave their answers to what they answered', async () => {
      const id = await create()
      const root = dataOf(await say(editor.client, id, 'root'), 201)
      const middle = dataOf(await say(editor.client, id, 'middle', root.id), 201)
      const leaf = dataOf(await say(other.client, id, 'leaf', middle.id), 201)
      dataOf(await editor.client.delete(`/api/content/page/${id}/comments/${middle.id}`))
      assert.equal((await commentsOf(id)).find((comment) => comment.id === leaf.id)?.parent, root.id)
      dataOf(await editor.client.delete(`/api/content/page/${id}/comments/${root.id}`))
      assert.deepEqual(
        (await commentsOf(id)).map(({ body, parent }) => [body, parent]),
        [['leaf', null]],
      )
    })

    it('are resolved by whoever sees them, and opened again', async () => {
      const id = await create()
      const comment = dataOf(await say(editor.client, id, 'Typo'), 201)
      const path = `/api/content/page/${id}/comments/${comment.id}/resolve`
      const resolved = dataOf(await other.client.put(path))
      assert.equal(resolved.resolved, true)
      assert.equal(typeof resolved.resolved_at, 'string')
      assert.deepEqual(resolved.resolved_by, { id: other.id, username: other.username })
      assert.deepEqual(dataOf(await service.admin.put(path, { resolved: true })), resolved)
      const open = dataOf(await other.client.put(path, { resolved: false }))
      assert.deepEqual([open.resolved, open.resolved_at, open.resolved_by], [false, null, null])
    })

    it('are refused where they make no sense', async () => {
      const [id, elsewhere] = [await create(), await create()]
      const foreign = dataOf(await say(service.admin, elsewhere, 'there'), 201)
      const refused = expectStatus(await say(service.admin, id, 'x', foreign.id), 400)
      assert.deepEqual(problemsOf(refused), { parent: 'reference' })
      expectStatus(await say(service.admin, id, 'x', 999_999), 400)
      for (const body of ['', '  \n', 'a\u0000b', '\ud800', 'x'.repeat(10_001)]) {
        expectStatus(await say(service.admin, id, body), 400)
      }
      expectStatus(await say(service.admin, 999_999, 'x'), 404)
      expectStatus(
        await service.admin.put(`/api/content/page/${id}/comments/${foreign.id}`, { body: 'x' }),
        404,
      )
      expectStatus(await service.admin.put(`/api/content/page/${id}/comments/${foreign.id}/resolve`), 404)
    })

    it('are for those who see drafts, whether the entry is public or not', async () => {
      const id = await create()
      dataOf(await service.admin.put(`/api/content/page/${id}/publish`))
      const user = await newUser(service)
      const reader = await newApiToken(service, ['content:read'])
      const writer = await newApiToken(service, ['content:write'])
      expectStatus(await say(service, id, 'x'), 401)
      for (const { client } of [user, reader]) {
        expectStatus(await say(client, id, 'x'), 403)
        expectStatus(await client.get(`/api/content/page/${id}/comments`), 403)
        expectStatus(await client.get(`/api/content/page/${id}/assignments`), 403)
      }
      const comment = dataOf(await say(writer.client, id, 'by a machine'), 201)
      assert.deepEqual(comment.author, { id: writer.id, username: 'test' })
      dataOf(await writer.client.delete(`/api/content/page/${id}/comments/${comment.id}`))
    })
  })

  describe('assignments', () => {
    const pathOf = (id: number, rest = '') => `/api/content/page/${id}/assignments${rest}`

    it('are made, listed and taken back', async () => {
      const id = await create()
      const body = { userId: editor.id, role: 'reviewer' }
      const made = dataOf(await other.client.post(pathOf(id), body), 201)
      const { id: assignmentId, created_at: _at, ...rest } = made
      assert.deepEqual(rest, {
        ...body,
        username: editor.username,
        assigned_by: { id: other.id, username: other.username },
      })
      assert.equal(told.at(-1), `${id}: reviewer`)
      expectStatus(await other.client.post(pathOf(id), body), 409)
      dataOf(await other.client.post(pathOf(id), { ...body, role: 'translator' }), 201)
      const listed = dataOf(await editor.client.get(pathOf(id)))
      assert.deepEqual(
        listed.map(({ role }: { role: string }) => role),
        ['reviewer', 'translator'],
      )
      assert.deepEqual(dataOf(await editor.client.delete(pathOf(id, `/${assignmentId}`))), made)
      expectStatus(await editor.client.delete(pathOf(id, `/${assignmentId}`)), 404)
    })

    it('name admin users that there are', async () => {
      const id = await create()
      const unknown = expectStatus(await service.admin.post(pathOf(id), { userId: 999_999, role: 'x' }), 400)
      assert.deepEqual(problemsOf(unknown), { userId: 'reference' })
      for (const body of [
        {},
        { userId: editor.id },
        { userId: 'x', role: 'x' },
        { userId: editor.id, role: ' ' },
      ]) {
        expectStatus(await service.admin.post(pathOf(id), body), 400)
      }
      expectStatus(await service.admin.post(pathOf(999_999), { userId: editor.id, role: 'x' }), 404)
    })

    it('go with the user, and with the entry, as its comments do', async () => {
      const leaver = await newAdmin(service, 'editor')
      const id = await create()
      for (const userId of [leaver.id, editor.id]) {
        dataOf(await service.admin.post(pathOf(id), { userId, role: 'author' }), 201)
      }
      expectStatus(await service.admin.delete(`/api/admin/users/${leaver.id}`), 200)
      const left = dataOf(await service.admin.get(pathOf(id)))
      assert.deepEqual(
        left.map(({ userId }: { userId: number }) => userId),
        [editor.id],
      )
      dataOf(await say(service.admin, id, 'x'), 201)
      dataOf(await service.admin.delete(`/api/content/page/${id}`))
      for (const rest of ['comments', 'assignments']) {
        expectStatus(await service.admin.get(`/api/content/page/${id}/${rest}`), 404)
      }
      const note = await create('note')
      dataOf(await service.admin.post(`/api/content/note/${note}/comments`, { body: 'kept' }), 201)
      dataOf(await service.admin.delete(`/api/content/note/${note}`))
      dataOf(await service.admin.post(`/api/content/note/${note}/restore`))
      assert.equal(dataOf(await service.admin.get(`/api/content/note/${note}/comments`)).length, 1)
    })
  })
})
