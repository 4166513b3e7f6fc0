import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as entryPoint from 'mortise/plugin'
import { corePlugins } from '../../core-plugins/catalogue.ts'
import { withoutConfigFile } from '../../core-plugins/foundation/config/project-config.ts'
import { createExtensionsPlugin } from '../../core-plugins/panel/extensions/extensions.ts'
import {
  createKernel,
  definePlugin,
  extensionPoint,
  hook,
  type Plugin,
  service,
  silentLog,
  type Token,
} from '../../kernel/index.ts'
import { recordingLog } from '../support/recording-log.ts'

const named = (name: string, rest: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, description: `The plugin ${name}.`, ...rest })

/** Tokens are made anew at each call, as by another copy of the package that has them. */
const carts = (version?: string) => service<{ count: number }>('shop:carts', version ? { version } : {})
const discounts = (version?: string) => extensionPoint<string>('shop:discounts', version ? { version } : {})
const sold = (version?: string) => hook<string>('shop:sold', version ? { version } : {})

/** What becomes of guests beside essential plugins: why each that is off is off. */
async function reasonsFor(plugins: readonly Plugin[], disabled: Record<string, string> = {}) {
  const kernel = createKernel({
    plugins: [named('core', { points: [extensionPoint('routes')] }), ...plugins],
    log: recordingLog().log,
    disabled: new Map(Object.entries(disabled)),
    isEssential: ({ name }) => name === 'core',
  })
  await kernel.start()
  await kernel.stop()
  return Object.fromEntries(
    kernel.plugins().flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
  )
}

describe('tokens', () => {
  it('meet by id, whichever copy they are', async () => {
    const seen: unknown[] = []
    const shop = named('shop', {
      provides: [carts()],
      points: [discounts()],
      hooks: [sold()],
      init: ({ provide }) => provide(carts(), { count: 3 }),
      boot: async ({ contributions, emit }) => {
        seen.push(...contributions(discounts()))
        await emit(sold(), 'a book')
      },
    })
    const till = definePlugin({
      name: 'till',
      description: 'Uses the shop.',
      uses: { carts: carts() },
      init({ services, contribute, on }) {
        seen.push(services.carts.count)
        contribute(discounts(), 'half price')
        on(sold(), (what) => seen.push(what))
      },
    })
    const kernel = createKernel({ plugins: [till, shop], log: silentLog })
    await kernel.start()
    assert.deepEqual(seen, [3, 'half price', 'a book'])
    assert.equal(kernel.get(carts()).count, 3)
    await kernel.stop()
  })

  it('are made with an id, and a version that is one', () => {
    assert.throws(() => service(''), /a service needs an id/)
    assert.throws(
      () => hook('shop:sold', { version: '^2' }),
      /version of the hook shop:sold must be like `2`/,
    )
    assert.equal(extensionPoint('words', { version: '2.1.0' }).version, '2.1.0')
  })
})

describe('versions of tokens', () => {
  const shop = named('shop', {
    provides: [carts('1.4.0')],
    points: [discounts('1')],
    hooks: [sold('1.0.0')],
    init: ({ provide }) => provide(carts(), { count: 0 }),
  })

  it('fit with the same major, or where one of the two has none', async () => {
    const guests = [
      named('older', { uses: { carts: carts('1.0.0') } }),
      named('bare', { usesIfPresent: { carts: carts() } }),
      named('contributor', { register: ({ contribute }) => contribute(discounts('1.9'), 'half price') }),
    ]
    assert.deepEqual(await reasonsFor([shop, ...guests]), {})
  })

  it('do not fit with another major: both plugins and versions are named, and the remedy', async () => {
    const reasons = await reasonsFor([
      shop,
      named('till', { uses: { carts: carts('2.0.0') } }),
      named('scales', { usesIfPresent: { carts: carts('2.0.0') } }),
      named('sale', { register: ({ contribute }) => contribute(discounts('2'), 'half price') }),
      named('printer', { init: ({ on }) => on(sold('2.1.0'), () => undefined) }),
    ])
    const expected = (name: string, what: string, used: string, owned: string) =>
      new RegExp(
        `uses version ${used} of the ${what}, and shop has version ${owned}.*install versions of ${name} and shop`,
      )
    assert.match(
      reasons.till ?? '',
      /uses version 2.0.0 of the service shop:carts, and shop has version 1.4.0/,
    )
    assert.match(reasons.till ?? '', /install versions of till and shop that were made for each other/)
    assert.match(reasons.scales ?? '', /uses version 2.0.0 of the service shop:carts/)
    assert.match(reasons.sale ?? '', expected('sale', 'extension point shop:discounts', '2', '1'))
    assert.match(reasons.printer ?? '', expected('printer', 'hook shop:sold', '2.1.0', '1.0.0'))
    assert.equal(reasons.shop, undefined)
    const newer = named('shop', { points: [discounts('2')] })
    const older = named('sale', { register: ({ contribute }) => contribute(discounts('1'), 'half price') })
    assert.match((await reasonsFor([newer, older])).sale ?? '', /uses version 1 .* shop has version 2/)
  })
})

