import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const plugin = (name: string, rest: string) =>
  pluginFile(`export default kernel.definePlugin({ name: '${name}', description: 'A plugin.', ${rest} })`)

const route = (name: string, rest = '') => `http.defineRoute({
  name: '${name}:thing.read', method: 'GET', path: '/', summary: 'A thing', access: 'open', handler: () => 'ok', ${rest} })`

const contributing = (name: string, point: string, value: string) =>
  plugin(name, `register({ contribute }) { contribute(${point}, ${value}) }`)

const job = (name: string) => `jobs.defineJob({ name: '${name}', payload: { type: 'object' }, run() {} })`

const schedule = (name: string, times: string) =>
  `{ name: '${name}', kind: ${job(name)}, payload: {}, ${times} }`

const setting = (name: string, check: string) =>
  `config.defineSetting('${name}.word', { tier: 'runtime', type: 'string', default: '', title: 'Word', description: '' }, ${check})`

/** Plugins that cannot run, each with what the alert says of it. */
const broken: Readonly<Record<string, readonly [string, RegExp]>> = {
  register: [plugin('register', `register() { throw new Error('one') }`), /^failed in register: one$/],
  'register-later': [
    plugin('register-later', `async register() { await null; throw new Error('one and a half') }`),
    /^failed in register: one and a half$/,
  ],
  check: [
    contributing('check', 'config.settings', setting('check', `() => { throw new Error('one third') }`)),
    /^failed in init: the check of the setting check.word failed: one third$/,
  ],
  'check-later': [
    contributing(
      'check-later',
      'config.settings',
      setting('checkLater', `async () => { throw new Error('two thirds') }`),
    ),
    /the check of the setting checkLater.word failed: it must answer at once/,
  ],
  init: [plugin('init', `async init() { throw new Error('two') }`), /^failed in init: two$/],
  boot: [plugin('boot', `async boot() { throw new Error('three') }`), /^failed in boot: three$/],
  start: [
    plugin('start', `register({ on }) { on(kernel.appStart, () => { throw new Error('four') }) }`),
    /^failed in app:start: four$/,
  ],
  slow: [plugin('slow', 'init: () => new Promise(() => {})'), /^failed in init: took longer than 1500 ms$/],
  old: [plugin('old', `engines: { mortise: '<0.0.1' }`), /^needs Mortise <0.0.1, and this is /],
  'core-name': [plugin('core-name', `kind: 'theme'`), /^kind must be `plugin`/],
  policy: [
    contributing('policy', 'http.routes', route('policy', `policies: ['nobody.has']`)),
    /asks for the policy nobody.has/,
  ],
  path: [contributing('path', 'http.routes', route('path', `path: '/a//b/'`)), /has the path/],
  schema: [
    contributing('schema', 'http.routes', route('schema', `query: { type: 'no such type' }`)),
    /^failed in app:start: /,
  ],
  access: [
    contributing('access', 'http.routes', route('access', `access: 'everybody'`)),
    /must have an access of open/,
  ],
  guard: [
    contributing('guard', 'http.policies', `{ name: 'isAdmin', check: () => true }`),
    /the policy isAdmin must be named guard\.<check>/,
  ],
  setting: [
    contributing(
      'setting',
      'config.settings',
      `config.defineSetting('site.name', { tier: 'runtime', type: 'string', default: '', title: '', description: '' })`,
    ),
    /the setting site.name must be named setting\.<what>/,
  ],
  matches: [
    contributing(
      'matches',
      'content.contentWriteMiddleware',
      `{ name: 'm', matches() { throw new Error('five') }, run: (_, next) => next() }`,
    ),
    /: five$/,
  ],
  'route-match': [
    contributing(
      'route-match',
      'http.adminMiddleware',
      `{ name: 'm', matches() { throw new Error('six') }, run: (_, next) => next() }`,
    ),
    /^failed in app:start: six$/,
  ],
  system: [
    contributing(
      'system',
      'extensions.systemMiddleware',
      `extensions.defineSystemMiddleware({ name: 's', events: 'app:start', run() { throw new Error('seven') } })`,
    ),
    /^failed in app:start: seven$/,
  ],
  event: [
    contributing(
      'event',
      'extensions.systemMiddleware',
      `extensions.defineSystemMiddleware({ name: 's', events: 'app:boot', run() {} })`,
    ),
    /waits for app:boot, but there are only app:start, content:afterCreate/,
  ],
  kind: [
    contributing('kind', 'jobs.jobKinds', job('backup.cleanup')),
    /the job kind backup.cleanup must be named kind\.<what>/,
  ],
  'kind-twice': [
    plugin(
      'kind-twice',
      `register({ contribute }) {
        contribute(jobs.jobKinds, ${job('kind-twice.work')})
        contribute(jobs.jobKinds, ${job('kind-twice.work')})
      }`,
    ),
    /the job kind kind-twice.work already exists, from kind-twice/,
  ],
  cron: [
    contributing('cron', 'schedules.schedules', schedule('cron.tick', `cronExpression: 'every day'`)),
    /the cronExpression of the schedule cron.tick must be a cron expression/,
  ],
  never: [
    contributing('never', 'schedules.schedules', schedule('never.tick', `cronExpression: '0 0 30 2 *'`)),
    /never.tick is never due/,
  ],
  zone: [
    contributing(
      'zone',
      'schedules.schedules',
      schedule('zone.tick', `cronExpression: '* * * * *', timezone: 'Moon/Base'`),
    ),
    /the cronExpression of the schedule zone.tick/,
  ],
  'schedule-twice': [
    plugin(
      'schedule-twice',
      `register({ contribute }) {
        contribute(schedules.schedules, ${schedule('schedule-twice.tick', `cronExpression: '* * * * *'`)})
        contribute(schedules.schedules, ${schedule('schedule-twice.tick', `cronExpression: '* * * * *'`)})
      }`,
    ),
    /the schedule schedule-twice.tick already exists/,
  ],
  'content-table': [
    contributing('content-table', 'schemas.contentTables', `() => { throw new Error('eight') }`),
    /: eight$/,
  ],
  'content-column': [
    contributing(
      'content-column',
      'schemas.contentTables',
      `(type, table) => ({ ...table, columns: [...table.columns, { name: 'a b', kind: 'text' }] })`,
    ),
    /a b is not a snake_case name/,
  ],
  shape: [
    contributing(
      'shape',
      'database.tables',
      `{ name: 'x_shape_things', columns: [{ name: 'id', kind: 'uuid' }] }`,
    ),
    /the table x_shape_things cannot be made: id is of an unknown kind; it needs a column of kind id/,
  ],
  'placement-null': [
    plugin('placement-null', `register({ on }) { on(kernel.appStart, () => {}, null) }`),
    /a placement must be an object/,
  ],
  'placement-text': [
    plugin('placement-text', `register({ on }) { on(kernel.appStart, () => {}, { before: 7 }) }`),
    /before and after of a placement must be lists/,
  ],
  'placement-step': [
    plugin('placement-step', `register({ on }) { on(kernel.appStart, () => {}, { step: Symbol('a') }) }`),
    /the step of a placement must be a string/,
  ],
  'null-table': [
    contributing('null-table', 'database.tables', 'null'),
    /the table undefined must be named x_null_table_/,
  ],
  'no-columns': [
    contributing('no-columns', 'database.tables', `{ name: 'x_no_columns_things' }`),
    /columns must be a list/,
  ],
  'entry-column': [
    contributing('entry-column', 'content.entryColumns', `() => { throw new Error('nine') }`),
    /: nine$/,
  ],
  'missing-column': [
    contributing(
      'missing-column',
      'content.entryColumns',
      `() => [{ column: '_missing_column_a', kind: 'text', field: 'missing_column_a', isShown: true }]`,
    ),
    /the column _missing_column_a of \S+ does not exist; add it by contentTables/,
  ],
  'route-guard': [
    contributing('route-guard', 'http.routeGuards', `{ compile() { throw new Error('ten') } }`),
    /: ten$/,
  ],
  'entry-parameters': [
    contributing(
      'entry-parameters',
      'content.entryParameters',
      `{ parameters: {}, restrict() {}, matches() { throw new Error('at entry-parameters') } }`,
    ),
    /^failed in boot: at entry-parameters$/,
  ],
  'entry-search': [
    contributing(
      'entry-search',
      'content.entrySearches',
      `{ restrict() {}, matches() { throw new Error('at entry-search') } }`,
    ),
    /^failed in boot: at entry-search$/,
  ],
  'entry-meta': [
    contributing(
      'entry-meta',
      'content.entryMeta',
      `{ name: 'rank', schema: { type: 'integer' }, load: () => new Map(), valueOfOthers: () => 0, matches() { throw new Error('at entry-meta') } }`,
    ),
    /^failed in boot: at entry-meta$/,
  ],
  'lock-match': [
    contributing(
      'lock-match',
      'content.entryLocks',
      `{ lock() {}, matches() { throw new Error('at lock-match') } }`,
    ),
    /^failed in boot: at lock-match$/,
  ],
  'entry-lock': [
    contributing('entry-lock', 'content.entryLocks', `{ matches: 5, lock() {} }`),
    /matches must be a function/,
  ],
  app: [plugin('app', ''), /cannot be named app/],
  http: [plugin('http', ''), /cannot be named http/],
  graphql: [plugin('graphql', ''), /cannot be named graphql/],
}

