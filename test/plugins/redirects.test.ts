import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { silentLog } from '../../kernel/index.ts'
import { createHits } from '../../plugins/redirects/hits.ts'
import { encodedTarget, pathKey } from '../../plugins/redirects/paths.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const env = { SVC_PLUGINS_DIR: join(import.meta.dirname, '../../plugins') }
const rules = '/api/content/redirects-rule'

type Rule = Readonly<Record<string, unknown>>

async function add(service: TestService, rule: Rule): Promise<number> {
  return expectStatus(await service.admin.post(rules, rule), 201).body.data.id
}

async function ask(service: TestService, path: string, method = 'GET') {
  const response = await fetch(`${service.url}${path}`, { method, redirect: 'manual' })
  return [response.status, response.headers.get('location')]
}

async function runJob(service: TestService): Promise<void> {
  const { body } = await service.admin.get('/api/admin/scheduled-jobs')
  const { id } = body.data.find(({ name }: { name: string }) => name === 'redirects.check')
  assert.ok((await service.admin.post(`/api/admin/scheduled-jobs/${id}/run`)).status < 300)
}

eachDatabase(({ name: database }) => {
  describe('the plugin redirects', () => {
    let service: TestService
    before(async () => {
      service = await startService({ env, database })
    })
    after(() => service?.stop())

    it('redirects from the write on, until the redirect is deleted', async () => {
      const id = await add(service, { from: '/old', to: '/new' })
      assert.deepEqual(await ask(service, '/old'), [301, '/new'])
      assert.deepEqual(await ask(service, '/old/?a=1&b=%C3%A9'), [301, '/new?a=1&b=%C3%A9'])
      assert.deepEqual(await ask(service, '/old', 'POST'), [308, '/new'])
      assert.deepEqual(await ask(service, '/old', 'HEAD'), [301, '/new'])
      expectStatus(
        await service.admin.put(`${rules}/${id}`, { permanent: false, keep_query: false, to: '/b#c' }),
        200,
      )
      assert.deepEqual(await ask(service, '/old?a=1'), [302, '/b#c'])
      expectStatus(await service.admin.put(`${rules}/${id}`, { from: '/older', keep_query: true }), 200)
      assert.deepEqual(await ask(service, '/old'), [404, null])
      assert.deepEqual(await ask(service, '/older?a=1'), [302, '/b?a=1#c'])
      expectStatus(await service.admin.delete(`${rules}/${id}`), 200)
      assert.deepEqual(await ask(service, '/older'), [404, null])
    })

    it('takes paths of any script, in one spelling', async () => {
      const id = await add(service, { from: '/über-uns/%E6%9D%B1/', to: ' /über uns ' })
      const { body } = await service.admin.get(`${rules}/${id}`)
      assert.deepEqual([body.data.from, body.data.to], ['/über-uns/東', '/%C3%BCber%20uns'])
      assert.deepEqual(await ask(service, '/%C3%BCber-uns/%E6%9D%B1'), [301, '/%C3%BCber%20uns'])
      expectStatus(await service.admin.post(rules, { from: '/über-uns/東', to: '/x' }), 409)
    })

    it('refuses loops, however long, and chains that are too long', async () => {
      await add(service, { from: '/a', to: '/b' })
      await add(service, { from: '/b', to: '/c?x=1#y' })
      const refused = async (rule: Rule) =>
        expectStatus(await service.admin.post(rules, rule), 400).body.error.details[0]
      assert.equal((await refused({ from: '/c', to: '/a' })).code, 'loop')
      assert.equal((await refused({ from: '/self', to: '/self/?a=1' })).code, 'loop')
      assert.equal((await refused({ from: '/self', to: '/%73elf' })).code, 'loop')
      const id = await add(service, { from: '/there', to: '/back' })
      expectStatus(await service.admin.put(`${rules}/${id}`, { from: '/back', to: '/there' }), 200)
      assert.deepEqual(await ask(service, '/back'), [301, '/there'])
      for (let at = 0; at < 10; at++) await add(service, { from: `/chain/${at}`, to: `/chain/${at - 1}` })
      assert.equal((await refused({ from: '/chain/10', to: '/chain/9' })).code, 'long')
    })

    it('counts how often redirects are followed, and forgets those that are gone', async () => {
      const id = await add(service, { from: '/counted', to: '/x' })
      for (let at = 0; at < 3; at++) await ask(service, '/counted')
      const countOf = async () =>
        expectStatus(await service.admin.get('/api/x/redirects/hits'), 200).body.data.find(
          ({ ruleId }: { ruleId: number }) => ruleId === id,
        )?.hits
      assert.equal(await countOf(), 3)
      await ask(service, '/counted')
      assert.equal(await countOf(), 4)
      expectStatus(await service.get('/api/x/redirects/hits'), 401)
      expectStatus(await service.admin.delete(`${rules}/${id}`), 200)
      await runJob(service)
      await until(async () => (await countOf()) === undefined)
    })

    it('writes counts one batch after the other, however many redirects are followed', async () => {
      const hits = createHits(service.kernel.get(databaseService), silentLog)
      const order: string[] = []
      for (let id = 1_000_001; id <= 1_000_050; id++) hits.count(id)
      const many = hits.flush().then(() => order.push('many'))
      hits.count(1_000_100)
      const one = hits.flush().then(() => order.push('one'))
      await Promise.all([many, one])
      await hits.stop()
      assert.deepEqual(order, ['many', 'one'])
    })

    it('has no effect, and tells webhooks, where two lead to each other all the same', async () => {
      const receiver = await startReceiver()
      try {
        const webhook = { name: 'loops', url: receiver.url, events: ['redirects.loop-found'] }
        expectStatus(await service.admin.post('/api/webhooks', webhook), 201)
        const id = await add(service, { from: '/loop-a', to: '/loop-b' })
        await add(service, { from: '/loop-b', to: '/loop-c' })
        // As two writes at the same time would leave them.
        await query(
          service.kernel.get(databaseService),
          (value) => sql`update content_redirects_rule set ${sql.identifier('to')} = ${value('to', 'text')}
            where ${sql.identifier('from')} = ${value('from', 'string')}`,
        ).run({ from: '/loop-b', to: '/loop-a' })
        expectStatus(await service.admin.put(`${rules}/${id}`, { permanent: false }), 400)
        await add(service, { from: '/another', to: '/x' })
        assert.deepEqual(await ask(service, '/loop-a'), [404, null])
        assert.deepEqual(await ask(service, '/another'), [301, '/x'])
        await runJob(service)
        const told = await receiver.gets(2)
        assert.deepEqual(told.map(({ body }) => body.data.from).sort(), ['/loop-a', '/loop-b'])
      } finally {
        await receiver.close()
      }
    })
  })
})

