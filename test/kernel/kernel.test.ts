import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  appStart,
  appStop,
  createKernel,
  definePlugin,
  extensionPoint,
  hook,
  type KernelOptions,
  type Plugin,
  PluginFault,
  pluginFailed,
  pluginsStarted,
  StartupError,
  service,
  silentLog,
} from '../../kernel/index.ts'
import { recordingLog } from '../support/recording-log.ts'

const greeting = service<{ greet(): string }>('greeting')
const words = extensionPoint<string>('words')
const happened = hook<{ what: string }>('test:happened')

const kernelOf = (plugins: Plugin[], options: Partial<KernelOptions> = {}) =>
  createKernel({ plugins, log: silentLog, ...options })

const named = (name: string, rest: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, description: `The plugin ${name}.`, ...rest })

/** A plugin that writes each of its phases to `steps`. */
const tracing = (name: string, steps: string[], rest: Partial<Plugin> = {}): Plugin =>
  named(name, {
    register: () => void steps.push(`register ${name}`),
    init({ onDispose, provide }) {
      steps.push(`init ${name}`)
      onDispose(() => steps.push(`dispose ${name}`))
      for (const token of rest.provides ?? []) provide(token, {})
    },
    boot: () => void steps.push(`boot ${name}`),
    destroy: () => void steps.push(`destroy ${name}`),
    ...rest,
  })

describe('lifecycle', () => {
  it('runs each phase for all plugins in dependency order and undoes it in reverse', async () => {
    const steps: string[] = []
    const kernel = kernelOf([
      tracing('app', steps, { uses: { greeting } }),
      tracing('greeter', steps, { provides: [greeting] }),
    ])
    await kernel.start()
    await kernel.stop()
    assert.deepEqual(steps, [
      'register greeter',
      'register app',
      'init greeter',
      'init app',
      'boot greeter',
      'boot app',
      'dispose app',
      'destroy app',
      'dispose greeter',
      'destroy greeter',
    ])
  })

  it('gives services to those who use them, in init and boot', async () => {
    const seen: string[] = []
    const greeter = definePlugin({
      name: 'greeter',
      description: 'Greets.',
      provides: [greeting],
      init: ({ provide }) => provide(greeting, { greet: () => 'hello' }),
    })
    const app = definePlugin({
      name: 'app',
      description: 'Is greeted.',
      uses: { greeter: greeting },
      init: ({ services }) => void seen.push(services.greeter.greet()),
      boot: ({ services }) => void seen.push(services.greeter.greet()),
    })
    const kernel = kernelOf([app, greeter])
    await kernel.start()
    assert.deepEqual(seen, ['hello', 'hello'])
    assert.equal(kernel.get(greeting).greet(), 'hello')
    await kernel.stop()
  })

  it('gives undefined for an optional service whose plugin is off', async () => {
    let seen: unknown = 'untouched'
    const app = definePlugin({
      name: 'app',
      description: 'May be greeted.',
      usesIfPresent: { greeter: greeting },
      init: ({ services }) => {
        seen = services.greeter
      },
    })
    const kernel = kernelOf([app, tracing('greeter', [], { provides: [greeting] })], {
      disabled: new Map([['greeter', 'switched off in the test']]),
    })
    await kernel.start()
    assert.equal(seen, undefined)
    assert.throws(() => kernel.get(greeting), /no active plugin provides the service greeting/)
    await kernel.stop()
  })

  it('gives a plugin its own part of the config and its name in the log', async () => {
    const { log, lines } = recordingLog()
    const app = named('app', { init: ({ config, log, name }) => log.info({ config }, `I am ${name}`) })
    const kernel = kernelOf([app, named('other')], {
      log,
      pluginConfig: { app: { size: 3 }, other: { no: 1 } },
    })
    await kernel.start()
    assert.deepEqual(lines, [{ level: 'info', plugin: 'app', config: { size: 3 }, message: 'I am app' }])
    await kernel.stop()
  })

  it('tells app:start after boot and app:stop before anything is undone', async () => {
    const steps: string[] = []
    const plugin = tracing('app', steps, {
      register({ on }) {
        on(appStop, () => steps.push('app:stop'))
        on(appStart, () => steps.push('app:start'))
      },
    })
    const kernel = kernelOf([plugin])
    await kernel.start()
    await kernel.stop()
    await kernel.stop()
    assert.deepEqual(steps, ['init app', 'boot app', 'app:start', 'app:stop', 'dispose app', 'destroy app'])
  })

  it('starts only once', async () => {
    const kernel = kernelOf([])
    await kernel.start()
    await assert.rejects(kernel.start(), /starts only once/)
    await kernel.stop()
  })

  it('logs what fails to stop and goes on', async () => {
    const { log, lines } = recordingLog()
    const steps: string[] = []
    const broken = named('broken', {
      init: ({ onDispose }) =>
        onDispose(() => {
          throw new Error('stuck')
        }),
    })
    const kernel = kernelOf([tracing('app', steps), broken], { log })
    await kernel.start()
    await kernel.stop()
    assert.deepEqual(
      lines.map(({ level, plugin, message }) => ({ level, plugin, message })),
      [{ level: 'error', plugin: 'broken', message: 'broken failed to stop cleanly' }],
    )
    assert.equal(steps.at(-1), 'destroy app')
  })
})