const filesOf = (plugins: Readonly<Record<string, string>>) => ({
  ...moduleProject,
  ...Object.fromEntries(Object.entries(plugins).map(([name, text]) => [`plugins/${name}/plugin.ts`, text])),
})

const sound = contributing('sound', 'http.routes', route('sound'))

interface Alert {
  readonly status: string
  readonly count: number
  readonly severity: string
  readonly message: string
  readonly details: {
    readonly plugin: string
    readonly reason: string
    readonly where: string
    readonly error: string
  }
}

const alertsOf = async (service: TestService, kind: string): Promise<Alert[]> =>
  expectStatus(await service.admin.get(`/api/admin/operational-alerts?kind=${kind}&limit=100`), 200).body.data

describe('a third-party plugin that cannot run', slow, () => {
  it('is switched off with an alert that says why, and the service goes on without it', async (test) => {
    // A name that means another plugin stands for that one, so folders of such names are called by their path.
    const { graphql, ...folders } = Object.fromEntries(
      Object.entries(broken).map(([name, [text]]) => [name, text]),
    )
    const service = await startService({
      files: {
        ...filesOf({ ...folders, sound }),
        'elsewhere/graphql/plugin.ts': graphql ?? '',
        'mortise.config.json': '{ "plugins": { "./elsewhere/graphql": true } }',
      },
      env: { SVC_PLUGIN_TIMEOUT_MS: '1500' },
    })
    test.after(() => service.stop())
    expectStatus(await service.get('/api/x/sound'), 200)
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    const alerts = await alertsOf(service, 'plugin_failed')
    for (const [name, [, expected]] of Object.entries(broken)) {
      const plugin =
        { graphql: './elsewhere/graphql', http: 'plugins/http', app: 'plugins/app' }[name] ?? name
      const alert = alerts.find(({ details }) => details.plugin === plugin)
      assert.match(alert?.details.reason ?? `no alert for ${plugin}`, expected)
      assert.equal(alert?.status, 'open')
      assert.notEqual((await service.get(`/api/x/${name}`)).status, 200, name)
    }
    assert.equal(alerts.length, Object.keys(broken).length)
  })
})

