import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin } from '../api/auth-callers.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const title = { type: 'string', required: true }
const type = (name: string, options: object, attributes: object = { title }) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true, ...options },
  attributes,
})

const state = (name: string, publishable = false) => ({ name, publishable })
const schemas = {
  'policy.json': type('policy', {
    workflow: {
      enabled: true,
      initialState: 'draft',
      states: [state('draft'), state('review'), state('approved', true)],
      transitions: [
        { from: 'draft', to: 'review' },
        { from: 'review', to: 'approved', label: 'Approve', roles: ['reviewer'] },
        { from: 'approved', to: 'draft' },
      ],
    },
  }),
  'memo.json': type('memo', {
    workflow: {
      enabled: true,
      initialState: 'draft',
      states: [state('draft'), state('review'), state('legal'), state('approved', true)],
      transitions: [
        { from: 'draft', to: 'review' },
        { from: 'review', to: 'legal', roles: ['editor'] },
        { from: 'legal', to: 'approved', roles: ['reviewer'] },
        { from: 'approved', to: 'draft' },
      ],
    },
  }),
  'page.json': type(
    'page',
    { i18n: { enabled: true } },
    { title: { ...title, pluginOptions: { i18n: { localized: true } } } },
  ),
}

const roles = [
  {
    name: 'reviewer',
    content: {
      policy: { read: true, update: true },
      memo: { read: true, update: true },
      page: { read: true, update: true },
    },
  },
  { name: 'no-policy', content: { page: { read: true, update: true } } },
]

