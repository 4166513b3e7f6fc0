import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openConnection, statusesIn } from '../http/raw-connection.ts'
import { adapters } from '../support/adapters.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, newApiToken } from './auth-callers.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'text' } },
  },
}

const long = 'x'.repeat(150_000)

for (const adapter of adapters) {
  describe(`bodies of callers without credentials on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ adapter, schemas })
      const roles = (await service.admin.get('/api/admin/roles')).body.data as { id: number; name: string }[]
      const { id } = roles.find(({ name }) => name === 'public') ?? { id: 0 }
      const permissions = { content: { note: { read: true, create: true } }, media: {} }
      expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
    })
    after(() => service.stop())

    const requests: Readonly<Record<string, readonly [path: string, body: object]>> = {
      'an entry': ['/api/content/note', { text: long }],
      'several entries': ['/api/content/note/bulk-create', { entries: [{ text: long }] }],
      'a GraphQL document': ['/api/graphql', { query: `# ${long}\n{ notes { total } }` }],
      'variables of GraphQL': ['/api/graphql', { query: '{ notes { total } }', variables: { long } }],
      'a registration': ['/api/auth/register', { email: long, username: 'a', password: 'b' }],
      'a login': ['/api/auth/login', { identifier: 'a', password: long }],
      'the login of an administrator': ['/api/admin/auth/login', { identifier: 'a', password: long }],
      'a forgotten password': ['/api/auth/forgot-password', { email: long }],
    }
    for (const [what, [path, body]] of Object.entries(requests)) {
      it(`are 100 KB at most: ${what}`, async () => {
        assert.equal(expectStatus(await service.post(path, body), 413).body.error.code, 'PAYLOAD_TOO_LARGE')
      })
    }

    it('are 100 KB at most where no length is announced', slow, async () => {
      const connection = await openConnection(service.url)
      const head = ['POST /api/content/note HTTP/1.1', 'host: x', 'content-type: application/json']
      connection.write([...head, 'transfer-encoding: chunked', '', ''].join('\r\n'))
      for (let count = 0; count < 30; count++) connection.write(`1388\r\n${'x'.repeat(5000)}\r\n`)
      assert.deepEqual(statusesIn(await connection.read()), [413])
      connection.close()
    })

    it('are read below that', async () => {
      expectStatus(await service.post('/api/content/note', { text: long.slice(50_000) }), 201)
    })

    it('are limited as before with credentials', async () => {
      expectStatus(await service.admin.post('/api/content/note', { text: long }), 201)
      const { client } = await newApiToken(service, ['content:read', 'content:write'])
      expectStatus(await client.post('/api/content/note', { text: long }), 201)
      const query = 'mutation ($text: String) { createNote(data: { text: $text }) { data { id } } }'
      const answer = expectStatus(
        await client.post('/api/graphql', { query, variables: { text: long } }),
        200,
      )
      assert.equal(answer.body.errors, undefined)
    })

    it('hold no document of GraphQL, of whomever, whose parsing takes long', async () => {
      const query = `{ notes(filters: { text: { eq: """${'\n x'.repeat(100_000)}""" } }) { total } }`
      const answer = expectStatus(await service.admin.post('/api/graphql', { query }), 400)
      assert.deepEqual(answer.body.error.details[0].path, 'query')
      assert.equal(answer.body.error.details[0].code, 'maxLength')
    })
  })
}

describe('the limit of bodies without credentials', () => {
  it('can be set, and is never above that for everybody', slow, async () => {
    for (const [limit, status] of [
      ['200000', 400],
      ['50000', 413],
    ] as const) {
      const env = { SVC_SERVER_MAX_ANONYMOUS_BODY_SIZE: limit, SVC_SERVER_MAX_BODY_SIZE: '180000' }
      const service = await startService({ schemas, env })
      try {
        const send = (text: string) => service.post('/api/auth/register', { email: text })
        expectStatus(await send(long), status)
        expectStatus(await send('x'.repeat(190_000)), 413)
      } finally {
        await service.stop()
      }
    }
  })
})