describe('plugins that need a plugin that cannot run', () => {
  const providing = (name: string, rest: string) =>
    pluginFile(`
      globalThis.ovenService ??= kernel.service('oven')
      export default kernel.definePlugin({
        name: '${name}', description: 'A plugin.', provides: [globalThis.ovenService], ${rest}
      })`)
  const using = (name: string) =>
    pluginFile(`
      globalThis.ovenService ??= kernel.service('oven')
      export default kernel.definePlugin({
        name: '${name}', description: 'A plugin.', uses: { oven: globalThis.ovenService },
        init({ provide }) {},
      })`)
  const reasonsFor = async (plugins: Readonly<Record<string, string>>) => {
    const service = await startService({ files: filesOf({ ...plugins, sound }) })
    try {
      expectStatus(await service.get('/api/x/sound'), 200)
      const alerts = await alertsOf(service, 'plugin_failed')
      const told = service.logLines.filter(({ level }) => level === 'error').map(({ message }) => message)
      for (const { details } of alerts) {
        assert.ok(
          told.some((line) => line?.startsWith(details.plugin)),
          `no line about ${details.plugin}`,
        )
      }
      return Object.fromEntries(alerts.map(({ details }) => [details.plugin, details.reason]))
    } finally {
      await service.stop()
    }
  }

  it('are off with it where it fails, each with a line and an alert', slow, async () => {
    assert.deepEqual(
      await reasonsFor({
        oven: providing('oven', `init() { throw new Error('cold') }`),
        cake: using('cake'),
      }),
      { oven: 'failed in init: cold', cake: 'needs oven, which failed in init: cold' },
    )
  })

  it('are off where it is not for this version', async () => {
    const reasons = await reasonsFor({
      oven: providing('oven', `engines: { mortise: '<0.0.1' }`),
      cake: using('cake'),
    })
    assert.match(reasons.oven ?? '', /^needs Mortise <0.0.1/)
    assert.match(
      reasons.cake ?? '',
      /^uses the service oven, which no plugin provides; switch on oven, which is off: needs Mortise <0.0.1/,
    )
  })

  it('are told which plugins are off, one of which may be the one', async () => {
    const init = `init({ provide }) { provide(globalThis.ovenService, {}) }`
    const env = { SVC_PLUGINS_DISABLED: 'stove,kettle' }
    const plugins = { stove: providing('stove', init), kettle: plugin('kettle', ''), cake: using('cake') }
    const service = await startService({ files: filesOf(plugins), env })
    try {
      const [alert] = await alertsOf(service, 'plugin_failed')
      assert.equal(alert?.details.plugin, 'cake')
      assert.match(
        alert?.details.reason ?? '',
        /or switch on the one that does; off: (kettle, stove|stove, kettle)$/,
      )
    } finally {
      await service.stop()
    }
  })

  it('do not keep the others from starting where two provide the same', async () => {
    const init = `init({ provide }) { provide(globalThis.ovenService, {}) }`
    const reasons = await reasonsFor({
      gas: providing('gas', init),
      wood: providing('wood', init),
      cake: using('cake'),
    })
    assert.deepEqual(Object.keys(reasons), ['wood'])
    assert.match(reasons.wood ?? '', /provides the service oven/)
  })

  it('names both owners where two count requests across processes', async () => {
    const counting = (name: string) =>
      contributing(name, 'http.rateLimitStores', '{ hit: () => ({ count: 1, resetInMs: 1 }) }')
    const [reason] = Object.entries(
      await reasonsFor({ first: counting('first'), second: counting('second') }),
    )
    assert.deepEqual(reason, [
      'second',
      'failed in boot: the rate limit store already exists, from first; use one of the two',
    ])
  })
})

