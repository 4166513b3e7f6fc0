import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { schemaSyncBlocked } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const note = (attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
  ...more,
})

const title = { type: 'string', maxLength: 100 }

eachDatabase((database) => {
  const open: (() => Promise<unknown>)[] = []

  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  async function createUrl(): Promise<string> {
    const created: TestDatabase = await database.createUrl()
    open.push(created.drop)
    return created.url
  }

  async function start(url: string, attributes: object, options: StartOptions = {}): Promise<TestService> {
    const schemas = { 'note.json': note(attributes) }
    const service = await startService({ schemas, database: { url }, ...options })
    open.push(service.stop)
    return service
  }

  async function restart(service: TestService, url: string, attributes: object, options?: StartOptions) {
    await service.stop()
    return start(url, attributes, options)
  }

  describe('the routes', () => {
    it('tell the state without credentials, and nothing secret', async () => {
      const service = await start(await createUrl(), { title })
      const { status, body } = await service.get('/api/database/status')
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body.data).sort(), ['connected', 'dialect', 'tables'])
      assert.equal(body.data.connected, true)
      assert.equal(body.data.dialect, database.name)
      assert.ok(body.data.tables > 5)
    })

    it('show no pending change after a start, and are for administrators', async () => {
      const service = await start(await createUrl(), { title })
      assert.deepEqual((await service.admin.get('/api/database/preview')).body, { success: true, data: [] })
      assert.equal((await service.get('/api/database/preview')).status, 401)
      assert.equal((await service.post('/api/database/safe-sync')).status, 401)
    })

    it('drop a removed attribute only when told to, after a copy', slow, async () => {
      const url = await createUrl()
      const first = await start(url, { title, subtitle: title })
      await first.admin.post('/api/content/note', { title: 'a', subtitle: 'b' })
      const { admin, logLines } = await restart(first, url, { title })
      const pending = [
        {
          change: 'drop-column',
          table: (await admin.get('/api/database/preview')).body.data[0].table,
          column: 'subtitle',
          safe: false,
          reason: 'its values would be lost',
          plugin: null,
        },
      ]
      assert.deepEqual((await admin.get('/api/database/preview')).body.data, pending)
      assert.ok(logLines.some((line) => JSON.stringify(line).includes('drop-column')))
      const safe = await admin.post('/api/database/safe-sync')
      assert.deepEqual(safe.body.data, { applied: [], pending })
      assert.equal((await admin.post('/api/content/note', { title: 'c' })).status, 201)
      const forced = await admin.post('/api/database/safe-sync', { allowDestructive: true })
      assert.equal(forced.status, 200)
      assert.deepEqual(forced.body.data.pending, [])
      assert.match(forced.body.data.applied[0].backup, /^svc_dropped_\d+_/)
      assert.deepEqual((await admin.get('/api/database/preview')).body.data, [])
      assert.equal((await admin.get('/api/content/note')).body.data.length, 2)
    })

    it('refuse a body that they do not know', async () => {
      const { admin } = await start(await createUrl(), { title })
      for (const body of [{ allowDestructive: 'yes' }, { force: true }, []]) {
        assert.equal((await admin.post('/api/database/safe-sync', body)).status, 400)
      }
    })
  })

  describe('a start', slow, () => {
    it('keeps the data of a renamed attribute', async () => {
      const url = await createUrl()
      const first = await start(url, { title })
      await first.admin.post('/api/content/note', { title: 'kept' })
      const second = await restart(first, url, { headline: { ...title, renamedFrom: 'title' } })
      const { body } = await second.admin.get('/api/content/note')
      assert.equal(body.data[0].headline, 'kept')
    })

    it('tells listeners what it left undone, also when nothing was declared anew', async () => {
      const told: string[] = []
      const listener = definePlugin({
        name: 'listener',
        description: 'Listens',
        register({ on }) {
          on(schemaSyncBlocked, ({ changes }) => told.push(changes.map(({ change }) => change).join()))
        },
      })
      const url = await createUrl()
      let service = await start(url, { title, subtitle: title })
      for (let round = 0; round < 2; round += 1) {
        service = await restart(service, url, { title }, { plugins: [listener] })
      }
      assert.deepEqual(told, ['drop-column', 'drop-column'])
    })
  })

  describe('an outage', { skip: database.name === 'sqlite' && 'SQLite has no server' }, () => {
    it('turns readiness off and on again, and requests to 503', async () => {
      const url = new URL(await createUrl())
      const proxy: TcpProxy = await startTcpProxy(
        Number(url.port || (database.name === 'postgres' ? 5432 : 3306)),
      )
      open.push(proxy.close)
      url.port = String(proxy.port)
      const service = await start(url.href, { title })
      const statuses = async () => {
        const paths = ['/api/readyz', '/api/database/status', '/api/content/note']
        const answers = await Promise.all(paths.map((path) => service.admin.get(path)))
        return answers.map(({ status }) => status)
      }
      assert.deepEqual(await statuses(), [200, 200, 200])
      await proxy.cut()
      assert.deepEqual(await statuses(), [503, 503, 503])
      const refused = await service.admin.post('/api/content/note', { title: 'lost' })
      assert.equal(refused.body.error.code, 'UNAVAILABLE')
      assert.equal((await service.get('/api/livez')).status, 200)
      await proxy.mend()
      const deadline = Date.now() + 10_000
      while ((await service.get('/api/readyz')).status !== 200) assert.ok(Date.now() < deadline)
      assert.deepEqual(await statuses(), [200, 200, 200])
      assert.equal((await service.admin.post('/api/content/note', { title: 'kept' })).status, 201)
    })

    it('at the start is told with the variable and the remedy, and without the password', async () => {
      const url = new URL(await createUrl())
      const proxy = await startTcpProxy(1)
      await proxy.close()
      url.port = String(proxy.port)
      url.password = 'hidden'
      await assert.rejects(start(url.href, { title }), (error: Error) => {
        assert.match(error.message, /DATABASE_URL.*cannot be opened.*start the database server/)
        assert.doesNotMatch(error.message, /hidden/)
        return true
      })
    })
  })
})