describe('tokens that nobody has', () => {
  const shop = named('shop', { provides: [carts()], points: [discounts()], hooks: [sold()] })
  const sale = named('sale', { register: ({ contribute }) => contribute(discounts(), 'half price') })
  const printer = named('printer', { register: ({ on }) => on(sold(), () => undefined) })

  it('switch off the plugin that uses them, with the nearest known id', async () => {
    const reasons = await reasonsFor([
      named('web', { register: ({ contribute }) => contribute(extensionPoint<string>('routs'), '/') }),
      named('till', { uses: { carts: service('shop:cart') } }),
      named('display', { register: ({ on }) => on(hook<string>('shop:solt'), () => undefined) }),
      named('shop', { ...shop, init: ({ provide }) => provide(carts(), { count: 0 }) }),
    ])
    assert.match(
      reasons.web ?? '',
      /web contributes to the extension point routs, which no plugin has; did you mean routes\?/,
    )
    assert.match(
      reasons.till ?? '',
      /uses the service shop:cart, which no plugin provides.*did you mean shop:carts\?/,
    )
    assert.match(
      reasons.display ?? '',
      /display listens to the hook shop:solt, which no plugin has; did you mean shop:sold\?/,
    )
  })

  it('name the list that they are missing in where none is near', async () => {
    const reasons = await reasonsFor([sale, printer])
    assert.match(reasons.sale ?? '', /shop:discounts, which no plugin has; install .* lists it in `points`/)
    assert.match(reasons.printer ?? '', /shop:sold, which no plugin has; install .* lists it in `hooks`/)
  })

  it('stop the start if an essential plugin uses them', async () => {
    const kernel = createKernel({ plugins: [sale], log: silentLog })
    await assert.rejects(kernel.start(), /plugin sale: failed in register: sale contributes to/)
  })

  it('do no harm while their plugin is off, whether it was loaded or not', async () => {
    const off = { shop: 'switched off' }
    assert.deepEqual(await reasonsFor([shop, sale, printer], off), off)
    const names = ['shop', './elsewhere/shop', './elsewhere/shop.ts', '@acme/shop', '@acme/mortise-shop']
    for (const name of names) {
      assert.deepEqual(await reasonsFor([named(name), sale, printer], { [name]: 'off' }), { [name]: 'off' })
    }
    const others = { workshop: 'off' }
    assert.match((await reasonsFor([named('workshop'), sale], others)).sale ?? '', /which no plugin has/)
  })

  it('do no harm where their plugin fails', async () => {
    const failing = named('shop', { points: [discounts()], boot: () => Promise.reject(new Error('closed')) })
    assert.deepEqual(await reasonsFor([failing, sale]), { shop: 'failed in boot: closed' })
  })

  it('are told from those of another kind', async () => {
    const confused = named('confused', {
      register: ({ contribute }) => contribute(sold() as never, 'half price'),
    })
    const sound = named('shop', { points: [discounts()], hooks: [sold()] })
    const mistaken = named('mistaken', { points: [extensionPoint('shop:sold')] })
    assert.match(
      (await reasonsFor([named('other', { points: [extensionPoint('shop:sold')] }), confused])).confused ??
        '',
      /confused listens to the hook shop:sold, which is an extension point/,
    )
    assert.match(
      (await reasonsFor([sound, mistaken])).mistaken ?? '',
      /plugin shop: has the hook shop:sold, which is an extension point of mistaken → rename one of them/,
    )
  })
})

describe('tokens that two plugins have', () => {
  it('switch off the later one', async () => {
    const first = named('first', { points: [discounts()], hooks: [sold()] })
    const second = named('second', { points: [discounts()] })
    const third = named('third', { hooks: [sold()] })
    const reasons = await reasonsFor([first, second, third])
    assert.deepEqual(Object.keys(reasons), ['second', 'third'])
    assert.match(reasons.second ?? '', /first: has the extension point shop:discounts, which second has too/)
  })

  it('are those of the first one for whoever uses them', async () => {
    const [first, second] = [
      named('first', { points: [discounts('1')] }),
      named('second', { points: [discounts('2')] }),
    ]
    const sale = named('sale', { register: ({ contribute }) => contribute(discounts('1'), 'half price') })
    assert.deepEqual(Object.keys(await reasonsFor([first, second, sale])), ['second'])
  })
})

describe('the core plugins', () => {
  it('list every extension point and hook of mortise/plugin as theirs', () => {
    const options = {
      env: {},
      workingDirectory: '.',
      projectConfig: withoutConfigFile,
      log: silentLog as never,
    }
    const extensions = createExtensionsPlugin({ core: [], plugins: [], failed: [], misnamed: [], themes: [] })
    const plugins = [...corePlugins(options), extensions]
    const owned = new Set(
      plugins.flatMap(({ points = [], hooks = [] }) => [...points, ...hooks].map(({ id }) => id)),
    )
    const isOwned = ({ id }: Token) => owned.has(id) || id.startsWith('app:') || id.startsWith('kernel:')
    const tokens = Object.values(entryPoint).filter(
      (value): value is never =>
        typeof value === 'object' && value !== null && 'kind' in value && 'id' in value,
    )
    const listed = (tokens as Token[]).filter(({ kind }) => kind === 'hook' || kind === 'extension point')
    assert.ok(listed.length > 40)
    assert.deepEqual(
      listed.filter((token) => !isOwned(token)).map(({ id }) => id),
      [],
    )
  })
})