eachDatabase((database) => {
  it(
    'the alert about a plugin is counted up while it fails, and resolved when it starts well',
    slow,
    async (test) => {
      const { url, drop } = await database.createUrl()
      test.after(drop)
      const failing = plugin('later', `boot() { throw new Error('not yet') }`)
      const start = async (later: string) => {
        const service = await startService({
          database: { url },
          files: filesOf({ later, other: failing.replace("'later'", "'other'") }),
        })
        const alerts = await alertsOf(service, 'plugin_failed')
        await service.stop()
        return alerts.map(({ details, status, count }) => [details.plugin, status, count]).sort()
      }
      assert.deepEqual(await start(failing), [
        ['later', 'open', 1],
        ['other', 'open', 1],
      ])
      assert.deepEqual(await start(failing), [
        ['later', 'open', 2],
        ['other', 'open', 2],
      ])
      assert.deepEqual(await start(plugin('later', '')), [
        ['later', 'resolved', 2],
        ['other', 'open', 3],
      ])
    },
  )
})

describe('a third-party plugin that others cannot wait for', () => {
  it('does not keep an acknowledged write from its client', async (test) => {
    const hanging = plugin(
      'hanging',
      `register({ on }) { on(content.entryCreated, () => new Promise(() => {})) }`,
    )
    const service = await startService({
      files: filesOf({ hanging, sound }),
      env: { SVC_PLUGIN_LISTENER_TIMEOUT_MS: '50' },
    })
    test.after(() => service.stop())
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    await until(async () => (await alertsOf(service, 'plugin_error')).length > 0)
    const [alert] = await alertsOf(service, 'plugin_error')
    assert.match(alert?.details.where ?? '', /listener of content:afterCreate/)
    assert.match(alert?.details.error ?? '', /took longer than 50 ms/)
  })

  it('does not use up the time of the others at the stop', { ...slow, timeout: 20_000 }, async () => {
    const hanging = plugin('hanging', 'destroy: () => new Promise(() => {})')
    const service = await startService({ files: filesOf({ hanging, sound }) })
    await service.stop()
    assert.ok(service.logLines.some(({ message }) => message === 'hanging failed to stop cleanly'))
  })
})

