import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { auditService } from '../../core-plugins/background/audit/audit.ts'
import { createAuditLog } from '../../core-plugins/background/audit/audit-log.ts'
import { auditTable } from '../../core-plugins/background/audit/tables.ts'
import { contentService, contentWriteMiddleware } from '../../core-plugins/entries/content/content.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { AppError, adminMiddleware, defineRoute, routes } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  expectStatus,
  goodPassword,
  login,
  newAdmin,
  newApiToken,
  newNames,
  newUser,
} from './auth-callers.ts'

interface Entry {
  readonly id: number
  readonly action: string
  readonly actor: { kind: string; id: number; name: string } | null
  readonly resource: string | null
  readonly details: Record<string, unknown> | null
  readonly ip: string | null
  readonly created_at: string
}

const path = '/api/admin/audit-logs'

const route = (name: string, more: object = {}) =>
  defineRoute({
    name,
    method: 'POST',
    path: `/x/test/${name.replace(/\W/g, '-')}`,
    summary: 'For a test',
    access: 'area',
    body: Type.Object({ password: Type.Optional(Type.String()) }),
    isBodyOptional: true,
    handler: () => ({ id: 12 }),
    ...more,
  })

const extras = definePlugin({
  name: 'extras',
  description: 'Routes that say how they are recorded, and middleware that refuses',
  register({ contribute }) {
    contribute(routes, route('test:boxes.open'))
    contribute(routes, route('test:quiet.do', { audit: false }))
    contribute(routes, route('test:named.do', { audit: 'backup.restore' }))
    contribute(routes, route('test:open.do', { access: 'open' }))
    contribute(
      routes,
      route('test:failing.do', {
        handler() {
          throw new AppError('CONFLICT', 'no')
        },
      }),
    )
    contribute(routes, route('test:refused.do'))
    contribute(adminMiddleware, {
      name: 'refuses',
      matches: ({ name }) => name === 'test:refused.do',
      run() {
        throw new AppError('FORBIDDEN', 'not today')
      },
    })
    contribute(contentWriteMiddleware, {
      name: 'vetoes what is called veto',
      matches: ({ operation }) => operation === 'create',
      async run(context, next) {
        const entry = await next()
        if (context.data.name === 'veto') throw new AppError('CONFLICT', 'vetoed')
        return entry
      },
    })
  },
})

