import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { archiveStores } from '../../core-plugins/administration/backups/backups.ts'
import { type Alerts, alertsService, type NewAlert } from '../../core-plugins/background/alerts/alerts.ts'
import { deletionHolds, type MediaStorage, mediaStorages } from '../../core-plugins/delivery/media/media.ts'
import { draftEndings } from '../../core-plugins/foundation/database/database.ts'
import {
  authenticators,
  rateLimitStores,
  requestObservers,
  routeGuards,
} from '../../core-plugins/foundation/http/http.ts'
import { restoreSteps } from '../../core-plugins/foundation/sections/sections.ts'
import { adapterOf } from '../../core-plugins/panel/extensions/adapt-contributions.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import {
  assertUniqueNames,
  createKernel,
  definePlugin,
  type ExtensionPoint,
  silentLog,
} from '../../kernel/index.ts'

const errors: string[] = []
const report = Object.assign(
  (where: string, error: unknown) => void errors.push(`${where}: ${(error as Error).message}`),
  { plugin: 'big-shop' },
)
const adapt = adapterOf({
  plugin: 'big-shop',
  space: 'big-shop',
  report,
  reportOfBrowsers: report,
})

/** What plugins in JavaScript pass, whatever the types say. */
function given<T>(point: ExtensionPoint<T>, value: unknown): T {
  return adapt(point, value as T)
}

const log = silentLog
const request = { method: 'GET', path: '/', route: {}, ip: '', header: () => undefined } as never

describe('what third-party plugins contribute under a type, or as functions', () => {
  for (const type of ['s3', 'local', 'big-shopping', 'big-shop.', 'big-shop.A', 'big-shop./', undefined, 7]) {
    it(`refuses a storage of type ${type}`, () => {
      const message = /must be named big-shop or big-shop\.<what>/
      assert.throws(() => given(mediaStorages, { type, open: () => ({}) }), message)
      assert.throws(() => given(archiveStores, { type, open: () => ({}) }), message)
    })
  }

  it('refuses what lacks a function, and names it', () => {
    const cases: [ExtensionPoint<never>, unknown, RegExp][] = [
      [mediaStorages as never, { type: 'big-shop' }, /the storage big-shop must have the function open/],
      [archiveStores as never, { type: 'big-shop.cold', open: 1 }, /archive store big-shop.cold must have/],
      [rateLimitStores as never, {}, /a rate limit store must have the function hit/],
      [
        authenticators as never,
        { headersFor: () => [] },
        /an authenticator must have the function authenticate/,
      ],
      [
        authenticators as never,
        { authenticate() {}, headersFor: [] },
        /headersFor of an authenticator must be/,
      ],
      [routeGuards as never, {}, /a guard of routes must have the function compile/],
      [requestObservers as never, {}, /a request observer must be a function/],
      [restoreSteps as never, {}, /a step of restores must be a function/],
      [deletionHolds as never, {}, /a hold on deleted files must have the function isHeld/],
      [draftEndings as never, undefined, /what ends drafts must have the function end/],
    ]
    for (const [point, value, message] of cases) assert.throws(() => given(point, value), message)
  })

  it('refuses a storage that opens something else', async () => {
    const kind = given(mediaStorages, { type: 'big-shop', open: () => ({ write() {}, read() {} }) })
    await assert.rejects(
      async () => kind.open({ log }),
      /big-shop must have the functions adopt, stat, delete/,
    )
    const store = { write() {}, adopt() {}, stat() {}, read() {}, delete() {} } as unknown as MediaStorage
    const sound = given(mediaStorages, { type: 'big-shop.cold', open: () => store })
    assert.equal(await sound.open({ log }), store)
  })

  it('takes nobody for a caller whom an authenticator does not describe', async () => {
    const answers: [unknown, boolean][] = [
      [undefined, true],
      [{ kind: 'admin', id: 1, username: 'a', role: 'editor' }, true],
      [{ kind: 'token', id: 1, name: 'a', scopes: new Set(['content:read']) }, true],
      [{ kind: 'token', id: 1, name: 'a', scopes: ['content:read'] }, false],
      [{ kind: 'admin', username: 'a', role: 'super-admin' }, false],
      [{ kind: 'root', id: 1, username: 'a', role: 'super-admin' }, false],
      ['admin', false],
    ]
    for (const [answer, isTaken] of answers) {
      errors.length = 0
      for (const authenticate of [() => answer, async () => answer]) {
        const found = await given(authenticators, { authenticate }).authenticate(request)
        assert.deepEqual(found, isTaken ? answer : undefined)
      }
      assert.equal(errors.length, isTaken ? 0 : 2, JSON.stringify(answer))
    }
    const { headersFor } = given(authenticators, { authenticate() {}, headersFor: () => ['X-Key'] })
    assert.throws(() => headersFor?.({ name: 'a:b' } as never), /must list headers in lower case/)
  })
})

describe('names that plugins share', () => {
  it('of two the second is refused, with both owners', () => {
    const value = { type: 's3' }
    assert.throws(
      () =>
        assertUniqueNames('storage', [
          { plugin: 'storage-s3', value },
          { plugin: 's3', value },
        ]),
      { plugin: 's3', message: /the storage s3 already exists, from storage-s3/ },
    )
  })

  it('are the plugin’s own in kinds of alerts that it raises and resolves', async () => {
    const raised: string[] = []
    const alerts: Alerts = {
      raise: async ({ kind }) => void raised.push(kind),
      resolve: async (kind) => void raised.push(`no ${kind}`),
    }
    const core = definePlugin({
      name: 'alerts',
      description: 'Notes alerts.',
      provides: [alertsService],
      init: ({ provide }) => provide(alertsService, alerts),
    })
    const alert: Omit<NewAlert, 'kind'> = { severity: 'info', message: 'x' }
    const shop = definePlugin({
      name: 'big-shop',
      description: 'Raises alerts.',
      usesIfPresent: { alerts: alertsService },
      async init({ services }) {
        await services.alerts?.raise({ kind: 'big_shop_stock_low', ...alert })
        for (const kind of ['job_failed', 'big_shop', 'big_shop_Low', 'big_shop_a b']) {
          await assert.rejects(
            async () => services.alerts?.raise({ kind, ...alert }),
            /must be named big_shop_<what>/,
          )
        }
      },
      async boot({ services }) {
        await services.alerts?.resolve('big_shop_stock_low')
        await assert.rejects(async () => services.alerts?.resolve('job_failed'), /must be named/)
      },
    })
    const mounted = mountPlugin(shop, { space: 'big-shop', listenerTimeoutMs: 1_000 })
    const kernel = createKernel({ plugins: [core, mounted], log: silentLog })
    await kernel.start()
    await kernel.stop()
    assert.deepEqual(raised, ['big_shop_stock_low', 'no big_shop_stock_low'])
  })
})
