import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tables } from '../../core-plugins/foundation/database/database.ts'
import { defineRoute, type Route, routes } from '../../core-plugins/foundation/http/http.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { createKernel, definePlugin, extensionPoint, type Plugin, silentLog } from '../../kernel/index.ts'

const words = extensionPoint<string>('words')

const route = (name: string, path: string) =>
  defineRoute({ name, path, method: 'GET', summary: 'A route', access: 'open', handler: () => 'ok' })

/** What a third-party plugin's contributions have become when everybody boots. */
async function contributionsOf(rest: Partial<Plugin>) {
  let seen: unknown[] = []
  const reader = definePlugin({
    name: 'reader',
    description: 'Reads.',
    points: [routes, tables, words],
    boot: ({ contributions }) => {
      seen = [...contributions(routes), ...contributions(tables), ...contributions(words)]
    },
  })
  const plugin = mountPlugin(definePlugin({ name: 'reading-time', description: 'Mounted.', ...rest }), {
    space: 'reading-time',
    listenerTimeoutMs: 1_000,
  })
  const kernel = createKernel({ plugins: [plugin, reader], log: silentLog })
  await kernel.start()
  await kernel.stop()
  return seen
}

describe('mounting a third-party plugin', () => {
  it('puts its routes below /x/<plugin>, from register and init alike', async () => {
    const seen = await contributionsOf({
      register: ({ contribute }) => contribute(routes, route('reading-time:all.list', '/')),
      init: ({ contribute }) => contribute(routes, route('reading-time:one.read', '/one/:id')),
    })
    assert.deepEqual(
      (seen as { path: string }[]).map(({ path }) => path),
      ['/x/reading-time', '/x/reading-time/one/:id'],
    )
  })

  it('does not let its routes take the session cookie', async () => {
    const page: Route = { ...route('reading-time:page.read', '/page'), session: 'cookie' }
    const [mounted] = await contributionsOf({ register: ({ contribute }) => contribute(routes, page) })
    assert.equal((mounted as Route).session, undefined)
  })

  it('leaves everything else as it is', async () => {
    const table = { name: 'x_reading_time_views', columns: [] }
    const seen = await contributionsOf({
      register({ contribute }) {
        contribute(words, 'word')
        contribute(tables, table)
      },
    })
    assert.deepEqual(seen, [table, 'word'])
  })

  it('refuses a route or a table under a name that is not its own', async () => {
    await assert.rejects(
      contributionsOf({ register: ({ contribute }) => contribute(routes, route('admin:users.list', '/')) }),
      /the route admin:users.list must be named reading-time:<resource>.<verb>/,
    )
    await assert.rejects(
      contributionsOf({
        register: ({ contribute }) => contribute(tables, { name: 'svc_users', columns: [] }),
      }),
      /the table svc_users must be named x_reading_time_<plural>/,
    )
  })
})
