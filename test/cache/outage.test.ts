import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { letAllRead } from '../cdn/cdn-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject, type Project } from '../support/project.ts'
import { startService, type TestService } from '../support/service.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { fromMemory, schemas, statusOf } from './world.ts'

const authors = '/api/content/author'

eachDatabase(({ name }) => {
  // SQLite is a file of the process: there is nothing in between that could be cut.
  if (name === 'sqlite') return
  let project: Project
  let proxy: TcpProxy
  let service: TestService
  /** One that is to answer with nothing that it cannot verify. */
  let strict: TestService

  before(async () => {
    project = await createProject({ database: name as 'postgres', schemas })
    const url = new URL(project.env.DATABASE_URL ?? '')
    proxy = await startTcpProxy(Number(url.port || (name === 'postgres' ? 5432 : 3306)))
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const start = (env: Readonly<Record<string, string>>) =>
      startService({
        database: { url: url.href },
        schemas,
        env: { JWT_SECRET: 'a-secret-that-both-of-them-share', ...env },
      })
    // All processes forget what they keep when they hear of other rights, which must not be during the outage.
    const first = await start({})
    await letAllRead(first.admin, ['author'])
    await first.stop()
    service = await start({ SVC_CACHE_STALE_IF_DOWN: '86400' })
    strict = await start({ SVC_CACHE_STALE_IF_DOWN: '0' })
  })
  after(async () => {
    await proxy.mend()
    await Promise.all([service.stop(), strict.stop()])
    await proxy.close()
    await project.remove()
  })

  it('readers are answered from memory while the database is away, and are told so', async () => {
    expectStatus(await service.admin.post(authors, { name: 'Ada' }), 201)
    const kept = await fromMemory(service, authors)
    await fromMemory(strict, authors)
    await proxy.cut()
    await until(async () => {
      const { status, body, headers } = await service.get(authors)
      assert.deepEqual([status, body], [200, kept.body])
      return headers.get('cache-status') === 'mortise; hit; detail=unvalidated'
    }, 'an answer that says that it is not verified')
    const tag = kept.headers.get('etag') ?? ''
    expectStatus(await service.get(authors, { headers: { 'if-none-match': tag } }), 304)

    // Nothing else is answered: neither what is not kept, nor whose rights cannot be looked up.
    expectStatus(await service.get(`${authors}?sort=bio`), 503)
    expectStatus(await service.admin.get(authors), 503)
    expectStatus(await service.admin.post(authors, { name: 'Grace' }), 503)
    expectStatus(await service.get(authors, { headers: { 'mortise-at-least': 'another.1' } }), 503)
    expectStatus(await service.get('/api/content/comment'), 401)
    await until(async () => (await strict.get(authors)).status === 503, 'nothing unverified')

    await proxy.mend()
    await until(async () => (await service.admin.post(authors, { name: 'Grace' })).status === 201, 'a write')
    const fresh = await service.get(authors)
    assert.equal(fresh.body.data.length, 2)
    assert.equal(statusOf(await fromMemory(service, authors)), 'hit')
  })
})