eachDatabase((database) => {
  describe('the audit log', () => {
    let service: TestService
    before(async () => {
      service = await startService({ database: database.name, plugins: [extras] })
    })
    after(() => service.stop())

    const list = async (search = ''): Promise<Entry[]> =>
      expectStatus(await service.admin.get(`${path}?limit=100&${search}`), 200).body.data

    const newest = async (search = ''): Promise<Entry> => {
      const [entry] = await list(search)
      assert.ok(entry, `nothing is recorded for ${search}`)
      return entry
    }

    it('tells of logins of both kinds, and of failed ones', async () => {
      const admin = await newAdmin(service, 'editor')
      const entry = await newest('action=auth.login')
      assert.deepEqual(
        { ...entry, id: 0, created_at: '' },
        {
          id: 0,
          action: 'auth.login',
          actor: { kind: 'admin', id: admin.id, name: admin.username },
          resource: `user:${admin.id}`,
          details: null,
          ip: '127.0.0.1',
          created_at: '',
        },
      )
      const user = await newUser(service)
      assert.deepEqual((await newest('action=auth.login')).actor, {
        kind: 'user',
        id: user.id,
        name: user.username,
      })
      for (const [system, identifier] of [
        ['admin/auth', admin.email],
        ['auth', 'nobody at all'],
      ]) {
        expectStatus(await service.post(`/api/${system}/login`, { identifier, password: 'wrong' }), 401)
        const failed = await newest('action=auth.login_failed')
        assert.equal(failed.details?.identifier, identifier)
        assert.equal(failed.actor, null)
      }
    })

    it('tells of attempts until the lock, and not of those after it', async () => {
      const identifier = 'locked@example.com'
      for (let attempt = 0; attempt < 8; attempt++) {
        await service.post('/api/admin/auth/login', { identifier, password: 'wrong' })
      }
      const failed = await list('action=auth.login_failed')
      assert.equal(failed.filter(({ details }) => details?.identifier === identifier).length, 5)
    })

    it('tells of logouts and changed passwords', async () => {
      const { client, ...account } = await newUser(service)
      const changed = { currentPassword: goodPassword, newPassword: 'another good password' }
      expectStatus(await client.post('/api/auth/change-password', changed), 200)
      assert.equal((await newest(`resource=content_user:${account.id}`)).action, 'auth.password_change')
      const again = await login(service, 'auth', { ...account, password: changed.newPassword })
      expectStatus(await again.client.post('/api/auth/logout'), 200)
      assert.equal((await newest(`resource=content_user:${account.id}`)).action, 'auth.logout')
      assert.equal((await newest(`actor=user:${account.id}`)).ip, '127.0.0.1')
    })

    it('tells of what administrators do, with the names of the fields', async () => {
      const account = { ...newNames(), password: goodPassword, role: 'editor' }
      const made = expectStatus(await service.admin.post('/api/admin/auth/register', account), 201)
      const entry = await newest('action=user.create')
      assert.equal(entry.resource, `user:${made.body.data.id}`)
      assert.deepEqual(entry.details, { fields: ['email', 'username', 'password', 'role'] })
      assert.equal(entry.actor?.name, 'admin')

      const id = made.body.data.id
      expectStatus(await service.admin.put(`/api/admin/users/${id}`, { blocked: true }), 200)
      assert.deepEqual((await newest(`resource=user:${id}`)).action, 'user.update')
      expectStatus(await service.admin.delete(`/api/admin/users/${id}`), 200)
      assert.deepEqual((await newest(`resource=user:${id}`)).action, 'user.delete')

      const token = await newApiToken(service, ['admin:*'])
      assert.equal((await newest('action=api_token.create')).resource, `api_token:${token.id}`)
      expectStatus(await token.client.post('/api/database/safe-sync'), 200)
      const sync = await newest('action=database.sync')
      assert.deepEqual(sync.actor, { kind: 'token', id: token.id, name: 'test' })
      assert.equal(sync.details, null)
    })

    it('tells of changed settings, in the transaction of the change', async () => {
      const values = { 'site.name': 'x', security: { login: { windowMinutes: 16 } } }
      expectStatus(await service.admin.put('/api/admin/config', values), 200)
      const entry = await newest('action=config.update')
      assert.deepEqual(entry.details, { keys: ['site.name', 'security.login.windowMinutes'] })
      assert.equal(entry.ip, '127.0.0.1')
      const before = (await list('action=config.update')).length
      expectStatus(await service.admin.put('/api/admin/config', values), 200)
      expectStatus(await service.admin.put('/api/admin/config', { 'no.such': 1 }), 400)
      expectStatus(await service.admin.put('/api/admin/config', { 'site.name': null }), 200)
      assert.equal((await list('action=config.update')).length, before + 1)
    })

    it('tells of writes of content, and of none that came to nothing', async () => {
      const draft = { title: 'A', slug: 'a-new-one' }
      const made = expectStatus(await service.admin.post('/api/content/article', draft), 201)
      const { id } = made.body.data
      const url = `/api/content/article/${id}`
      expectStatus(await service.admin.put(url, { title: 'B' }), 200)
      expectStatus(await service.admin.put(`${url}/publish`), 200)
      expectStatus(await service.admin.put(`${url}/publish`), 200)
      expectStatus(await service.admin.put(`${url}/unpublish`), 200)
      expectStatus(await service.admin.delete(url), 200)
      const entries = (await list(`resource=article:${id}`)).reverse()
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['content.create', 'content.update', 'content.publish', 'content.unpublish', 'content.delete'],
      )
      assert.ok(entries.every(({ ip, actor }) => ip === '127.0.0.1' && actor?.name === 'admin'))

      const before = (await list('action=content.create')).length
      expectStatus(await service.admin.post('/api/content/category', { name: 'veto', slug: 'v' }), 409)
      expectStatus(await service.admin.post('/api/content/category', {}), 400)
      assert.equal((await list('action=content.create')).length, before)
    })

    it('tells of each entry of a bulk operation, and of writes of the service itself', async () => {
      const content = service.kernel.get(contentService)
      const principal = { kind: 'anonymous' } as const
      const make = (name: string) =>
        content.unguarded.create({ type: 'category', principal }, { name, slug: name })
      const entries = [await make('bulk-1'), await make('bulk-2')]
      const ids = entries.map(({ id }) => id)
      assert.equal((await newest(`resource=category:${ids[1]}`)).actor, null)
      expectStatus(await service.admin.delete('/api/content/category/bulk-delete', { ids }), 200)
      for (const id of ids) assert.equal((await newest(`resource=category:${id}`)).action, 'content.delete')
    })

    it('says of routes what they say themselves', async () => {
      const post = (name: string, body?: object) => service.admin.post(`/api/x/test/test-${name}`, body)
      expectStatus(await post('boxes-open', { password: 'hunter2' }), 200)
      const entry = await newest()
      assert.deepEqual(
        [entry.action, entry.resource, entry.details],
        ['test.open', 'box:12', { fields: ['password'] }],
      )
      expectStatus(await post('named-do'), 200)
      const restore = await newest('action=backup.restore')
      assert.equal(restore.resource, 'backup:12')
      for (const [name, status] of [
        ['quiet-do', 200],
        ['open-do', 200],
        ['failing-do', 409],
        ['refused-do', 403],
      ] as const) {
        expectStatus(await post(name), status)
        assert.equal((await newest()).id, restore.id, name)
      }
    })

    it('holds no secrets', async () => {
      const all = JSON.stringify(await list())
      assert.doesNotMatch(all, /mor_|hunter2|another good password|eyJ/)
      assert.ok(!all.includes(goodPassword))
    })

    it('is narrowed by everything at once', async () => {
      const admin = await newAdmin(service, 'admin')
      const { client } = admin
      const start = new Date().toISOString()
      const made = await client.post('/api/content/category', { name: 'narrow', slug: 'narrow' })
      const resource = `category:${expectStatus(made, 201).body.data.id}`
      const count = async (search: string) => (await list(search)).length
      const actor = `actor=admin:${admin.id}`
      assert.equal(await count(`${actor}&action=content.create&resource=${resource}&from=${start}`), 1)
      assert.equal(await count(`${actor}&action=content.*`), 1)
      assert.equal(await count(`actor=${admin.username}&resource=category`), 1)
      assert.equal(await count(`actor=${admin.id}&resource=categor`), 0)
      assert.equal(await count(`actor=user:${admin.id}&action=content.create`), 0)
      assert.equal(await count(`${actor}&action=content.create&to=${start.replace('Z', '%2B01:00')}`), 0)
      assert.equal(await count('action=auth'), 0)
      assert.ok((await list('action=auth.*')).every(({ action }) => action.startsWith('auth.')))
      assert.equal(await count(`actor=${encodeURIComponent("' or 1=1 --")}`), 0)
      for (const search of [
        'from=yesterday',
        'limit=-1',
        'offset=x',
        'no=1',
        'action=',
        'to=2026-13-01T00:00:00Z',
      ]) {
        expectStatus(await service.admin.get(`${path}?${search}`), 400)
      }
    })

    it('is in pages, newest first', async () => {
      const first = expectStatus(await service.admin.get(`${path}?limit=3`), 200).body
      const second = expectStatus(await service.admin.get(`${path}?limit=3&offset=3`), 200).body
      const ids = [...first.data, ...second.data].map(({ id }: Entry) => id)
      assert.deepEqual(
        ids,
        [...ids].sort((left, right) => right - left),
      )
      assert.equal(new Set(ids).size, 6)
      assert.equal(first.pagination.hasMore, true)
      assert.ok(first.pagination.total > 6)
    })

    it('is for administrators, and for tokens with the scope', async () => {
      const { client } = await newAdmin(service, 'editor')
      expectStatus(await client.get(path), 403)
      expectStatus(await service.get(path), 401)
      const reader = await newApiToken(service, ['admin:audit:read'])
      expectStatus(await reader.client.get(path), 200)
    })

    it('goes with the transaction that it is written in', async () => {
      const audit = service.kernel.get(auditService)
      const failing = service.kernel.get(databaseService).transaction(async (tx) => {
        await audit.record({ action: 'test.rolled_back', principal: null }, tx)
        throw new Error('on purpose')
      })
      await assert.rejects(failing, /on purpose/)
      assert.equal((await list('action=test.rolled_back')).length, 0)
      await audit.record({
        action: 'test.long',
        principal: null,
        resource: 'x'.repeat(999),
        ip: 'y'.repeat(99),
      })
      assert.equal((await newest('action=test.long')).resource?.length, 255)
    })
  })

  describe('the age of the audit log', () => {
    it('is bounded in portions', async () => {
      const opened = await openTestDatabase(database, [auditTable.spec])
      try {
        const log = createAuditLog(opened.driver)
        await opened.driver.transaction(async (tx) => {
          for (let count = 0; count < 2_300; count++)
            await log.record({ action: 'test.old', principal: null }, tx)
        })
        const age = query(
          opened.driver,
          (value) =>
            sql`update svc_audit_logs set created_at = ${value('at', 'datetime')} where action = 'test.old'`,
        )
        await age.run({ at: '2020-01-01T00:00:00.000Z' })
        await log.record({ action: 'test.new', principal: null })
        assert.equal(await log.prune('2020-01-01T00:00:00.000Z'), 0)
        assert.equal(await log.prune('2020-01-01T00:00:00.001Z'), 2_300)
        const { entries, total } = await log.list({}, { limit: 10, offset: 0 })
        assert.deepEqual([total, entries[0]?.action], [1, 'test.new'])
      } finally {
        await opened.close()
      }
    })
  })
})