describe('a third-party plugin that throws while the service runs', () => {
  const everyRequest = plugin(
    'every-request',
    `register({ contribute }) {
      contribute(http.requestObservers, () => { throw new Error('in the observer') })
      contribute(http.requestObservers, async () => { throw new Error('in the observer') })
      contribute(http.authenticators, { authenticate() { throw new Error('in the authenticator') } }, { before: ['auth'] })
      contribute(http.authenticators, { async authenticate() { throw new Error('in the authenticator') } })
    }`,
  )

  const checks = plugin(
    'checks',
    `register({ contribute }) {
      contribute(http.policies, { name: 'checks.thrown', check: ({ header }) => header('x').length > 0 })
      contribute(http.policies, { name: 'checks.rejected', async check() { throw new Error('in the check') } })
      contribute(http.routeGuards, {
        compile: ({ name }) => name === 'checks:guarded.read' ? () => { throw new Error('in the guard') } : undefined,
      })
      const base = { method: 'GET', summary: 'A thing', access: 'permission', handler: () => 'ok' }
      const policies = (name) => ['isAuthenticated', name]
      contribute(http.routes, http.defineRoute({
        ...base, name: 'checks:thrown.read', path: '/thrown', policies: policies('checks.thrown') }))
      contribute(http.routes, http.defineRoute({
        ...base, name: 'checks:rejected.read', path: '/rejected', policies: policies('checks.rejected') }))
      contribute(http.routes, http.defineRoute({
        ...base, name: 'checks:guarded.read', path: '/guarded', policies: ['isAuthenticated'] }))
      contribute(http.routes, http.defineRoute({
        ...base, name: 'checks:described.read', path: '/described', policies: ['isAuthenticated'],
        document() { throw new Error('in the document') } }))
      contribute(http.routes, http.defineRoute({
        ...base, name: 'checks:sound.read', path: '/sound', policies: ['isAuthenticated'] }))
      contribute(extensions.panelItems, {
        id: 'checks:item', kind: 'navigation', label: 'Item', href: '/item', access: 'permission',
        policies: policies('checks.rejected') })
    }`,
  )

  it('in checks of its routes and items leaves the document and the panel to all others', async (test) => {
    const service = await startService({ files: filesOf({ checks }) })
    test.after(() => service.stop())
    const { paths } = expectStatus(await service.admin.get('/api/_docs/openapi.json'), 200).body
    assert.ok(paths['/content/author'])
    const own = Object.keys(paths).filter((path) => path.startsWith('/x/'))
    assert.deepEqual(own, ['/x/checks/sound'])
    const items = expectStatus(await service.admin.get('/api/admin/panel-items'), 200).body.data
    assert.deepEqual(items.navigation, [])
    await until(async () => (await alertsOf(service, 'plugin_error')).length > 0)
    assert.equal((await alertsOf(service, 'plugin_error'))[0]?.details.plugin, 'checks')
  })

  it('while it judges who calls has that told to those who are refused', async (test) => {
    const judge = plugin(
      'judge',
      `register({ contribute }) {
        contribute(http.authenticators, {
          headersFor: () => ['x-partner'],
          async authenticate() { throw new Error('no directory') },
        }, { before: ['auth'] })
      }`,
    )
    const service = await startService({ files: filesOf({ judge, sound }) })
    test.after(() => service.stop())
    const path = '/api/admin/auth/me'
    const withHeader = async (headers: Record<string, string>) =>
      (await (await fetch(`${service.url}${path}`, { headers })).json()) as {
        error: { code: string; message: string }
      }
    for (const headers of [{ 'x-partner': 'key' }, { authorization: 'Bearer theirs' }]) {
      const { error } = await withHeader(headers as Record<string, string>)
      assert.equal(error.code, 'INTERNAL_ERROR')
      assert.match(error.message, /could not be judged, because an authenticator of a plugin failed/)
    }
    const { error } = expectStatus(await service.get(path), 401).body
    assert.match(error.message, /could not be judged/)
    expectStatus(await service.admin.get(path), 200)
    const wrong = { identifier: 'nobody@example.com', password: 'wrong password' }
    expectStatus(await service.get('/api/x/sound'), 200)
    expectStatus(await service.post('/api/admin/auth/login', wrong), 401)
  })

  it('for every request keeps nobody from being known and answered', async (test) => {
    const service = await startService({ files: filesOf({ 'every-request': everyRequest, sound }) })
    test.after(() => service.stop())
    expectStatus(await service.get('/api/livez'), 200)
    expectStatus(await service.get('/api/x/sound'), 200)
    expectStatus(await service.admin.get('/api/admin/auth/me'), 200)
    expectStatus(await service.get('/api/admin/auth/me'), 401)
    const [alert] = await alertsOf(service, 'plugin_error')
    assert.equal(alert?.details.plugin, 'every-request')
  })

  const thrower = plugin(
    'thrower',
    `register({ contribute, on }) {
      contribute(http.routes, ${route('thrower', `handler() { throw new Error('in the route') },`)})
      contribute(content.contentWriteMiddleware, content.defineWriteMiddleware({
        name: 'thrower: writes', types: 'author', operations: ['create'],
        run({ data }, next) {
          if (data.name === 'refused') throw new http.AppError('CONFLICT', 'not this one')
          if (data.name === 'broken') throw new Error('in the middleware')
          return next()
        },
      }))
      on(content.entryUpdated, () => { throw new Error('in the listener') })
      contribute(extensions.systemMiddleware, extensions.defineSystemMiddleware({
        name: 'thrower: events', events: 'content:afterDelete', run() { throw new Error('in the events') },
      }))
    }`,
  )

  const cases: [string, (service: TestService) => Promise<unknown>, RegExp, RegExp][] = [
    [
      'a route',
      async (service) => expectStatus(await service.get('/api/x/thrower'), 500),
      /route thrower:thing.read/,
      /in the route/,
    ],
    [
      'content middleware',
      async ({ admin }) => expectStatus(await admin.post('/api/content/author', { name: 'broken' }), 500),
      /middleware thrower: writes/,
      /in the middleware/,
    ],
    [
      'a listener',
      async ({ admin }) => {
        const { id } = expectStatus(await admin.post('/api/content/author', { name: 'Ann' }), 201).body.data
        expectStatus(await admin.put(`/api/content/author/${id}`, { name: 'Bea' }), 200)
      },
      /listener of content:afterUpdate/,
      /in the listener/,
    ],
    [
      'system middleware',
      async ({ admin }) => {
        const { id } = expectStatus(await admin.post('/api/content/author', { name: 'Ann' }), 201).body.data
        expectStatus(await admin.delete(`/api/content/author/${id}`), 200)
      },
      /middleware thrower: events/,
      /in the events/,
    ],
  ]

  for (const [what, provoke, where, error] of cases) {
    it(
      `in ${what} is told by an alert that names it, once however often it throws, and stays on`,
      slow,
      async (test) => {
        const service = await startService({ files: filesOf({ thrower, sound }) })
        test.after(() => service.stop())
        for (let time = 0; time < 3; time++) await provoke(service)
        await until(async () => (await alertsOf(service, 'plugin_error')).length > 0)
        const [alert] = await alertsOf(service, 'plugin_error')
        assert.equal(alert?.details.plugin, 'thrower')
        assert.match(alert?.details.where ?? '', where)
        assert.match(alert?.details.error ?? '', error)
        assert.equal(alert?.count, 1)
        assert.ok(service.kernel.plugins().find(({ name }) => name === 'thrower')?.active)
        expectStatus(await service.get('/api/x/sound'), 200)
      },
    )
  }

  it('in the check of a setting has the value refused, by name', async (test) => {
    const check = `(value) => { if (value === 'odd') throw new Error('in the check') }`
    const odd = contributing('odd', 'config.settings', setting('odd', check))
    const service = await startService({ files: filesOf({ odd }) })
    test.after(() => service.stop())
    const save = (word: string) => service.admin.put('/api/admin/config', { 'odd.word': word })
    expectStatus(await save('even'), 200)
    const { error } = expectStatus(await save('odd'), 400).body
    assert.match(JSON.stringify(error), /the check of the setting odd.word failed: in the check/)
  })

  it('contributes in a register that is asynchronous', async (test) => {
    const slow = plugin(
      'slow',
      `async register({ contribute }) { await null; contribute(http.routes, ${route('slow')}) }`,
    )
    const service = await startService({ files: filesOf({ slow }) })
    test.after(() => service.stop())
    expectStatus(await service.get('/api/x/slow'), 200)
  })

  it('what it means for the client is no error of it', async (test) => {
    const service = await startService({ files: filesOf({ thrower }) })
    test.after(() => service.stop())
    expectStatus(await service.admin.post('/api/content/author', { name: 'refused' }), 409)
    expectStatus(await service.admin.post('/api/content/author', { name: 1 }), 400)
    assert.deepEqual(await alertsOf(service, 'plugin_error'), [])
  })
})
