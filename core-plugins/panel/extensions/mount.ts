import {
  appStart,
  type HookToken,
  type InitContext,
  type Listener,
  type Placement,
  type Plugin,
  type RegisterContext,
  runAsPlugin,
} from '../../../kernel/index.ts'
import { type Config, configService, fileValues, settings } from '../../foundation/config/config.ts'
import { adapterOf } from './adapt-contributions.ts'
import { adaptServices } from './adapt-services.ts'
import { type OwnConfig, pluginConfigChanged } from './plugin-config.ts'
import { createErrorReport, type ErrorReport, reportedCall, reportedWithin } from './report-errors.ts'

/** The plugin's namespace: its routes are below `/x/<space>`, and the names of what it adds begin with it. */
export interface Mounting {
  readonly space: string
  /** The plugin's own file, relative to which it names others; undefined for one that was given as a value. */
  readonly file?: string | undefined
  readonly config?: OwnConfig
  /** How long an emitter waits for one of its listeners. */
  readonly listenerTimeoutMs: number
}

/** The name under which the adapter requests the config service, which the plugin itself may not use. */
const adapterConfig = 'config of the adapter'

/**
 * Wraps a plugin: its routes are below `/x/<space>`, it cannot take names outside its namespace, its
 * `configSchema` is part of the settings, and errors of its parts are reported under its name.
 */
export function mountPlugin(plugin: Plugin, mounting: Mounting): Plugin {
  const { config } = mounting
  const asItself = <T>(task: () => T) => runAsPlugin(plugin.name, task)
  return {
    ...plugin,
    usesIfPresent: { ...plugin.usesIfPresent, [adapterConfig]: configService },
    register(context) {
      for (const setting of config?.settings.values() ?? []) context.contribute(settings, setting)
      for (const value of config?.fileValues ?? []) context.contribute(fileValues, value)
      // May be asynchronous: the kernel waits for it.
      return asItself(() => plugin.register?.(mounted(plugin.name, mounting, context)))
    },
    init({ services: { [adapterConfig]: present, ...services }, ...context }) {
      if (present && config) follow(plugin.name, config, present as Config, context)
      const own = adaptServices(plugin, mounting.space, services)
      return asItself(() => plugin.init?.({ ...mounted(plugin.name, mounting, context), services: own }))
    },
    ...(plugin.boot && {
      boot({ services: { [adapterConfig]: _, ...services }, ...context }) {
        const own = adaptServices(plugin, mounting.space, services)
        return asItself(() => plugin.boot?.({ ...context, services: own }))
      },
    }),
    ...(plugin.destroy && { destroy: (context) => asItself(() => plugin.destroy?.(context)) }),
  }
}

type FollowContext = Pick<InitContext<unknown>, 'emit' | 'onDispose'>

function follow(plugin: string, config: OwnConfig, present: Config, { emit, onDispose }: FollowContext) {
  config.follow(present)
  for (const [key, setting] of config.settings) {
    onDispose(present.onChange(setting, (value) => void emit(pluginConfigChanged, { plugin, key, value })))
  }
}

function mounted<Context extends RegisterContext>(
  plugin: string,
  { space, file, listenerTimeoutMs }: Mounting,
  context: Context,
): Context {
  const report = createErrorReport(context)
  // Separate, so that a flood of browser errors does not suppress errors on the server.
  const reportOfBrowsers = createErrorReport(context)
  const adapt = adapterOf({ plugin, space, file, report, reportOfBrowsers })
  const telling = { plugin, report, limitMs: listenerTimeoutMs }
  return {
    ...context,
    contribute: (point, value, placement) =>
      context.contribute(point, adapt(point, value), checkPlacement(placement)),
    on: <Payload>(token: HookToken<Payload>, listener: Listener<Payload>, placement?: Placement) =>
      context.on(token, adaptListener(token, listener, telling), checkPlacement(placement)),
  }
}

/** @throws Error for a placement that would fail later, when contributions are sorted and its plugin is no longer known */
function checkPlacement(placement: Placement = {}): Placement {
  if (typeof placement !== 'object' || placement === null) throw new Error('a placement must be an object')
  const { step, before = [], after = [] } = placement
  if (step !== undefined && typeof step !== 'string')
    throw new Error('the step of a placement must be a string')
  if (!Array.isArray(before) || !Array.isArray(after)) {
    throw new Error('before and after of a placement must be lists of names')
  }
  return placement
}

interface Telling {
  readonly plugin: string
  readonly report: ErrorReport
  readonly limitMs: number
}

function adaptListener<Payload>(
  token: HookToken<Payload>,
  listener: Listener<Payload>,
  { plugin, report, limitMs }: Telling,
): Listener<Payload> {
  // An error in this listener is a failed start, which the kernel reports.
  if (token.id === appStart.id) return (payload) => runAsPlugin(plugin, () => listener(payload))
  const where = `a listener of ${token.id}`
  const call = reportedWithin({ where, limitMs, report }, reportedCall(where, listener, report))
  if (token.id !== pluginConfigChanged.id) return call
  return (payload) => ((payload as { plugin: string }).plugin === plugin ? call(payload) : undefined)
}
