import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** One plugin with middleware of all three kinds, contributed in another order than it is to run in. */
const tracer = pluginFile(`
const seen = []
const note = (what) => async (context, next) => {
  seen.push(what + '>')
  const answer = await next()
  seen.push('<' + what)
  return answer
}
const admin = (name, order) => http.defineAdminMiddleware({
  name, order, routes: ['admin:roles.*', 'content:*'], methods: ['GET', 'POST'], run: note(name),
})
const write = (name, order) => content.defineWriteMiddleware({
  name, order, types: 'cat*', operations: ['create'], run: note(name),
})
const system = (name, order, events) => extensions.defineSystemMiddleware({
  name, order, events, run: (event, next) => note(name + ' ' + event.name)(event, next),
})
export default kernel.definePlugin({
  name: 'tracer',
  description: 'Writes down which middleware runs',
  register({ contribute }) {
    contribute(http.adminMiddleware, admin('admin late', 5))
    contribute(http.adminMiddleware, admin('admin early', -5))
    contribute(content.contentWriteMiddleware, write('write late', 2))
    contribute(content.contentWriteMiddleware, write('write early', 1))
    contribute(content.contentReadMiddleware, content.defineReadMiddleware({
      name: 'read', types: ['category'], operations: ['find'], run: note('read'),
    }))
    contribute(extensions.systemMiddleware, system('system late', 9, 'content:afterCreate'))
    contribute(extensions.systemMiddleware, system('system early', 3, ['app:start', 'content:*']))
    contribute(extensions.systemMiddleware, extensions.defineSystemMiddleware({
      name: 'the end', order: 20, events: 'content:afterDelete', run: ({ payload }) => void seen.push(payload.contentType),
    }))
    contribute(extensions.systemMiddleware, system('not reached', 21, 'content:afterDelete'))
    contribute(http.routes, http.defineRoute({
      name: 'tracer:seen.list', method: 'GET', path: '/seen', summary: 'What was seen', access: 'open',
      handler: () => seen.splice(0),
    }))
  },
})`)

eachDatabase(({ name: database }) => {
  let service: TestService
  const seen = async () => {
    const { status, body } = await service.get('/api/x/tracer/seen')
    assert.equal(status, 200)
    return body.data as string[]
  }

  /** What was seen until now and up to this line. */
  async function seenUpTo(last: string): Promise<string[]> {
    const all: string[] = []
    await until(async () => {
      all.push(...(await seen()))
      return all.includes(last)
    })
    return all
  }

  before(async () => {
    service = await startService({
      database,
      files: { ...moduleProject, 'plugins/tracer/plugin.ts': tracer },
    })
  })
  after(() => service.stop())

  it('one plugin adds admin, content and system middleware, which act in their order', async () => {
    assert.deepEqual(await seen(), ['system early app:start>', '<system early app:start'])
    const answer = await service.admin.post('/api/content/category', { name: 'News', slug: 'news' })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    const whole = await seenUpTo('<system early content:afterCreate')
    const during = [
      'admin early>',
      'admin late>',
      'write early>',
      'write late>',
      '<write late',
      '<write early',
      // What the write answers is shown like anything else.
      'read>',
      '<read',
    ]
    assert.deepEqual(
      whole.filter((line) => !line.includes('system')),
      [...during, '<admin late', '<admin early'],
    )
    assert.deepEqual(
      whole.filter((line) => line.includes('system')),
      [
        'system early content:afterCreate>',
        'system late content:afterCreate>',
        '<system late content:afterCreate',
        '<system early content:afterCreate',
      ],
    )
    assert.ok(whole.indexOf('<write early') < whole.indexOf('system early content:afterCreate>'))
  })

  it('acts on the routes, methods, types and operations that it names, and on no others', async () => {
    await seen()
    await service.admin.get('/api/admin/roles')
    assert.equal((await seen()).length, 4)
    await service.admin.get('/api/admin/api-tokens')
    await service.admin.put('/api/content/category/999999', {})
    await service.admin.get('/api/admin/users')
    assert.deepEqual(await seen(), [])
    const author = await service.admin.post('/api/content/author', { name: 'Ann' })
    const told = await seenUpTo('<system early content:afterCreate')
    assert.ok(!told.some((line) => line.includes('write')))
    await service.admin.get(`/api/content/author/${author.body.data.id}`)
    assert.ok(!(await seen()).includes('read>'))
  })

  it('one that does not call next ends the chain of an event', async () => {
    const author = await service.admin.post('/api/content/author', { name: 'Bob' })
    await seen()
    await service.admin.delete(`/api/content/author/${author.body.data.id}`)
    const told = await seenUpTo('<system early content:afterDelete')
    assert.ok(told.includes('author'))
    assert.ok(!told.some((line) => line.startsWith('not reached')))
  })
})