describe('what init returns', () => {
  it('is the state of the later phases, of each start its own', async () => {
    const seen: unknown[] = []
    let starts = 0
    const plugin = definePlugin({
      name: 'app',
      description: 'a test plugin',
      init: async () => ({ start: ++starts }),
      boot: ({ state }) => void seen.push(['boot', state.start]),
      destroy: ({ state }) => void seen.push(['destroy', state?.start]),
    })
    for (const _ of [1, 2]) {
      const kernel = kernelOf([plugin])
      await kernel.start()
      await kernel.stop()
    }
    assert.deepEqual(seen, [
      ['boot', 1],
      ['destroy', 1],
      ['boot', 2],
      ['destroy', 2],
    ])
  })

  it('is missing where init has failed', async () => {
    const seen: unknown[] = []
    const plugin = named('app', {
      init: () => {
        throw new Error('no luck')
      },
      destroy: ({ state }) => void seen.push(state),
    })
    await assert.rejects(kernelOf([plugin]).start())
    assert.deepEqual(seen, [undefined])
  })
})

describe('contributions', () => {
  it('come in order, then in start order, whatever phase they were made in', async () => {
    let seen: readonly string[] = []
    const first = named('first', {
      provides: [greeting],
      init: ({ contribute, provide }) => {
        provide(greeting, { greet: () => '' })
        contribute(words, 'first')
        contribute(words, 'very first', { before: ['first'] })
      },
    })
    const second = named('second', {
      uses: { greeting },
      points: [words],
      register: ({ contribute }) => contribute(words, 'second'),
      boot: ({ contributions }) => {
        seen = contributions(words)
      },
    })
    const kernel = kernelOf([second, first])
    await kernel.start()
    assert.deepEqual(seen, ['very first', 'first', 'second'])
    await kernel.stop()
  })

  it('that come before each other in a circle stop the start, and all of them are named', async () => {
    const one = named('one', {
      points: [words],
      register: ({ contribute }) => contribute(words, 'one', { before: ['two'] }),
    })
    const two = named('two', { init: ({ contribute }) => contribute(words, 'two', { before: ['one'] }) })
    const started = kernelOf([one, two]).start()
    await assert.rejects(
      started,
      /^StartupError: The plugins do not fit together:\n {2}words: these come before each other in a circle: one → two → one/,
    )
  })

  it('that make such a circle switch off the plugin that came last, if it is not essential', async () => {
    let seen: readonly string[] = []
    const core = named('core', {
      points: [words],
      register: ({ contribute }) => contribute(words, 'core', { before: ['guest'] }),
      boot: ({ contributions }) => {
        seen = contributions(words)
      },
    })
    const guest = named('guest', {
      register: ({ contribute }) => contribute(words, 'guest', { before: ['core'] }),
    })
    const kernel = kernelOf([core, guest], { isEssential: ({ name }) => name === 'core' })
    await kernel.start()
    assert.deepEqual(seen, ['core'])
    assert.match(kernel.plugins()[1]?.reason ?? '', /in a circle: core → guest → core/)
    await kernel.stop()
  })

  it('can be read while they are made', async () => {
    const seen: (readonly string[])[] = []
    const plugin = named('app', {
      points: [words],
      register({ contribute, contributions }) {
        seen.push(contributions(words))
        contribute(words, 'one')
        seen.push(contributions(words))
      },
    })
    const kernel = kernelOf([plugin])
    await kernel.start()
    assert.deepEqual(seen, [[], ['one']])
    await kernel.stop()
  })

  it('are refused once all plugins are initialised', async () => {
    let late: (() => void) | undefined
    const plugin = named('app', {
      points: [words],
      init: ({ contribute }) => {
        late = () => contribute(words, 'late')
      },
      boot: () => late?.(),
    })
    await assert.rejects(kernelOf([plugin]).start(), /plugin app: failed in boot: app adds to words too late/)
  })
})

describe('hooks', () => {
  it('tell listeners one after the other and log what they throw', async () => {
    const { log, lines } = recordingLog()
    const told: string[] = []
    const plugin = named('app', {
      hooks: [happened],
      register({ on }) {
        on(happened, ({ what }) => told.push(`second ${what}`))
        on(
          happened,
          async ({ what }) => {
            await undefined
            told.push(`first ${what}`)
            throw new Error('listener broke')
          },
          { before: ['app'] },
        )
      },
      boot: ({ emit }) => emit(happened, { what: 'change' }),
    })
    const kernel = kernelOf([plugin], { log })
    await kernel.start()
    assert.deepEqual(told, ['first change', 'second change'])
    assert.equal(lines[0]?.message, 'a listener of test:happened failed')
    assert.equal(lines[0]?.plugin, 'app')
    await kernel.stop()
  })
})

