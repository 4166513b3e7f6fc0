import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { configChanged } from '../../core-plugins/administration/runtime-config/runtime-config.ts'
import {
  defineSetting,
  isAllowed,
  type Setting,
  settings,
} from '../../core-plugins/foundation/config/config.ts'
import { definePlugin } from '../../kernel/index.ts'
import type { Answer } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, newAdmin, newApiToken, problemsOf } from './auth-callers.ts'

const path = '/api/admin/config'

interface Item {
  readonly key: string
  readonly value: unknown
  readonly source: string
  readonly locked: boolean
  readonly envVar: string
  readonly tier: string
}

const itemsOf = (answer: Answer): Item[] =>
  Object.values(expectStatus(answer, 200).body.data).flat() as Item[]

const itemOf = (answer: Answer, key: string): Item => {
  const item = itemsOf(answer).find((each) => each.key === key)
  assert.ok(item, `${key} is not shown`)
  return item
}

const events: unknown[] = []

const shape = defineSetting(
  'spy.shape',
  Type.Unknown({ tier: 'runtime', default: null, title: 'Shape', description: 'Any JSON' }),
)

const spy = definePlugin({
  name: 'spy',
  description: 'Hears of changes',
  register({ contribute, on }) {
    contribute(settings, shape)
    on(configChanged, ({ changes, principal }) => events.push({ changes, by: principal?.kind }))
  },
})

