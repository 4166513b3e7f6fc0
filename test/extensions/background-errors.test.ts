import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { type ServiceProcess, startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'

const plugin = (name: string, rest: string) => `
import { connect } from 'node:net'
import { contentWriteMiddleware, defineExtension, defineRoute, defineWriteMiddleware, entryCreated, pluginsStarted, routes } from 'mortise/plugin'
export default defineExtension({ name: '${name}', description: 'A plugin of a test.', ${rest} })
`

interface Alert {
  readonly kind: string
  readonly count: number
  readonly details: Readonly<Record<'plugin' | 'reason' | 'error', string>>
}

/** Starts a process with these plugins, lets `look` at it, and ends it as an operator would. */
async function withPlugins(
  plugins: Readonly<Record<string, string>>,
  look: (service: ServiceProcess, admin: Client) => Promise<void>,
) {
  const files = Object.entries(plugins).map(([name, rest]) => [
    `plugins/${name}/plugin.ts`,
    plugin(name, rest),
  ])
  await withProject({ files: { ...moduleProject, ...Object.fromEntries(files) } }, async (project) => {
    const service = startProcess({ project })
    await look(service, await service.signIn())
    assert.deepEqual(await service.end('SIGINT'), { code: 0, signal: null }, service.output())
  })
}

async function alertsOf(admin: Client, kind: string): Promise<Record<string, Alert>> {
  const { data } = expectStatus(
    await admin.get(`/api/admin/operational-alerts?kind=${kind}&limit=100`),
    200,
  ).body
  return Object.fromEntries((data as Alert[]).map((alert) => [alert.details.plugin, alert]))
}

const route = `routes, defineRoute({
  name: 'in-route:thing.read', method: 'GET', path: '/', summary: 'A thing', access: 'open',
  handler() { setTimeout(() => { throw new Error('after the route') }); return 'ok' },
})`

const onceUp = (task: string) =>
  `register({ on }) { on(pluginsStarted, ({ plugins }) => { if (plugins.includes('http')) ${task} }) }`

/** Each leaves an error to nobody, once the service is up. */
const later: Readonly<Record<string, readonly [string, RegExp]>> = {
  timer: [onceUp(`setInterval(() => { throw new Error('in the timer') }, 50).unref()`), /^in the timer$/],
  text: [onceUp(`setTimeout(() => Promise.reject('only a text'))`), /^only a text$/],
  late: [
    onceUp('setTimeout(() => on(entryCreated, () => {}))'),
    /late adds to content:afterCreate too late; do so in register or init/,
  ],
  socket: [onceUp(`connect(1, '127.0.0.1')`), /ECONNREFUSED/],
  'in-route': [`register({ contribute }) { contribute(${route}) }`, /^after the route$/],
  'in-listener': [
    `register({ on }) { on(entryCreated, () => void fetch('http://127.0.0.1:1/')) }`,
    /fetch failed|bad port/,
  ],
  'in-middleware': [
    `register({ contribute }) {
      contribute(contentWriteMiddleware, defineWriteMiddleware({
        name: 'in-middleware: later', types: 'author', operations: ['create'],
        run(context, next) { void (async () => { await null; throw new Error('beside the write') })(); return next() },
      }))
    }`,
    /^beside the write$/,
  ],
}

describe('an error that a third-party plugin leaves to nobody', { concurrency: 2 }, () => {
  it('is told under its name, and the service goes on', slow, async () => {
    const plugins = Object.fromEntries(Object.entries(later).map(([name, [rest]]) => [name, rest]))
    await withPlugins(plugins, async (service, admin) => {
      expectStatus(await admin.get('/api/x/in-route'), 200)
      expectStatus(await admin.post('/api/content/author', { name: 'Ann' }), 201)
      await until(
        async () => Object.keys(await alertsOf(admin, 'plugin_error')).length >= Object.keys(later).length,
      )
      const alerts = await alertsOf(admin, 'plugin_error')
      for (const [name, [, expected]] of Object.entries(later)) {
        assert.match(alerts[name]?.details.error ?? `no alert for ${name}`, expected)
        assert.match(service.output(), new RegExp(`in the background of the plugin ${name} threw`))
      }
      assert.equal(alerts.timer?.count, 1, 'once a minute, however often it throws')
      assert.deepEqual(await alertsOf(admin, 'plugin_failed'), {})
      expectStatus(await admin.post('/api/content/author', { name: 'Ben' }), 201)
    })
  })

  it('while the service starts switches it off, and no other', slow, async () => {
    const plugins = {
      early: `init() { void (async () => { await null; throw new Error('behind init') })() }`,
      again: `init() { setInterval(() => { throw new Error('at each tick') }, 1).unref() }, async boot() { await new Promise((done) => setTimeout(done, 200)) }`,
      sound: '',
    }
    await withPlugins(plugins, async (_, admin) => {
      const failed = await alertsOf(admin, 'plugin_failed')
      assert.deepEqual(Object.keys(failed).sort(), ['again', 'early'])
      assert.equal(failed.early?.details.reason, 'failed in the background: behind init')
      assert.equal(failed.again?.details.reason, 'failed in the background: at each tick')
    })
  })
})