describe('a failing essential plugin', () => {
  it('stops the start, names plugin and phase, and undoes what was started', async () => {
    const steps: string[] = []
    const broken = named('broken', {
      boot: () => {
        throw new Error('no luck')
      },
    })
    const failure = await kernelOf([tracing('app', steps), broken])
      .start()
      .catch((error: unknown) => error)
    assert.ok(failure instanceof StartupError)
    assert.deepEqual(failure.problems, [{ subject: 'plugin broken', message: 'failed in boot: no luck' }])
    assert.equal((failure.cause as Error).message, 'no luck')
    assert.deepEqual(steps.slice(-2), ['dispose app', 'destroy app'])
  })

  it('passes its own report on as it is', async () => {
    const report = new StartupError('Bad settings:', [
      { subject: 'PORT', message: 'is no number', remedy: 'give a number' },
    ])
    const broken = named('broken', {
      init: () => {
        throw report
      },
    })
    await assert.rejects(kernelOf([broken]).start(), (error) => error === report)
    assert.equal(report.message, 'Bad settings:\n  PORT: is no number → give a number')
  })

  it('is one whose app:start listener fails, too', async () => {
    const steps: string[] = []
    const plugin = named('app', {
      register({ on }) {
        on(appStart, () => Promise.reject('port taken'))
        on(appStop, () => steps.push('app:stop'))
      },
    })
    const kernel = kernelOf([plugin])
    await assert.rejects(kernel.start(), /plugin app: failed in app:start: port taken/)
    await kernel.stop()
    assert.deepEqual(steps, ['app:stop'])
  })

  it('does not hear app:stop when app:start was not told', async () => {
    const steps: string[] = []
    const plugin = named('app', {
      register: ({ on }) => on(appStop, () => steps.push('app:stop')),
      init: () => Promise.reject(new Error('no')),
    })
    await assert.rejects(kernelOf([plugin]).start())
    assert.deepEqual(steps, [])
  })

  it('is one that takes longer than its time', async () => {
    let signal: AbortSignal | undefined
    const slow = named('slow', {
      init: (context) => {
        signal = context.signal
        return new Promise(() => undefined)
      },
    })
    await assert.rejects(
      kernelOf([slow], { phaseTimeoutMs: 20 }).start(),
      /plugin slow: failed in init: took longer than 20 ms/,
    )
    assert.equal(signal?.aborted, true)
  })

  it('is not one that reports its progress for longer than its time', async () => {
    const limitMs = 500
    const long = named('long', {
      async boot({ reportProgress, signal }) {
        const until = performance.now() + 2 * limitMs
        while (performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          reportProgress()
        }
        assert.equal(signal.aborted, false)
      },
    })
    const kernel = kernelOf([long], { phaseTimeoutMs: limitMs })
    await kernel.start()
    await kernel.stop()
  })

  it('is one that breaks its promise to provide a service', async () => {
    await assert.rejects(
      kernelOf([named('silent', { provides: [greeting] })]).start(),
      /plugin silent: failed in init: did not provide greeting/,
    )
  })

  it('is one that provides what it did not promise', async () => {
    const plugin = named('pushy', { init: ({ provide }) => provide(greeting, { greet: () => '' }) })
    await assert.rejects(kernelOf([plugin]).start(), /pushy provides greeting without listing it in provides/)
  })

  it('closes what a phase that ran out of time opens late', async () => {
    const steps: string[] = []
    let openLate: (() => void) | undefined
    const slow = named('slow', {
      init: ({ onDispose }) =>
        new Promise(() => {
          openLate = () => onDispose(() => steps.push('closed'))
        }),
    })
    await assert.rejects(kernelOf([slow], { phaseTimeoutMs: 20 }).start())
    openLate?.()
    assert.deepEqual(steps, ['closed'])
  })
})

