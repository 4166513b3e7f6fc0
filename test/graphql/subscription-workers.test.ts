import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { openSocket } from './socket-client.ts'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string' } },
}

it('processes that share a port tell subscribers of each what any of them has written', {
  ...slow,
  timeout: 120_000,
}, async () => {
  await withProject({ schemas: { 'note.json': note } }, async (project) => {
    const service = startProcess({ project, env: { SVC_PROCESSES: '2' } })
    const admin = await service.signIn()
    const url = await service.ready()
    const { token } = expectStatus(
      await admin.post('/api/admin/api-tokens', {
        name: 'follower',
        scopes: ['content:read', 'content:write'],
      }),
      201,
    ).body.data
    // Which of them takes a connection is up to the system, so it is a matter of many.
    const clients = []
    for (let count = 0; count < 12; count++) clients.push(await openSocket(url, { token }))
    for (const client of clients) {
      await client.subscribe('1', 'subscription { noteChanged { change id entry { title } } }')
    }
    const ids: number[] = []
    for (let count = 0; count < 12; count++) {
      const headers = { connection: 'close' }
      const made = await createClient(url, token).request('POST', '/api/content/note', {
        body: JSON.stringify({ title: `by ${count}` }),
        headers: { ...headers, 'content-type': 'application/json' },
      })
      ids.push(expectStatus(made, 201).body.data.id)
    }
    for (const client of clients) {
      await until(() => client.events().length >= ids.length)
      const told = client.events().map(({ id, change, entry }) => [id, change, entry.title])
      assert.deepEqual(told.toSorted(), ids.map((id, index) => [id, 'CREATED', `by ${index}`]).toSorted())
    }
    for (const client of clients) client.close()
    assert.equal((await service.end('SIGTERM')).code, 0)
  })
})
