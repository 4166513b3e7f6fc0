import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { runtimeConfigService } from '../../core-plugins/administration/runtime-config/runtime-config.ts'
import { configService, siteName } from '../../core-plugins/foundation/config/config.ts'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { redisEnv, withRedis } from '../support/redis.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus } from './auth-callers.ts'

const path = '/api/admin/config'

/** See docs/database.md. */
const boundMs = 2_000

const nameIn = (service: TestService) => service.kernel.get(configService).get(siteName)

/** Sees to it that a change here has an effect there, in time. */
async function declareEffects(here: TestService, there: TestService) {
  const origin = 'https://allowed.example'
  const isAllowedThere = async () => {
    const { headers } = await there.get('/api/livez', { headers: { origin } })
    return headers.get('access-control-allow-origin') === origin
  }
  for (const [origins, isAllowed] of [
    [[origin], true],
    [['https://other.example'], false],
  ] as const) {
    expectStatus(await here.admin.put(path, { 'api.cors.origins': origins }), 200)
    const changedAtMs = performance.now()
    await until(async () => (await isAllowedThere()) === isAllowed)
    assert.ok(performance.now() - changedAtMs < boundMs + 500)
  }
  expectStatus(await here.admin.put(path, { 'api.rateLimit.enabled': true, 'api.rateLimit.max': 5_000 }), 200)
  await until(async () => (await there.get('/api/nowhere')).headers.get('ratelimit-limit') === '5000')
  expectStatus(await here.admin.put(path, { 'api.rateLimit.enabled': null, 'api.rateLimit.max': null }), 200)
  await until(async () => (await there.get('/api/nowhere')).headers.get('ratelimit-limit') === null)
}