eachDatabase((database) => {
  describe('the inbox', () => {
    let service: TestService
    let reviewer: Caller
    let outsider: Caller
    let policy: number

    const inboxOf = async ({ client }: Caller) => {
      const sections = expectStatus(await client.get('/api/admin/inbox'), 200).body.data
      return Object.fromEntries(
        // biome-ignore lint/suspicious/noExplicitAny: as the answer has them
        sections.map(({ section, items }: any) => [section, items]),
      )
    }
    const countOf = async ({ client }: Caller) =>
      expectStatus(await client.get('/api/admin/inbox/count'), 200).body.data.total

    async function made(path: string, body: unknown) {
      return expectStatus(await service.admin.post(path, body), 201).body.data
    }

    before(async () => {
      service = await startService({ database: database.name, schemas })
      expectStatus(
        await service.admin.put('/api/admin/config', { 'localization.locales': ['en', 'de'] }),
        200,
      )
      for (const { name, content } of roles) {
        await made('/api/admin/roles', { name, permissions: { content, media: {} } })
      }
      reviewer = await newAdmin(service, 'reviewer')
      outsider = await newAdmin(service, 'no-policy')
      policy = (await made('/api/content/policy', { title: 'Rules' })).id
    })
    after(() => service.stop())

    it('shows assignments and mentions to those who see the entry, until they are settled', async () => {
      const entry = `/api/content/policy/${policy}`
      const mentions = [reviewer.id, outsider.id]
      for (const userId of mentions) await made(`${entry}/assignments`, { userId, role: 'reader' })
      const sent = { body: 'Look at this', field: 'title', mentions }
      const comment = await made(`${entry}/comments`, sent)
      const { assigned, mentioned } = await inboxOf(reviewer)
      assert.equal(assigned.length, 1)
      assert.deepEqual(
        { ...assigned[0], at: '', by: {} },
        {
          ...{ type: 'policy', id: policy, title: 'Rules', role: 'reader', at: '', by: {} },
        },
      )
      assert.deepEqual([mentioned[0].comment, mentioned[0].field], ['Look at this', 'title'])
      assert.equal(await countOf(reviewer), 2)
      assert.deepEqual(await inboxOf(outsider), {
        assigned: [],
        mentioned: [],
        transitions: [],
        outdated: [],
      })

      const path = `/api/admin/inbox/mentions/${mentioned[0].mentionId}`
      expectStatus(await outsider.client.delete(path), 404)
      expectStatus(await reviewer.client.delete(path), 200)
      expectStatus(await reviewer.client.delete(path), 404)
      assert.deepEqual((await inboxOf(reviewer)).mentioned, [])
      const again = await made(`${entry}/comments`, { ...sent, parent: comment.id })
      assert.equal(await countOf(reviewer), 2)
      expectStatus(await service.admin.put(`${entry}/comments/${again.id}/resolve`), 200)
      assert.equal(await countOf(reviewer), 1)
    })

    it('leaves no room to what its reader does not see', slow, async () => {
      const { id: page } = await made('/api/content/page', { title: 'Ours', locale: 'en' })
      const reader = await newAdmin(service, 'no-policy')
      const mention = { body: 'Look', mentions: [reader.id] }
      await made(`/api/content/page/${page}/comments`, mention)
      await made(`/api/content/page/${page}/assignments`, { userId: reader.id, role: 'reader' })
      const hidden = `/api/content/policy/${policy}`
      for (let portion = 0; portion < 20; portion++) {
        await Promise.all(
          Array.from({ length: 10 }, async (_, index) => {
            await made(`${hidden}/comments`, mention)
            await made(`${hidden}/assignments`, { userId: reader.id, role: `${portion}.${index}` })
          }),
        )
      }
      const { assigned, mentioned } = await inboxOf(reader)
      assert.deepEqual([assigned.length, mentioned.length], [1, 1])
    })

    it('shows entries that wait for a transition to those who may take it', async () => {
      assert.deepEqual((await inboxOf(reviewer)).transitions, [])
      const move = `/api/content/policy/${policy}/workflow/transition`
      expectStatus(await service.admin.put(move, { to: 'review' }), 200)
      const [waiting] = (await inboxOf(reviewer)).transitions
      assert.deepEqual([waiting.id, waiting.state], [policy, 'review'])
      assert.deepEqual(waiting.transitions, [{ to: 'approved', label: 'Approve' }])
      const editor = await newAdmin(service, 'editor')
      assert.deepEqual((await inboxOf(editor)).transitions, [])
      expectStatus(await reviewer.client.put(move, { to: 'approved' }), 200)
      assert.deepEqual((await inboxOf(reviewer)).transitions, [])
    })

    it('leaves no room to other types in a state of the same name, which the reader cannot move on', async () => {
      const move = `/api/content/policy/${policy}/workflow/transition`
      expectStatus(await service.admin.put(move, { to: 'draft' }), 200)
      expectStatus(await service.admin.put(move, { to: 'review' }), 200)
      const states = Array.from(
        { length: 200 },
        (_, id) => `('memo', ${id + 1}, 'review', '2999-01-01 00:00:00')`,
      )
      const database = service.kernel.get(databaseService)
      const insert = `insert into svc_workflow_states (type, entry_id, state, updated_at) values ${states}`
      await database.run(database.prepare(sql.raw(insert)))
      const { transitions } = await inboxOf(reviewer)
      assert.deepEqual(
        transitions.map(({ id }: { id: number }) => id),
        [policy],
      )
    })

    it('shows translations that are outdated, with as many statements however many there are', async () => {
      const statements = () =>
        countStatements(service.kernel.get(databaseService), () => inboxOf(outsider), 'page')
      const outdate = async () => {
        const { id } = await made('/api/content/page', { title: 'Hello', locale: 'en' })
        const other = await made(`/api/content/page/${id}/localizations`, { locale: 'de', title: 'Hallo' })
        expectStatus(await service.admin.put(`/api/content/page/${id}`, { title: 'Hello all' }), 200)
        return other.id
      }
      const id = await outdate()
      const [outdated] = (await inboxOf(outsider)).outdated
      assert.deepEqual([outdated.type, outdated.id, outdated.title], ['page', id, 'Hallo'])
      const before = await statements()
      for (let more = 0; more < 3; more++) await outdate()
      assert.equal(await countOf(outsider), 4)
      assert.equal(await statements(), before)
    })
  })
})