describe('a failing plugin that is not essential', () => {
  const isEssential = (plugin: Plugin) => plugin.name.startsWith('core')

  it('is switched off with those that need it, and leaves nothing behind', async () => {
    const { log, lines } = recordingLog()
    const failures: unknown[] = []
    let seen: readonly string[] = []
    const core = named('core', {
      points: [words],
      register: ({ on }) => on(pluginFailed, (failure) => failures.push(failure)),
      boot: ({ contributions }) => {
        seen = contributions(words)
      },
    })
    const broken = named('broken', {
      provides: [greeting],
      register: ({ contribute }) => contribute(words, 'of the broken one'),
      init: ({ provide }) => provide(greeting, { greet: () => '' }),
      boot: () => Promise.reject(new Error('no luck')),
    })
    const dependent = named('dependent', {
      uses: { greeting },
      register: ({ contribute }) => contribute(words, 'of the dependent one'),
    })
    const sound = named('sound', { register: ({ contribute }) => contribute(words, 'of the sound one') })
    const kernel = kernelOf([core, broken, dependent, sound], { log, isEssential })
    await kernel.start()
    assert.deepEqual(seen, ['of the sound one'])
    assert.deepEqual(failures, [
      { plugin: 'broken', reason: 'failed in boot: no luck' },
      { plugin: 'dependent', reason: 'needs broken, which failed in boot: no luck' },
    ])
    assert.throws(() => kernel.get(greeting))
    assert.deepEqual(
      kernel.plugins().map(({ name, active, reason }) => [name, active, reason]),
      [
        ['core', true, undefined],
        ['broken', false, 'failed in boot: no luck'],
        ['dependent', false, 'needs broken, which failed in boot: no luck'],
        ['sound', true, undefined],
      ],
    )
    assert.equal(lines[0]?.message, 'broken failed in boot: no luck; it is switched off')
    await kernel.stop()
  })

  it('stops the start all the same when an essential one needs it', async () => {
    const broken = named('broken', { provides: [greeting], init: () => Promise.reject(new Error('no')) })
    const core = named('core', { uses: { greeting } })
    await assert.rejects(
      kernelOf([broken, core], { isEssential }).start(),
      /plugin broken: failed in init: no/,
    )
  })

  it('is one that another plugin blames', async () => {
    const started: (readonly string[])[] = []
    let isFirst = true
    const core = named('core', {
      register: ({ on }) => on(pluginsStarted, ({ plugins }) => started.push(plugins)),
      boot() {
        if (isFirst) {
          isFirst = false
          throw new PluginFault('guest', new Error('what it gave is of no use'))
        }
      },
    })
    const kernel = kernelOf([core, named('guest'), named('other')], { isEssential })
    await kernel.start()
    const guest = kernel.plugins().find(({ name }) => name === 'guest')
    assert.equal(guest?.reason, 'failed in boot: what it gave is of no use')
    assert.deepEqual(started, [['core', 'other']])
    await kernel.stop()
  })

  it('cannot be one that is not there, or that the start needs', async () => {
    for (const name of ['nobody', 'core']) {
      const core = named('core', {
        boot() {
          throw new PluginFault(name, 'no use')
        },
      })
      const start = kernelOf([core], { isEssential }).start()
      await assert.rejects(start, new RegExp(`plugin ${name}: failed in boot: no use`))
    }
  })

  it('has a time limit of its own', async () => {
    const slow = named('slow', { init: () => new Promise(() => undefined) })
    const slowCore = named('core', { boot: () => new Promise((resolve) => setTimeout(resolve, 30)) })
    const kernel = kernelOf([slowCore, slow], { isEssential, guestPhaseTimeoutMs: 5 })
    await kernel.start()
    const reasons = kernel.plugins().map(({ reason }) => reason)
    assert.deepEqual(reasons, [undefined, 'failed in init: took longer than 5 ms'])
    await kernel.stop()
  })

  it('each of several is switched off', async () => {
    const fails = (name: string) => named(name, { init: () => Promise.reject(new Error('no')) })
    const kernel = kernelOf([fails('one'), named('core'), fails('two')], { isEssential })
    await kernel.start()
    assert.deepEqual(
      kernel
        .plugins()
        .filter(({ active }) => active)
        .map(({ name }) => name),
      ['core'],
    )
    await kernel.stop()
  })
})

describe('a stop during the start', () => {
  it('breaks the start off and undoes what was started', async () => {
    const steps: string[] = []
    let hangs: (() => void) | undefined
    const hanging = new Promise<void>((resolve) => {
      hangs = resolve
    })
    const slow = named('slow', {
      init: () => {
        hangs?.()
        return new Promise(() => undefined)
      },
    })
    const kernel = kernelOf([tracing('app', steps), slow], { isEssential: () => false })
    const started = kernel.start()
    await hanging
    await kernel.stop()
    await assert.rejects(started, /told to stop/)
    assert.deepEqual(steps, ['register app', 'init app', 'dispose app', 'destroy app'])
  })

  it('is not undone by a plugin that fails at the same moment', async () => {
    const kernel = kernelOf(
      [
        named('broken', {
          init({ onDispose }) {
            onDispose(() => void kernel.stop())
            throw new Error('no')
          },
        }),
      ],
      { isEssential: () => false },
    )
    await assert.rejects(kernel.start(), StartupError)
    assert.equal(kernel.plugins()[0]?.active, true)
  })
})
