import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { workflowTransitioned } from '../../core-plugins/editing/workflow/workflow.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const workflow = {
  enabled: true,
  initialState: 'draft',
  states: [
    { name: 'draft', label: 'Draft', color: '#888' },
    { name: 'review', label: 'In review' },
    { name: 'approved', publishable: true },
    { name: 'rejected' },
  ],
  transitions: [
    { from: 'draft', to: 'review', label: 'Submit for review' },
    { from: 'review', to: 'approved', label: 'Approve', roles: ['admin', 'super-admin'] },
    { from: 'review', to: 'rejected', label: 'Reject', roles: ['admin'] },
    { from: 'rejected', to: 'draft', label: 'Revise' },
    { from: 'approved', to: 'draft', label: 'Unpublish' },
  ],
}

const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const unguarded = { ...workflow, states: workflow.states.map(({ name }) => ({ name })) }
const schemas = {
  ...typeFile('page', { draftAndPublish: true, workflow }),
  ...typeFile('note', { draftAndPublish: true, workflow: unguarded }),
  ...typeFile('plain', { draftAndPublish: true, workflow: { ...workflow, enabled: false } }),
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  const told: unknown[] = []
  const listener = definePlugin({
    name: 'listener',
    description: 'Listens to transitions',
    register({ on }) {
      on(workflowTransitioned, ({ principal: _principal, ...event }) => told.push(event))
    },
  })

  before(async () => {
    service = await startService({ database: name, schemas, plugins: [listener] })
    editor = await newAdmin(service, 'editor')
  })
  after(() => service.stop())

  const create = async (type = 'page'): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${type}`, { title: 'One' }), 201).body.data.id
  const take = (client: Client, id: number, to: string, comment?: string, type = 'page') =>
    client.put(`/api/content/${type}/${id}/workflow/transition`, { to, ...(comment && { comment }) })
  const takeAll = async (id: number, ...states: string[]) => {
    for (const state of states) expectStatus(await take(service.admin, id, state), 200)
  }
  const standing = async (client: Client, id: number) =>
    expectStatus(await client.get(`/api/content/page/${id}/workflow`), 200).body.data
  const publish = (id: number, type = 'page') => service.admin.put(`/api/content/${type}/${id}/publish`)

  describe('a workflow', () => {
    it('begins in the initial state and tells the ways that the caller may go', async () => {
      const id = await create()
      const first = await standing(editor.client, id)
      assert.deepEqual(first, {
        state: { name: 'draft', label: 'Draft', color: '#888', publishable: false },
        transitions: [{ to: 'review', label: 'Submit for review' }],
        refused: [],
      })
      const answer = expectStatus(await take(editor.client, id, 'review', 'please look'), 200)
      assert.deepEqual(answer.body.data, {
        state: { name: 'review', label: 'In review', color: null, publishable: false },
        transitions: [],
        refused: [
          { to: 'approved', label: 'Approve', roles: ['admin', 'super-admin'] },
          { to: 'rejected', label: 'Reject', roles: ['admin'] },
        ],
      })
      const forSuperAdmin = (await standing(service.admin, id)).transitions
      assert.deepEqual(
        forSuperAdmin.map(({ to }: { to: string }) => to),
        ['approved', 'rejected'],
      )
    })

    it('tells the version of the entry, so that the next write needs no read', async () => {
      const id = await create()
      const path = `/api/content/page/${id}`
      const seen = expectStatus(await service.admin.get(`${path}/workflow`), 200).headers.get('etag') ?? ''
      const moved = expectStatus(await take(service.admin, id, 'review'), 200).headers.get('etag') ?? ''
      for (const etag of [seen, moved]) {
        const ifMatch = { headers: { 'if-match': etag } }
        expectStatus(await service.admin.post(`${path}/check`, { title: 'New' }, ifMatch), 200)
      }
      expectStatus(await service.admin.put(path, { title: 'New' }, { headers: { 'if-match': moved } }), 200)
      expectStatus(await service.admin.put(path, { title: 'Old' }, { headers: { 'if-match': moved } }), 412)
    })

    it('lets those take a transition whose role it names, and super-admins', async () => {
      const id = await create()
      await takeAll(id, 'review')
      const { error } = expectStatus(await take(editor.client, id, 'approved'), 403).body
      assert.equal(error.code, 'FORBIDDEN')
      assert.match(error.message, /; admin, super-admin may$/)
      const token = await newApiToken(service, ['content:write'])
      assert.doesNotMatch(
        expectStatus(await take(token.client, id, 'approved'), 403).body.error.message,
        /super-admin/,
      )
      assert.deepEqual((await standing(token.client, id)).refused, [])
      const admin = await newAdmin(service, 'admin')
      expectStatus(await take(admin.client, id, 'approved'), 200)
      const other = await create()
      expectStatus(await take(token.client, other, 'review'), 200)
      const full = await newApiToken(service, ['admin:*'])
      expectStatus(await take(full.client, other, 'rejected'), 200)
    })

    it('is refused where somebody else has moved the entry meanwhile', async () => {
      const id = await create()
      await takeAll(id, 'review', 'rejected')
      const path = `/api/content/page/${id}/workflow/transition`
      expectStatus(await service.admin.put(path, { from: 'approved', to: 'draft' }), 409)
      expectStatus(await service.admin.put(path, { from: 'rejected', to: 'draft' }), 200)
    })

    it('refuses ways that there are not', async () => {
      const id = await create()
      for (const to of ['approved', 'draft', 'nowhere']) {
        const answer = expectStatus(await take(service.admin, id, to), 409)
        assert.equal(answer.body.error.code, 'INVALID_TRANSITION')
      }
      expectStatus(await service.admin.put(`/api/content/page/${id}/workflow/transition`, {}), 400)
      expectStatus(await take(service.admin, 999_999, 'review'), 404)
      expectStatus(await take(service.admin, await create('plain'), 'review', undefined, 'plain'), 404)
    })

    it('keeps who went which way, oldest first', async () => {
      const id = await create()
      expectStatus(await take(editor.client, id, 'review', 'please look'), 200)
      expectStatus(await take(service.admin, id, 'approved'), 200)
      const { data, pagination } = (await service.admin.get(`/api/content/page/${id}/workflow/history`)).body
      const rows = data.map(({ id: _id, created_at: _at, ...row }: Record<string, unknown>) => row)
      const { id: editorId, username } = editor
      assert.deepEqual(rows, [
        {
          from: 'draft',
          to: 'review',
          comment: 'please look',
          actor: { kind: 'admin', id: editorId, username },
        },
        { from: 'review', to: 'approved', comment: null, actor: { kind: 'admin', id: 1, username: 'admin' } },
      ])
      assert.equal(pagination.total, 2)
      assert.deepEqual(told.at(-1), {
        contentType: 'page',
        entryId: id,
        from: 'review',
        to: 'approved',
        comment: null,
      })
      const logs = await service.admin.get(
        `/api/admin/audit-logs?resource=page:${id}&action=workflow.transition`,
      )
      assert.deepEqual(logs.body.data[0].details, { from: 'review', to: 'approved' })
    })

    it('lets exactly one of many at the same time through', async () => {
      const id = await create()
      await takeAll(id, 'review')
      for (const targets of [['approved', 'rejected'], ['draft'], ['review'], ['approved', 'rejected']]) {
        const attempts = Array.from({ length: 8 }, (_, index) => targets[index % targets.length] ?? '')
        const answers = await Promise.all(attempts.map((to) => take(service.admin, id, to)))
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409])
      }
      const { body } = await service.admin.get(`/api/content/page/${id}/workflow/history`)
      assert.equal(body.data.length, 5)
    })

    it('lets only one through where the entry never left its initial state', async () => {
      const id = await create()
      const answers = await Promise.all(Array.from({ length: 8 }, () => take(editor.client, id, 'review')))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.equal(answers.filter(({ body }) => body.error?.code === 'INVALID_TRANSITION').length, 7)
    })

    it('lets entries be published in publishable states only', async () => {
      const id = await create()
      const refused = expectStatus(await publish(id), 409)
      assert.equal(refused.body.error.code, 'NOT_PUBLISHABLE')
      assert.match(refused.body.error.message, /in the state draft; it can be published in approved/)
      assert.equal((await service.admin.get(`/api/content/page/${id}`)).body.data.published_at, null)
      await takeAll(id, 'review', 'approved')
      const { published_at: publishedAt } = expectStatus(await publish(id), 200).body.data
      await takeAll(id, 'draft')
      const after = await service.admin.get(`/api/content/page/${id}`)
      assert.equal(after.body.data.published_at, publishedAt)
    })

    it('leaves publishing alone where no state is flagged, and where it is not enabled', async () => {
      for (const type of ['note', 'plain']) expectStatus(await publish(await create(type), type), 200)
    })

    it('is shown to those who see drafts', async () => {
      const id = await create()
      const path = `/api/content/page/${id}/workflow`
      const user = await newUser(service)
      const reader = await newApiToken(service, ['content:read'])
      for (const rest of ['', '/history']) {
        expectStatus(await service.get(path + rest), 401)
        expectStatus(await user.client.get(path + rest), 403)
        expectStatus(await reader.client.get(path + rest), 403)
        expectStatus(await editor.client.get(path + rest), 200)
      }
    })

    it('forgets deleted entries', async () => {
      const id = await create()
      await takeAll(id, 'review')
      expectStatus(await service.admin.delete(`/api/content/page/${id}`), 200)
      expectStatus(await service.admin.get(`/api/content/page/${id}/workflow`), 404)
      for (const table of ['svc_workflow_states', 'svc_workflow_transitions']) {
        assert.deepEqual(await rowsOf(table, id), [])
      }
    })
  })

  function rowsOf(table: string, id: number) {
    const database = service.kernel.get(databaseService)
    const query = sql`select entry_id from ${sql.identifier(table)} where entry_id = ${sql.raw(String(id))}`
    return database.all(database.prepare(query))
  }
})
