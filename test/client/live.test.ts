import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, type LiveChange, type MortiseError } from 'mortise-client'
import { EventSource } from 'undici'
import type { ContentTypes } from '../../examples/countries/content-types.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { expectStatus } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

async function newAuthor(): Promise<number> {
  return expectStatus(await service.admin.post('/api/content/author', { name: 'Ada' }), 201).body.data.id
}

/** A `fetch` whose connections can be cut. */
function cutting() {
  let controller = new AbortController()
  let requests = 0
  const sent: Headers[] = []
  return {
    fetch: ((input, init) => {
      requests += 1
      sent.push(new Headers(init?.headers))
      return fetch(input, { ...init, signal: controller.signal })
    }) as typeof fetch,
    sent,
    get requests() {
      return requests
    },
    cut() {
      controller.abort()
      controller = new AbortController()
    },
  }
}

describe('live events of the client', () => {
  before(async () => {
    service = await startService()
    const roles = (await service.admin.get('/api/admin/roles')).body.data as { id: number; name: string }[]
    const { id } = roles.find(({ name }) => name === 'public') ?? { id: 0 }
    const permissions = { content: { author: { read: true } }, media: {} }
    expectStatus(await service.admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
  })
  after(() => service.stop())

  it('tells what changes, goes on after a cut, and says from when on reads must be', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    const network = cutting()
    const cms = createClient<ContentTypes>({ url: service.url, token, fetch: network.fetch })
    const changes: LiveChange[] = []
    const errors: unknown[] = []
    const live = cms.live({
      types: ['author'],
      onChange: (change) => changes.push(change),
      onError: (error) => errors.push(error),
    })
    await until(() => live.position !== undefined)
    const made = [await newAuthor()]
    await until(() => changes.length === 1)
    network.cut()
    made.push(await newAuthor())
    await until(() => changes.length === 2)
    assert.deepEqual(
      changes.flatMap(({ refs = [] }) => refs.map(({ id }) => id)),
      made,
    )
    assert.deepEqual([errors.length, network.requests], [1, 2])
    const atLeast = changes[1]?.position ?? ''
    assert.equal(live.position, atLeast)
    await cms.collection('author').list({ atLeast })
    await cms.collection('author').get(made[0] ?? 0, { atLeast })
    assert.deepEqual(
      network.sent.slice(2).map((headers) => headers.get('mortise-at-least')),
      [atLeast, atLeast],
    )
    live.close()
    await newAuthor()
    assert.equal(changes.length, 2)
  })

  it('ends where it would be refused again', async () => {
    const { token } = await newApiToken(service, ['content:read:author'])
    const network = cutting()
    const cms = createClient<ContentTypes>({ url: service.url, token, fetch: network.fetch })
    const error = await new Promise<unknown>((onError) =>
      cms.live({ types: ['article'], onChange: () => undefined, onError }),
    )
    assert.equal((error as MortiseError).code, 'FORBIDDEN')
    assert.equal(network.requests, 1)
  })

  it('tells that anything may be different where it cannot go on', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    const cms = createClient<ContentTypes>({ url: service.url, token })
    const change = await new Promise<LiveChange>((onChange) => {
      const live = cms.live({
        since: 'of another log',
        onChange(told) {
          live.close()
          onChange(told)
        },
      })
    })
    assert.equal(change.types, undefined)
  })

  it('uses EventSource where there is one and nothing has to be sent along', async (test) => {
    const counted: string[] = []
    class CountedSource extends EventSource {
      constructor(url: string) {
        super(url)
        counted.push(url)
      }
    }
    Object.assign(globalThis, { EventSource: CountedSource })
    test.after(() => Reflect.deleteProperty(globalThis, 'EventSource'))
    const cms = createClient<ContentTypes>({ url: service.url })
    const changes: LiveChange[] = []
    const live = cms.live({ types: ['author'], onChange: (change) => changes.push(change) })
    await until(() => live.position !== undefined)
    await newAuthor()
    await until(() => changes.length === 1)
    live.close()
    assert.deepEqual(changes[0]?.types, ['author'])
    assert.deepEqual(counted, [`${service.url}/api/live?types=author`])
  })
})
