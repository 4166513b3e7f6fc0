import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { expectStatus, newApiToken } from '../api/auth-callers.ts'
import type { Answer } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { brief, type FeedAnswer, Follower, openToAll, startFeedService } from './feed-world.ts'

eachDatabase(({ name }) => {
  let project: Project
  /** In which one request of an address may wait, and three in all. */
  let service: TestService
  let other: TestService

  before(async () => {
    project = await createProject({ database: name })
    const database = { url: project.env.DATABASE_URL ?? '' }
    const env = { SVC_CHANGE_FEED_MAX_WAITING_OF_ADDRESS: '1', SVC_SERVER_TRUST_PROXY: '["loopback"]' }
    service = await startFeedService(database, { env: { ...env, SVC_CHANGE_FEED_MAX_WAITING: '3' } })
    other = await startFeedService(database)
    await openToAll(service, ['page', 'badge'])
  })
  after(async () => {
    await other.stop()
    await service.stop()
    await project.remove()
  })

  const create = async (type: string, on: TestService = service): Promise<number> =>
    expectStatus(await on.admin.post(`/api/content/${type}`, { title: 'x' }), 201).body.data.id

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

  const longPoll = (cursor: string, address: string, seconds: number) =>
    service.get(`/api/changes?since=${cursor}&types=page&wait=${seconds}`, from(address))

  /** Whoever looks whether somebody waits takes their room for a moment. */
  async function insist(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask()
      if (answer.status !== 429 && answer.status !== 503) return answer
    }
  }

  /** Asks, and resolves with the coming answer once the service waits. */
  async function waitFor(cursor: string, query: string, token?: string) {
    const options = { ...from('10.0.0.1'), ...(token !== undefined && { token }) }
    const answer = insist(() => service.get(`/api/changes?since=${cursor}${query}`, options))
    await until(async () => (await longPoll(cursor, '10.0.0.1', 1)).status === 429, 'the request waits')
    return { answer: answer as Promise<Answer<FeedAnswer>> }
  }

  it('a change that another process has written ends the wait, one in secret does not', async () => {
    const { cursor } = await new Follower(service).begin()
    const { answer } = await waitFor(cursor, '&wait=30&types=page,badge')
    await create('page', other)
    await create('secret', other)
    const badge = await create('badge', other)
    const { body } = expectStatus(await answer, 200)
    assert.deepEqual(body.data.map(brief), [`changed badge ${badge}`])
  })

  it('the own process wakes them, too', async () => {
    const { cursor } = await new Follower(service).begin()
    const { answer } = await waitFor(cursor, '&wait=30')
    const badge = await create('badge')
    assert.deepEqual((await answer).body.data.map(brief), [`changed badge ${badge}`])
  })

  it('an empty answer leads to a new address, and all lead everyone to the same', slow, async () => {
    const { cursor } = await new Follower(service).begin()
    const first = expectStatus(await service.get(`/api/changes?since=${cursor}&wait=1&types=page,badge`), 200)
    assert.deepEqual(first.body.data, [])
    const { next } = first.body.pagination
    assert.match(next, /^\/api\/changes\?since=[\w.-]+&types=badge,page&wait=1&poll=\d+$/)
    const second = expectStatus(await service.get(next), 200)
    assert.notEqual(second.body.pagination.next, next)
    const poll = (path: string) => Number(/poll=(\d+)/.exec(path)?.[1])
    assert.ok(poll(second.body.pagination.next) > poll(next))
    // What has news goes on at their end, which is new in any case.
    await create('badge')
    const third = expectStatus(await service.get(second.body.pagination.next), 200)
    assert.doesNotMatch(third.body.pagination.next, /poll/)
  })

  it('shared caches may keep what everybody gets, and nothing else', async () => {
    const cacheControl = async (answer: Promise<Answer>) => {
      const { headers } = await answer
      assert.equal(headers.get('etag'), null)
      return [headers.get('cache-control'), headers.get('vary')]
    }
    const path = `/api/changes?since=${(await new Follower(service).begin()).cursor}`
    const shared = ['public, max-age=5', 'authorization']
    const secret = ['private, no-store', 'authorization']
    assert.deepEqual(await cacheControl(service.get(path)), shared)
    assert.deepEqual(await cacheControl(service.get('/api/changes')), shared)
    assert.deepEqual(await cacheControl(service.admin.get(path)), secret)
    assert.deepEqual(await cacheControl(service.get('/api/changes/snapshot')), secret)
    for (const refused of ['types=secret', `since=0123456789ab.${'A'.repeat(22)}`, 'locale=xx']) {
      const { status, headers } = await service.get(`/api/changes?${refused}`)
      assert.ok(status >= 400)
      assert.equal(headers.get('cache-control'), 'no-store', refused)
    }
  })

  it('only so many may wait, and who has left makes room', async () => {
    const { cursor } = await new Follower(service).begin()
    const path = `/api/changes?since=${cursor}&types=page&wait=30`
    const leaving = new AbortController()
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
    const wait = async (address: string) => {
      const { status } = await fetch(service.url + path, { signal: leaving.signal, ...from(address) })
      return { status, headers: new Headers(), body: undefined }
    }
    const waiting = addresses.map((address) => insist(() => wait(address)).catch(() => undefined))
    await until(async () => (await longPoll(cursor, '10.0.0.4', 1)).status === 503)
    const full = await longPoll(cursor, '10.0.0.4', 1)
    assert.equal(full.headers.get('retry-after'), '5')
    assert.equal(full.headers.get('cache-control'), 'no-store')
    // Who does not wait needs no room.
    expectStatus(await service.get(`/api/changes?since=${cursor}`, from('10.0.0.1')), 200)
    leaving.abort()
    await Promise.all(waiting)
    await until(async () => (await longPoll(cursor, '10.0.0.1', 1)).status === 200)
  })

  it('whoever loses their rights while they wait is refused', async () => {
    const { id, token } = await newApiToken(service, ['content:read'])
    const { cursor } = await new Follower(service.admin).begin()
    const { answer } = await waitFor(cursor, '&wait=30&types=secret', token)
    expectStatus(await service.admin.delete(`/api/admin/api-tokens/${id}`), 200)
    await create('secret')
    assert.equal((await answer).status, 401)
  })

  it('waiting ends when the service stops', async () => {
    const env = { SVC_CHANGE_FEED_MAX_WAITING_OF_ADDRESS: '1' }
    const stopping = await startFeedService({ url: project.env.DATABASE_URL ?? '' }, { env })
    const { cursor } = await new Follower(stopping).begin()
    const path = `/api/changes?since=${cursor}&types=page`
    const answer = insist(() => stopping.get(`${path}&wait=30`))
    await until(async () => (await stopping.get(`${path}&wait=1`)).status === 429)
    await stopping.stop()
    const { body } = expectStatus(await answer, 200)
    assert.deepEqual(body.data, [])
    assert.match(body.pagination.next, /poll/)
  })
})