eachDatabase((database) => {
  describe('settings of two processes on one database', () => {
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    const start = (env: Record<string, string> = {}) => startService({ database: { url: shared.url }, env })
    before(async () => {
      shared = await database.createUrl()
      ;[here, there] = await Promise.all([start(), start()])
    })
    after(async () => {
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    it('take effect in both', slow, () => declareEffects(here, there))

    it('take effect in both where nothing tells the other one', slow, async () => {
      const deaf = await start({ SVC_PLUGINS_DISABLED: 'signals' })
      try {
        await declareEffects(here, deaf)
      } finally {
        await deaf.stop()
      }
    })

    it('are not lost where many change them at the same time', async () => {
      const values = [
        ['site.description', 'changed by one'],
        ['security.login.windowMinutes', 20],
        ['security.login.lockMinutes', 21],
        ['api.pagination.defaultLimit', 22],
        ['api.pagination.maxLimit', 23],
        ['security.password.minLength', 24],
      ] as const
      const names = values.map((_, index) => `name ${index}`)
      const answers = await Promise.all(
        values.map(([key, value], index) =>
          (index % 2 === 0 ? here : there).admin.put(path, { [key]: value, 'site.name': names[index] }),
        ),
      )
      for (const answer of answers) expectStatus(answer, 200)
      const stored = await here.kernel.get(runtimeConfigService).stored()
      for (const [key, value] of values) assert.equal(stored[key], value)
      assert.ok(names.includes(String(stored['site.name'])))
      await until(async () => nameIn(here) === stored['site.name'] && nameIn(there) === stored['site.name'])
    })

    it('that contradict each other are not both taken', async () => {
      const reset = { localization: { locales: ['en', 'de'], defaultLocale: 'en' } }
      expectStatus(await here.admin.put(path, reset), 200)
      const answers = await Promise.all([
        here.admin.put(path, { 'localization.locales': ['en'] }),
        there.admin.put(path, { 'localization.defaultLocale': 'de' }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
      expectStatus(await here.admin.put(path, { localization: { locales: null, defaultLocale: null } }), 200)
    })

    it('are there at the next start, but for those that a variable sets, and are back when it is gone', async () => {
      expectStatus(await here.admin.put(path, { 'site.name': 'Kept' }), 200)
      const [plain, locked] = await Promise.all([start(), start({ SVC_SITE_NAME: 'From outside' })])
      try {
        assert.equal(nameIn(plain), 'Kept')
        assert.equal(nameIn(locked), 'From outside')
        expectStatus(await locked.admin.put(path, { 'site.name': 'x' }), 423)
        expectStatus(await locked.admin.put(path, { 'site.description': 'y' }), 200)
        assert.equal((await here.kernel.get(runtimeConfigService).stored())['site.name'], 'Kept')
      } finally {
        await Promise.all([plain.stop(), locked.stop()])
      }
    })

    it('that are not valid any more are left out, and the others are not', async () => {
      const store = here.kernel.get(databaseService)
      const insert = query(
        store,
        (value) => sql`insert into svc_config (${sql.identifier('key')}, value, updated_at, updated_by)
          values (${value('key', 'string')}, ${value('value', 'json')}, ${value('now', 'datetime')}, null)`,
      )
      const now = new Date().toISOString()
      for (const [key, value] of [
        ['site.url', 'nonsense'],
        ['security.login.maxAttempts', 0],
        ['gone.with.a.plugin', 1],
        ['jwt.secret', 'stolen'],
      ] as const) {
        await insert.run({ key, value, now })
      }
      expectStatus(await here.admin.post(`${path}/reload`), 200)
      expectStatus(await here.admin.put(path, { 'site.name': 'Still works' }), 200)
      const service = await start()
      try {
        assert.equal(nameIn(service), 'Still works')
        const keys = service.logLines.filter(({ level }) => level === 'warn').map(({ key }) => key)
        for (const key of ['site.url', 'security.login.maxAttempts', 'jwt.secret'])
          assert.ok(keys.includes(key))
        expectStatus(await service.admin.put(path, { 'site.url': 'https://example.com' }), 200)
      } finally {
        await service.stop()
      }
    })

    it('changed by hand are taken over by a reload, in both', async () => {
      const store = here.kernel.get(databaseService)
      const update = query(
        store,
        (value) => sql`update svc_config set value = ${value('value', 'json')}
          where ${sql.identifier('key')} = ${value('key', 'string')}`,
      )
      await update.run({ key: 'site.name', value: 'By hand' })
      expectStatus(await here.admin.post(`${path}/reload`), 200)
      assert.equal(nameIn(here), 'By hand')
      await until(async () => nameIn(there) === 'By hand')
    })

    it('are replaced as a whole within a transaction, or not at all', async () => {
      const runtimeConfig = here.kernel.get(runtimeConfigService)
      const store = here.kernel.get(databaseService)
      const values = { 'site.name': 'Restored', 'no.such': 1 }
      const before = await runtimeConfig.stored()
      const failing = store.transaction(async (tx) => {
        await runtimeConfig.replaceAll(values, { principal: null }, tx)
        throw new Error('rolled back on purpose')
      })
      await assert.rejects(failing, /on purpose/)
      assert.deepEqual(await runtimeConfig.stored(), before)
      const result = await store.transaction((tx) =>
        runtimeConfig.replaceAll(values, { principal: null }, tx),
      )
      assert.deepEqual(result, {
        applied: ['site.name'],
        skipped: [{ key: 'no.such', reason: 'is not a setting' }],
      })
      assert.deepEqual(await runtimeConfig.stored(), { 'site.name': 'Restored' })
      assert.equal(nameIn(here), 'Restored')
    })
  })
})

withRedis('settings of two processes with Redis', (url) => {
  it('take effect in both', async () => {
    const env = redisEnv(url)
    const here = await startService({ env })
    const database = { url: `sqlite:${here.workingDirectory}/data/content.db` }
    const there = await startService({ env, database })
    try {
      await declareEffects(here, there)
    } finally {
      await there.stop()
      await here.stop()
    }
  })
})