describe('redirects', () => {
  let service: TestService
  before(async () => {
    service = await startService({ env })
  })
  after(() => service?.stop())

  it('lead to no header of their own, and not below what the service answers', async () => {
    for (const [rule, path] of [
      [{ from: '/a', to: '//evil.example' }, 'to'],
      [{ from: '/a', to: '/x\r\nset-cookie: a=b' }, 'to'],
      [{ from: '/a', to: '/\\evil.example' }, 'to'],
      [{ from: '/a', to: 'javascript:alert(1)' }, 'to'],
      [{ from: '/a', to: 'https://user@evil.example' }, 'to'],
      [{ from: '/a', to: '/\ud800' }, 'to'],
      [{ from: '/api/content/article', to: '/x' }, 'from'],
      [{ from: '/Admin', to: '/x' }, 'from'],
      [{ from: '/%61dmin/login', to: '/x' }, 'from'],
      [{ from: '/a/%2e%2e/b', to: '/x' }, 'from'],
      [{ from: '/a//b', to: '/x' }, 'from'],
      [{ from: '/a?b', to: '/x' }, 'from'],
      [{ from: 'a', to: '/x' }, 'from'],
      [{ from: '/%zz', to: '/x' }, 'from'],
      [{ from: `/${'x'.repeat(8_192)}`, to: '/x' }, 'from'],
      [{ from: '/a', to: `/${'x'.repeat(8_192)}` }, 'to'],
    ] as const) {
      const answer = expectStatus(await service.admin.post(rules, rule), 400)
      assert.equal(answer.body.error.details[0].path, path, JSON.stringify(rule))
    }
    assert.equal((await service.admin.get(rules)).body.pagination.total, 0)
  })

  it('may lead to other sites, and are told over GraphQL as to visitors', async () => {
    await add(service, { from: '/elsewhere', to: 'https://www.example.com/x' })
    assert.deepEqual(await ask(service, '/elsewhere'), [301, 'https://www.example.com/x'])
    const query =
      '{ a: redirectFor(path: "/elsewhere/") { to permanent } b: redirectFor(path: "/nothing%") { to } }'
    const { body } = await service.admin.post('/api/graphql', { query })
    assert.deepEqual(body.data, { a: { to: 'https://www.example.com/x', permanent: true }, b: null })
  })

  it('are kept as long as the setting says', async () => {
    await add(service, { from: '/kept', to: '/x' })
    expectStatus(await service.admin.put('/api/admin/config', { 'redirects.cacheSeconds': 60 }), 200)
    const response = await fetch(`${service.url}/kept`, { redirect: 'manual' })
    assert.equal(response.headers.get('cache-control'), 'max-age=60')
  })

  it('are answered by the thousand', slow, async () => {
    const entries = Array.from({ length: 1_000 }, (_, at) => ({ from: `/many/${at}`, to: `/x/${at}` }))
    for (let at = 0; at < entries.length; at += 50) {
      await Promise.all(entries.slice(at, at + 50).map((rule) => add(service, rule)))
    }
    for (const at of [0, 500, 999]) assert.deepEqual(await ask(service, `/many/${at}`), [301, `/x/${at}`])
  })

  it('are for those who may write them', async () => {
    expectStatus(await service.post(rules, { from: '/b', to: '/x' }), 401)
  })
})

describe('redirects of several processes', slow, () => {
  it('are followed by all of them', async (test) => {
    const project = await createProject()
    test.after(() => project.remove())
    const database = { url: project.env.DATABASE_URL ?? '' }
    const first = await startService({ env, database })
    test.after(() => first.stop())
    const second = await startService({ env, database })
    test.after(() => second.stop())
    await add(first, { from: '/shared', to: '/x' })
    await until(async () => (await ask(second, '/shared'))[0] === 301)
  })
})

describe('paths of redirects', () => {
  it('have one spelling', () => {
    assert.deepEqual(['/', '/a/', '/a%2fb', '/ü', '/%C3%BC', '//', '/./a', 'a', '/%'].map(pathKey), [
      ...['/', '/a', '/a/b', '/ü', '/ü'],
      ...[undefined, undefined, undefined, undefined],
    ])
    assert.deepEqual(['/ü', 'a b', '/\nx', '/\ud800'].map(encodedTarget), [
      '/%C3%BC',
      'a%20b',
      undefined,
      undefined,
    ])
  })
})
