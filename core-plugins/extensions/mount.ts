import {
  appStart,
  type HookToken,
  type InitContext,
  type Listener,
  type Ordered,
  type Plugin,
  type RegisterContext,
} from '../../kernel/index.ts'
import { type Config, configService, fileValues, settings } from '../config/config.ts'
import { adapterOf } from './adapt-contributions.ts'
import { type OwnConfig, pluginConfigChanged } from './plugin-config.ts'
import { createErrorReport, type ErrorReport, reportedCall, reportedWithin } from './report-errors.ts'

/** What belongs to a plugin: its routes lie under `/x/<space>`, and what it adds has names that begin with it. */
export interface Mounting {
  readonly space: string
  readonly config?: OwnConfig
  /** How long whoever tells a hook waits for one of its listeners. */
  readonly listenerTimeoutMs: number
}

/** Under which name the adapter gets the service that the plugin may not have asked for. */
const adapterConfig = 'config of the adapter'

/**
 * The plugin as it is, but that its routes lie under `/x/<space>`, that it cannot take the names of what is not its
 * own, that its `configSchema` is part of the settings, and that errors of its parts are told under its name.
 */
export function mountPlugin(plugin: Plugin, mounting: Mounting): Plugin {
  const { config } = mounting
  return {
    ...plugin,
    usesIfPresent: { ...plugin.usesIfPresent, [adapterConfig]: configService },
    register(context) {
      for (const setting of config?.settings.values() ?? []) context.contribute(settings, setting)
      for (const value of config?.fileValues ?? []) context.contribute(fileValues, value)
      plugin.register?.(mounted(plugin.name, mounting, context))
    },
    init({ services: { [adapterConfig]: present, ...services }, ...context }) {
      if (present && config) follow(plugin.name, config, present as Config, context)
      return plugin.init?.({ ...mounted(plugin.name, mounting, context), services })
    },
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
  { space, listenerTimeoutMs }: Mounting,
  context: Context,
): Context {
  const report = createErrorReport(context)
  const adapt = adapterOf({ plugin, space, report })
  const telling = { plugin, report, limitMs: listenerTimeoutMs }
  return {
    ...context,
    contribute: (point, value, options) => context.contribute(point, adapt(point, value), options),
    on: <Payload>(token: HookToken<Payload>, listener: Listener<Payload>, options?: Ordered) =>
      context.on(token, adaptListener(token, listener, telling), options),
  }
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
  // What it throws there is a failed start, which the kernel tells.
  if ((token as HookToken<unknown>) === appStart) return listener
  const where = `a listener of ${token.id}`
  const call = reportedWithin({ where, limitMs, report }, reportedCall(where, listener, report))
  if ((token as HookToken<unknown>) !== pluginConfigChanged) return call
  return (payload) => ((payload as { plugin: string }).plugin === plugin ? call(payload) : undefined)
}
