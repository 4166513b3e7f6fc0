import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import {
  contentReadMiddleware,
  defineReadMiddleware,
  type ReadResult,
} from '../../core-plugins/entries/content/content.ts'
import { AppError, routeGuards } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type Answer, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject, type Project } from '../support/project.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openToReaders, schemas, statusOf } from './world.ts'

/** A read that has its rows, and waits. */
interface HeldRead {
  /** Lets it go on, to fail with an error if one is given. */
  release(error?: Error): void
}

/** Stops reads of authors when they have their rows, while it is closed; counts reads, and requests that may be made. */
function createGate() {
  const held: HeldRead[] = []
  let isClosed = false
  let reads = 0
  let arrived = 0

  async function run(next: () => Promise<ReadResult>): Promise<ReadResult> {
    reads += 1
    const result = await next()
    if (!isClosed) return result
    await new Promise<void>((resolve, reject) => {
      held.push({ release: (error) => (error === undefined ? resolve() : reject(error)) })
    })
    return result
  }

  const plugin = definePlugin({
    name: 'gate',
    description: 'Holds reads of authors back',
    register({ contribute }) {
      const middleware = defineReadMiddleware({
        name: 'gate: authors',
        types: 'author',
        isPredictable: true,
        run: (_, next) => run(async () => next()),
      })
      contribute(contentReadMiddleware, middleware)
      contribute(routeGuards, { compile: () => () => void arrived++ })
    },
  })
  return {
    plugin,
    held,
    get reads() {
      return reads
    },
    get arrived() {
      return arrived
    },
    /** Holds the next reads. */
    close() {
      isClosed = true
    },
    /** Holds no more reads; those that are held stay so. */
    open() {
      isClosed = false
    },
    releaseAll() {
      isClosed = false
      for (const read of held.splice(0)) read.release()
    },
  }
}

eachDatabase(({ name }) => {
  const gate = createGate()
  let project: Project
  let service: TestService
  let other: TestService
  let id: number
  let asked = 0

  /** An address that nobody has asked for. */
  const newPath = () => `/api/content/author?fields=name&sort=id&limit=${++asked}`
  const nameIn = (answer: Answer): string => expectStatus(answer, 200).body.data[0].name
  const rename = async ({ admin }: TestService, text: string) =>
    expectStatus(await admin.put(`/api/content/author/${id}`, { name: text }), 200)
  /** A read of a cold answer that has its rows and waits; the next ones do not. */
  async function leaderOf(path: string, client = createClient(service.url)) {
    gate.close()
    const answer = client.get(path)
    await until(() => gate.held.length === 1, 'the first one has its rows')
    gate.open()
    return { answer, read: gate.held.pop() as HeldRead }
  }

  /** What the service itself writes meanwhile may keep the first answers from being kept. */
  const keptAt = (path: string) =>
    until(async () => statusOf(await service.get(path)) === 'hit', 'the answer is kept')

  /** Asks while somebody else does; resolves when all of them wait for the first one. */
  async function followersOf(path: string, count: number): Promise<{ answers: Promise<Answer[]> }> {
    const wanted = gate.arrived + count
    const answers = Promise.all(Array.from({ length: count }, () => service.get(path)))
    await until(() => gate.arrived >= wanted, 'the others have arrived')
    // What comes later has gone the same way.
    await service.get('/api/content/tag')
    return { answers }
  }

  before(async () => {
    project = await createProject({ database: name, schemas })
    const url = project.env.DATABASE_URL ?? ''
    const env = {
      JWT_SECRET: 'a-secret-that-both-of-them-share-here',
      SVC_LOCALIZATION_LOCALES: '["en","de"]',
      SVC_CACHE_MAX_STALENESS_MS: '0',
    }
    service = await startService({ database: { url }, schemas, env, plugins: [gate.plugin] })
    other = await startService({ database: { url }, schemas, env })
    await openToReaders(service.admin)
    id = expectStatus(await service.admin.post('/api/content/author', { name: 'first' }), 201).body.data.id
  })
  afterEach(() => gate.releaseAll())
  after(async () => {
    await other.stop()
    await service.stop()
    await project.remove()
  })

  it('equal requests share one read', async () => {
    // The first answers after a start, and after rights have changed, may not be kept yet.
    await until(async () => {
      const path = newPath()
      const before = gate.reads
      const { answer, read } = await leaderOf(path)
      const { answers } = await followersOf(path, 20)
      read.release()
      for (const each of [await answer, ...(await answers)]) nameIn(each)
      return gate.reads - before === 1
    }, 'one read answers all of them')
  })

  it('go on when the client that asked first is gone', async () => {
    const path = newPath()
    gate.close()
    const leaving = new AbortController()
    const left = fetch(service.url + path, { signal: leaving.signal }).catch(() => 'gone')
    await until(() => gate.held.length === 1, 'the first one has its rows')
    gate.open()
    const { answers } = await followersOf(path, 5)
    leaving.abort()
    assert.equal(await left, 'gone')
    gate.releaseAll()
    for (const each of await answers) nameIn(each)
    await keptAt(path)
  })

  for (const [status, error] of [
    [400, AppError.invalid([{ path: 'sort', code: 'format', message: 'is wrong, this time' }])],
    [500, new Error('this time')],
  ] as const) {
    it(`are not answered with the ${status} of the first one`, async () => {
      const path = newPath()
      const { answer, read } = await leaderOf(path)
      const { answers } = await followersOf(path, 5)
      read.release(error)
      assert.equal((await answer).status, status)
      for (const each of await answers) nameIn(each)
      await keptAt(path)
    })
  }

  for (const [who, writer] of [
    ['the same process', () => service],
    ['another process', () => other],
  ] as const) {
    it(`that came after a write of ${who} are not answered with what was read before it`, async () => {
      await rename(writer(), 'old')
      const path = newPath()
      const { answer, read } = await leaderOf(path)
      await rename(writer(), 'new')
      const { answers } = await followersOf(path, 5)
      read.release()
      // It was asked for before the write was acknowledged.
      assert.equal(nameIn(await answer), 'old')
      for (const each of await answers) assert.equal(nameIn(each), 'new')
      assert.equal(nameIn(await service.get(path)), 'new')
    })

    it(`that came before a write of ${who} get an answer that is not kept if it is old`, async () => {
      await rename(writer(), 'old')
      const path = newPath()
      const { answer, read } = await leaderOf(path)
      const { answers } = await followersOf(path, 5)
      await rename(writer(), 'new')
      read.release()
      nameIn(await answer)
      for (const each of await answers) nameIn(each)
      assert.equal(nameIn(await service.get(path)), 'new')
    })
  }
})
