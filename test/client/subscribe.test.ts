import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, MortiseError } from 'mortise-client'
import type { ContentTypes } from '../../examples/countries/content-types.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { expectStatus } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

interface Told {
  readonly authorChanged: { readonly change: string; readonly id: number; readonly entry: { name: string } }
}
const query = `subscription ($since: String) { authorChanged(since: $since) { cursor change id entry { name } } }`

const newAuthor = async (): Promise<number> =>
  expectStatus(await service.admin.post('/api/content/author', { name: 'Ada' }), 201).body.data.id

describe('subscriptions of the client', () => {
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('follows a subscription, goes on after a cut without a gap, and ends with its signal', async () => {
    const { token } = await newApiToken(service, ['content:read'])
    let cutting = new AbortController()
    let connections = 0
    const cms = createClient<ContentTypes>({
      ...{ url: service.url, token },
      fetch: (input, init) => {
        connections += 1
        const signals = [cutting.signal, ...(init?.signal ? [init.signal] : [])]
        return fetch(input, { ...init, signal: AbortSignal.any(signals) })
      },
    })
    const ending = new AbortController()
    const told: Told['authorChanged'][] = []
    let isOver = false
    const following = (async () => {
      for await (const { authorChanged } of cms.subscribe<Told>(query, {}, { signal: ending.signal })) {
        told.push(authorChanged)
      }
      isOver = true
    })()
    const ids: number[] = []
    await until(async () => {
      ids.push(await newAuthor())
      return told.length > 0
    })
    const last = ids.at(-1) ?? 0
    await until(() => told.some(({ id }) => id === last))
    cutting.abort()
    cutting = new AbortController()
    const missed = [await newAuthor(), await newAuthor()]
    await until(() => missed.every((id) => told.some((each) => each.id === id)))
    assert.deepEqual(new Set(told.map(({ id }) => id)).size, told.length)
    assert.deepEqual(told.at(-1)?.entry, { name: 'Ada' })
    assert.ok(connections > 1)
    ending.abort()
    await following
    assert.equal(isOver, true)
  })

  it('throws what the service refuses', async () => {
    const cms = createClient<ContentTypes>({ url: service.url })
    await assert.rejects(cms.subscribe(query).next(), (error: MortiseError) => {
      assert.ok(error instanceof MortiseError)
      return error.status === 401
    })
    const { token } = await newApiToken(service, ['content:read'])
    const known = createClient<ContentTypes>({ url: service.url, token })
    await assert.rejects(
      known.subscribe('subscription { nothingChanged { id } }').next(),
      ({ code }: MortiseError) => code === 'VALIDATION_ERROR',
    )
    await assert.rejects(
      known.subscribe(query, { since: 'of another log' }).next(),
      ({ code }: MortiseError) => code === 'CURSOR_EXPIRED',
    )
  })
})