describe('the settings in the panel', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      plugins: [spy],
      env: { SVC_SECURITY_LOGIN_MAX_ATTEMPTS: '7', GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'hidden' },
      files: { 'mortise.config.json': JSON.stringify({ 'security.login.lockMinutes': 20 }) },
    })
  })
  after(() => service.stop())

  const get = () => service.admin.get(path)
  const put = (values: object) => service.admin.put(path, values)

  it('are grouped by category, each with its value, its source and whether it is locked', async () => {
    const answer = await get()
    const { site, security, database } = expectStatus(answer, 200).body.data
    assert.deepEqual(
      site.map(({ key }: Item) => key),
      ['site.description', 'site.name', 'site.panelUrl', 'site.theme', 'site.url'],
    )
    assert.deepEqual(site[1], {
      key: 'site.name',
      value: 'Mortise',
      default: 'Mortise',
      type: 'string',
      tier: 'runtime',
      label: 'Site name',
      description: site[1].description,
      source: 'default',
      locked: false,
      envVar: 'SVC_SITE_NAME',
    })
    const sourceOf = (key: string) => security.find((each: Item) => each.key === key)
    assert.equal(sourceOf('security.login.maxAttempts').source, 'env')
    assert.equal(sourceOf('security.login.maxAttempts').locked, true)
    assert.equal(sourceOf('security.login.maxAttempts').value, 7)
    assert.equal(sourceOf('security.login.lockMinutes').source, 'file')
    assert.ok(database.every(({ tier, locked }: Item) => tier === 'infrastructure' && locked))
  })

  it('show no secrets', async () => {
    for (const where of [path, `${path}/schema`, `${path}/export`]) {
      const answer = expectStatus(await service.admin.get(where), 200)
      const text = JSON.stringify(answer.body)
      assert.doesNotMatch(text, /hidden|a secret that only tests know|a long password|jwt\.secret|redis\.url/)
    }
  })

  it('say in a schema what they take', async () => {
    const { data } = expectStatus(await service.admin.get(`${path}/schema`), 200).body
    const length = data.security.find(({ key }: Item) => key === 'security.password.minLength')
    assert.equal(length.min, 8)
    assert.equal(length.max, 128)
    assert.equal(length.type, 'integer')
    assert.equal(
      data.security.length,
      itemsOf(await get()).filter(({ key }) => key.startsWith('security.')).length,
    )
  })

  it('change by dotted and by nested keys, and back with null', async () => {
    events.length = 0
    const changed = await put({ 'site.name': 'One', security: { password: { minLength: 10 } } })
    assert.equal(itemOf(changed, 'site.name').value, 'One')
    assert.equal(itemOf(changed, 'site.name').source, 'database')
    assert.equal(itemOf(await get(), 'security.password.minLength').value, 10)
    assert.deepEqual(events, [
      {
        changes: [
          { key: 'site.name', before: null, after: 'One' },
          { key: 'security.password.minLength', before: null, after: 10 },
        ],
        by: 'admin',
      },
    ])
    const reset = await put({ 'site.name': null, security: { password: { minLength: null } } })
    assert.equal(itemOf(reset, 'site.name').value, 'Mortise')
    assert.equal(itemOf(reset, 'site.name').source, 'default')
    await put({})
    await put({ 'site.name': null })
    assert.equal(events.length, 2)
  })

  it('take any JSON where that is their type', async () => {
    const value = { a: [1, { b: null }], 'c.d': 'ä' }
    assert.deepEqual(itemOf(await put({ spy: { shape: value } }), 'spy.shape').value, value)
    const large = await put({ 'spy.shape': 'x'.repeat(70_000) })
    assert.deepEqual(problemsOf(expectStatus(large, 400)), { 'spy.shape': 'invalid' })
    await put({ 'spy.shape': null })
  })

  it('change all or none, and everything that is wrong is told', async () => {
    const answer = await put({
      'site.name': 'Two',
      'site.url': 'ftp://nowhere',
      'api.rateLimit.window': 0,
      'security.password.rejectCommon': 'yes',
      'site.nmae': 'x',
      'nothing.at.all': { deep: 1 },
    })
    assert.equal(expectStatus(answer, 400).body.error.code, 'VALIDATION_ERROR')
    assert.deepEqual(problemsOf(answer), {
      'site.url': 'invalid',
      'api.rateLimit.window': 'invalid',
      'security.password.rejectCommon': 'invalid',
      'site.nmae': 'unknown',
      'nothing.at.all': 'unknown',
    })
    assert.match(JSON.stringify(answer.body), /did you mean site\.name\?/)
    assert.equal(itemOf(await get(), 'site.name').value, 'Mortise')
  })

  it('are refused twice in one payload', async () => {
    const answer = await put({ 'site.name': 'a', site: { name: 'b' } })
    assert.deepEqual(problemsOf(expectStatus(answer, 400)), { 'site.name': 'doubled' })
  })

  it('are refused where they do not fit together, and taken where they do', async () => {
    const alone = await put({ 'localization.defaultLocale': 'de' })
    assert.deepEqual(problemsOf(expectStatus(alone, 400)), { 'localization.defaultLocale': 'invalid' })
    const both = { localization: { locales: ['de', 'pt-BR'], defaultLocale: 'de' } }
    assert.deepEqual(itemOf(await put(both), 'localization.locales').value, ['de', 'pt-BR'])
    expectStatus(await put({ 'localization.locales': ['pt-BR'] }), 400)
    expectStatus(await put({ 'localization.locales': null }), 400)
    expectStatus(await put({ 'localization.locales': ['de', 'no locale'] }), 400)
    expectStatus(await put({ localization: { locales: null, defaultLocale: null } }), 200)
    expectStatus(await put({ security: { password: { minLength: 100, maxLength: 64 } } }), 400)
  })

  for (const [what, key, value] of [
    ['a variable sets them', 'security.login.maxAttempts', 3],
    ['they are infrastructure', 'server.port', 1],
    ['they are secrets', 'jwt.secret', 'x'],
  ] as const) {
    it(`are locked where ${what}`, async () => {
      const answer = await put({ 'site.name': 'Three', [key]: value })
      assert.equal(expectStatus(answer, 423).body.error.code, 'SETTING_LOCKED')
      assert.ok(answer.body.error.message.startsWith(`${key} is `))
      assert.deepEqual(problemsOf(answer), { [key]: 'locked' })
      assert.equal(itemOf(await get(), 'site.name').value, 'Mortise')
    })
  }

  it('are locked even where the rest is wrong, which is told as well', async () => {
    const answer = await put({ 'site.nmae': 1, 'server.port': 1 })
    assert.deepEqual(problemsOf(expectStatus(answer, 423)), {
      'site.nmae': 'unknown',
      'server.port': 'locked',
    })
  })

  for (const body of [
    '[]',
    '"x"',
    'null',
    '{',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
  ]) {
    it(`refuse ${body}`, async () => {
      expectStatus(await service.admin.put(path, body), 400)
      expectStatus(await service.admin.post(`${path}/import`, body), 400)
    })
  }

  it('can be exported and sent back as they are', async () => {
    await put({ 'site.name': 'Exported', 'api.cors.origins': ['https://example.com'] })
    const exported = expectStatus(await service.admin.get(`${path}/export`), 200).body
    assert.equal(exported.data['site.name'], 'Exported')
    assert.ok(Object.keys(exported.data).every((key) => !/^(database|server|jwt|redis)\./.test(key)))
    await put({ 'site.name': 'Changed meanwhile', 'api.cors.origins': null })
    for (const payload of [exported.data, exported]) {
      const { data } = expectStatus(await service.admin.post(`${path}/import`, payload), 200).body
      assert.deepEqual(
        data.skipped.map(({ key }: Item) => key),
        // What the environment of the tests says is locked.
        ['overload.enabled', 'security.login.maxAttempts'],
      )
      assert.equal(data.applied.length, Object.keys(exported.data).length - 2)
      const answer = await get()
      assert.equal(itemOf(answer, 'site.name').value, 'Exported')
      assert.deepEqual(itemOf(answer, 'api.cors.origins').value, ['https://example.com'])
      // What is as it would be anyway is not pinned.
      assert.equal(itemOf(answer, 'site.url').source, 'default')
    }
    await put({ 'site.name': null, 'api.cors.origins': null })
  })

  it('are imported as far as they can be', async () => {
    const payload = {
      site: { name: 'Imported', url: 'nonsense', nothing: 1 },
      'server.port': 1,
      'jwt.secret': 'x',
      'security.login.maxAttempts': 3,
      'localization.locales': ['fr'],
    }
    const { data } = expectStatus(await service.admin.post(`${path}/import`, payload), 200).body
    assert.deepEqual(data.applied, ['site.name'])
    assert.deepEqual(data.skipped.map(({ key }: Item) => key).sort(), [
      'jwt.secret',
      'localization.locales',
      'security.login.maxAttempts',
      'server.port',
      'site.nothing',
      'site.url',
    ])
    assert.ok(data.skipped.every(({ reason }: { reason: string }) => reason.length > 0))
    assert.equal(itemOf(await get(), 'site.name').value, 'Imported')
    await put({ 'site.name': null })
  })

  it('show that the file outranks the database', async () => {
    const answer = await put({ 'security.login.lockMinutes': 30 })
    assert.equal(itemOf(answer, 'security.login.lockMinutes').value, 20)
    assert.equal(itemOf(answer, 'security.login.lockMinutes').source, 'file')
  })

  it('are for administrators, and for tokens with the scope', async () => {
    const editor = await newAdmin(service, 'editor')
    expectStatus(await editor.client.get(path), 403)
    const reader = await newApiToken(service, ['admin:config:read'])
    expectStatus(await reader.client.get(path), 200)
    expectStatus(await reader.client.put(path, {}), 403)
    const writer = await newApiToken(service, ['admin:config:write'])
    expectStatus(await writer.client.put(path, { 'site.name': 'By a token' }), 200)
  })

  it('take effect at once', async () => {
    const origin = 'https://allowed.example'
    await put({ 'api.cors.origins': [origin] })
    const allowed = await service.get('/api/livez', { headers: { origin } })
    assert.equal(allowed.headers.get('access-control-allow-origin'), origin)
    const refused = await service.get('/api/livez', { headers: { origin: 'https://other.example' } })
    assert.equal(refused.headers.get('access-control-allow-origin'), null)

    await put({ 'security.registration.enabled': false })
    const account = { email: 'a@example.com', username: 'abc', password: 'correct horse battery' }
    expectStatus(await service.post('/api/auth/register', account), 403)
    await put({ 'security.registration.enabled': true, 'security.password.minLength': 30 })
    expectStatus(await service.post('/api/auth/register', account), 400)
    await put({ 'security.password.minLength': null, 'site.name': 'The Times' })
    expectStatus(await service.post('/api/auth/register', account), 201)

    const document = expectStatus(await service.admin.get('/api/_docs/openapi.json'), 200).body
    assert.equal(document.info.title, 'The Times')

    for (const title of ['one', 'two', 'three']) {
      expectStatus(await service.admin.post('/api/content/category', { name: title, slug: title }), 201)
    }
    await put({ 'api.pagination.defaultLimit': 2 })
    const list = expectStatus(await service.admin.get('/api/content/category'), 200)
    assert.equal(list.body.data.length, 2)
    await put({ 'api.pagination.maxLimit': 1 })
    assert.equal((await service.admin.get('/api/content/category?limit=50')).body.data.length, 1)
  })
})

