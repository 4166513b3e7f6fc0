import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Caller, expectStatus, newAdmin, newApiToken, problemsOf } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const workflow = {
  enabled: true,
  initialState: 'draft',
  states: [{ name: 'draft' }, { name: 'review' }],
  transitions: [{ from: 'draft', to: 'review' }],
}

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true, workflow },
    attributes: { title: { type: 'string' } },
  },
}

/** With a name under which somebody signs in, guessing passwords begins. */
eachDatabase(({ name }) => {
  describe('the names under which admin users sign in', () => {
    let service: TestService
    let editor: Caller
    let page: string
    before(async () => {
      service = await startService({ database: name, schemas })
      editor = await newAdmin(service, 'editor')
      const made = expectStatus(await editor.client.post('/api/content/page', { title: 'One' }), 201)
      page = `/api/content/page/${made.body.data.id}`
      const comment = { body: 'Look', mentions: [editor.id] }
      const { id } = expectStatus(await editor.client.post(`${page}/comments`, comment), 201).body.data
      expectStatus(await editor.client.put(`${page}/comments/${id}/resolve`, {}), 200)
      expectStatus(
        await editor.client.post(`${page}/assignments`, { userId: editor.id, role: 'reviewer' }),
        201,
      )
      expectStatus(await editor.client.put(`${page}/workflow/transition`, { to: 'review' }), 200)
    })
    after(() => service.stop())

    const history = '{ pageWorkflowHistory(id: 1) { data { actor { id username } } } }'

    /** What a caller is told wherever people are named. */
    async function told(client: Client): Promise<string[]> {
      const { id } = expectStatus(
        await client.post(`${page}/comments`, { body: 'I, too', mentions: [editor.id] }),
        201,
      ).body.data
      const answers = [
        await client.get(`${page}/comments`),
        await client.put(`${page}/comments/${id}`, { body: 'Changed' }),
        await client.put(`${page}/comments/${id}/resolve`, {}),
        await client.delete(`${page}/comments/${id}`),
        await client.get(`${page}/assignments`),
        await client.get(`${page}/workflow/history`),
        await client.get(`${page}?meta=true`),
        await client.get(`/api/content/page?meta=true&filters[assignee]=${editor.id}`),
        await client.get(`/api/content/page?meta=true&filters[created_by]=admin:${editor.id}`),
        await client.post('/api/graphql', { query: history }),
      ]
      return answers.map((answer) => JSON.stringify(expectStatus(answer, 200).body))
    }

    it('are told to no token, whatever it may write', slow, async () => {
      const token = await newApiToken(service, ['content:read', 'content:write', 'content:publish'])
      for (const text of await told(token.client)) {
        assert.ok(!text.includes(editor.username), text)
        assert.match(text, new RegExp(`"id":"?${editor.id}\\b`))
        assert.ok(text.includes(`admin user ${editor.id}`), text)
      }
      for (const path of ['/api/admin/people', '/api/admin/people?search=a', '/api/admin/users']) {
        expectStatus(await token.client.get(path), 403)
      }
    })

    it('cannot be tried, nor sorted by', async () => {
      const token = await newApiToken(service, ['content:read', 'content:write'])
      for (const query of [
        `filters[created_by]=${editor.username}`,
        'filters[created_by]=nobody-at-all',
        `filters[updated_by][$ne]=${editor.username}`,
        `filters[$or][0][updated_by][$in]=admin:1,${editor.username}`,
        'sort=created_by',
        'sort=updated_by:desc',
        'sort=assignee',
      ]) {
        const answer = await token.client.get(`/api/content/page?${query}`)
        expectStatus(answer, 403)
        assert.ok(!JSON.stringify(answer.body).includes(editor.username))
        expectStatus(await editor.client.get(`/api/content/page?${query}`), 200)
      }
      for (const mentions of [[editor.username], [`@${editor.username}`], ['nobody']]) {
        const answer = await token.client.post(`${page}/comments`, { body: 'x', mentions })
        assert.deepEqual(problemsOf(expectStatus(answer, 400)), { 'mentions.0': 'type' })
      }
      const assigned = await token.client.post(`${page}/assignments`, { userId: editor.id, role: 'reviewer' })
      assert.ok(!JSON.stringify(expectStatus(assigned, 409).body).includes(editor.username))
    })

    it('are told to admin users, and to tokens that may list them', async () => {
      const reader = await newApiToken(service, ['content:read', 'content:write', 'admin:users:read'])
      for (const client of [editor.client, reader.client]) {
        for (const text of await told(client)) assert.ok(text.includes(editor.username), text)
        expectStatus(await client.get('/api/content/page?sort=created_by'), 200)
      }
    })
  })
})
