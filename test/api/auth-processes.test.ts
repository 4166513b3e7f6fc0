import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from './auth-callers.ts'

/** Within this time every process has heard of a revocation; docs/auth.md. */
const boundMs = 1000

eachDatabase((database) => {
  describe('two processes on one database', () => {
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    before(async () => {
      shared = await database.createUrl()
      const start = () => startService({ database: { url: shared.url } })
      // At the same time: tables, roles and the first admin are made once.
      ;[here, there] = await Promise.all([start(), start()])
    })
    after(async () => {
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    /** Does something here while requests come in there, and tells how long it took to be heard of. */
    async function heardWithin(client: Client, path: string, change: () => Promise<unknown>, status: number) {
      await until(async () => (await client.get(path)).status !== status)
      await change()
      const changedAtMs = performance.now()
      await until(async () => (await client.get(path)).status === status)
      const tookMs = performance.now() - changedAtMs
      assert.ok(tookMs < boundMs + 500, `took ${tookMs} ms`)
    }

    it('have one first admin and each built-in role once', async () => {
      const { data } = expectStatus(await here.admin.get('/api/admin/users'), 200).body
      assert.equal(data.length, 1)
      const roles = expectStatus(await there.admin.get('/api/admin/roles'), 200).body.data
      assert.equal(roles.length, 5)
    })

    it('hear of a logout', async () => {
      const admin = await newAdmin(here, 'editor')
      const client = createClient(there.url, admin.token)
      await heardWithin(client, '/api/admin/auth/me', () => admin.client.post('/api/admin/auth/logout'), 401)
    })

    it('hear of a blocked account', async () => {
      const user = await newUser(here)
      const client = createClient(there.url, user.token)
      const block = () => here.admin.put(`/api/admin/content-users/${user.id}`, { blocked: true })
      await heardWithin(client, '/api/auth/me', block, 401)
    })

    it('hear of a deleted API token', async () => {
      const { id, token } = await newApiToken(here, ['content:read'])
      const client = createClient(there.url, token)
      const remove = () => here.admin.delete(`/api/admin/api-tokens/${id}`)
      await heardWithin(client, '/api/content/article', remove, 401)
    })

    it('hear of the permissions of a role, given and taken', async () => {
      const roles = expectStatus(await here.admin.get('/api/admin/roles'), 200).body.data
      const { id } = roles.find((role: { name: string }) => role.name === 'public')
      const set = (permissions: object) => () => here.admin.put(`/api/admin/roles/${id}`, { permissions })
      const client = createClient(there.url)
      await heardWithin(client, '/api/content/article', set({ content: { '*': { read: true } } }), 200)
      await heardWithin(client, '/api/content/article', set({}), 401)
    })

    it('never answer from memory that was not checked for longer than the bound', async () => {
      const user = await newUser(here)
      const client = createClient(there.url, user.token)
      expectStatus(await client.get('/api/auth/me'), 200)
      expectStatus(await user.client.post('/api/auth/logout'), 200)
      const startedAtMs = performance.now()
      // No request comes in meanwhile, so nothing is checked.
      await until(async () => performance.now() - startedAtMs > boundMs)
      expectStatus(await client.get('/api/auth/me'), 401)
    })
  })
})