describe('the settings of the service', () => {
  it('have defaults that their own schemas take', async (test) => {
    const declared: Setting<unknown>[] = []
    const reader = definePlugin({
      name: 'reader',
      description: 'Reads all settings',
      boot({ contributions }) {
        declared.push(...contributions(settings))
      },
    })
    const other = await startService({ plugins: [reader] })
    test.after(() => other.stop())
    assert.ok(declared.length > 100)
    assert.deepEqual(
      declared.filter((setting) => !isAllowed(setting, setting.default)).map(({ key }) => key),
      [],
    )
  })
})

describe('settings in the address of the database', () => {
  it('are shown without the password', async () => {
    const { presentSettings } = await import('../../core-plugins/administration/runtime-config/present.ts')
    const { startConfig } = await import('./config-support.ts')
    const shown = (value: string) =>
      defineSetting(
        'database.url',
        Type.String({ tier: 'infrastructure', default: value, title: '', description: '' }),
      )
    const cases = [
      ['postgres://me:hunter2@db:5432/x?sslmode=require', 'postgres://me:***@db:5432/x?sslmode=require'],
      ['mysql://me@db/x?password=hunter2', 'mysql://me@db/x?password=***'],
      ['sqlite:./data/content.db', 'sqlite:./data/content.db'],
    ]
    for (const [url = '', expected] of cases) {
      const { config, runtimeSettings } = await startConfig([shown(url)])
      const { database } = presentSettings(config, runtimeSettings)
      assert.deepEqual([database?.[0]?.value, database?.[0]?.default], [expected, expected])
    }
  })
})
