import {
  appStart,
  type ExtensionPoint,
  type HookToken,
  type InitContext,
  type Listener,
  type Ordered,
  type Plugin,
  PluginFault,
  type RegisterContext,
  type Stage,
} from '../../kernel/index.ts'
import {
  type Config,
  configService,
  fileValues,
  isAllowed,
  type Setting,
  settings,
} from '../config/config.ts'
import { contentReadMiddleware, contentWriteMiddleware } from '../content/content.ts'
import { type TableSpec, tables } from '../database/database.ts'
import { adminMiddleware, type GuardRequest, type Policy, policies, routes } from '../http/http.ts'
import { mountRoute } from './mount-route.ts'
import { type PanelItem, panelItemProblems, panelItems } from './panel-items.ts'
import { type OwnConfig, pluginConfigChanged } from './plugin-config.ts'
import { createErrorReport, type ErrorReport, reported, reportedCall } from './report-errors.ts'
import { type SystemStage, systemMiddleware } from './system-middleware.ts'

/** What belongs to a plugin: its routes lie under `/x/<space>`, and what it adds has names that begin with it. */
export interface Mounting {
  readonly space: string
  readonly config?: OwnConfig
}

/** Under which name the adapter gets the service that the plugin may not have asked for. */
const adapterConfig = 'config of the adapter'

/**
 * The plugin as it is, but that its routes lie under `/x/<space>`, that it cannot take the names of what is not its
 * own, that its `configSchema` is part of the settings, and that errors of its parts are told under its name.
 */
export function mountPlugin(plugin: Plugin, { space, config }: Mounting): Plugin {
  return {
    ...plugin,
    usesIfPresent: { ...plugin.usesIfPresent, [adapterConfig]: configService },
    register(context) {
      for (const setting of config?.settings.values() ?? []) context.contribute(settings, setting)
      for (const value of config?.fileValues ?? []) context.contribute(fileValues, value)
      plugin.register?.(mounted(plugin.name, space, context))
    },
    init({ services: { [adapterConfig]: present, ...services }, ...context }) {
      if (present && config) follow(plugin.name, config, present as Config, context)
      return plugin.init?.({ ...mounted(plugin.name, space, context), services })
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

function mounted<Context extends RegisterContext>(plugin: string, space: string, context: Context): Context {
  const report = createErrorReport(context)
  const adapt = adapterOf({ plugin, space, report })
  return {
    ...context,
    contribute: (point, value, options) => context.contribute(point, adapt(point, value), options),
    on: <Payload>(token: HookToken<Payload>, listener: Listener<Payload>, options?: Ordered) =>
      context.on(token, adaptListener(plugin, token, listener, report), options),
  }
}

function adaptListener<Payload>(
  plugin: string,
  token: HookToken<Payload>,
  listener: Listener<Payload>,
  report: ErrorReport,
): Listener<Payload> {
  // What it throws there is a failed start, which the kernel tells.
  if ((token as HookToken<unknown>) === appStart) return listener
  const call = reportedCall(`a listener of ${token.id}`, listener, report)
  if ((token as HookToken<unknown>) !== pluginConfigChanged) return call
  return (payload) => ((payload as { plugin: string }).plugin === plugin ? call(payload) : undefined)
}

interface Adapted {
  readonly plugin: string
  readonly space: string
  readonly report: ErrorReport
}

type Adapt = <T>(point: ExtensionPoint<T>, value: T) => T

/** Judges and adapts what a plugin contributes. */
function adapterOf(adapted: Adapted): Adapt {
  const { plugin, space, report } = adapted
  const adapters = new Map([
    adapter(routes, (route) => mountRoute({ plugin, space, route, report })),
    adapter(tables, (table) => checkTable(space, table)),
    adapter(settings, (setting) => checkSetting(space, setting)),
    adapter(policies, (policy) => adaptPolicy(adapted, policy)),
    adapter(adminMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(contentReadMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(contentWriteMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(panelItems, (item) => mountPanelItem(adapted, item)),
    adapter(systemMiddleware, (stage) => blamedStage(plugin, adaptStage(adapted, stage))),
  ])
  return <T>(point: ExtensionPoint<T>, value: T) => {
    const adapt = adapters.get(point as ExtensionPoint<unknown>)
    return adapt === undefined ? value : (adapt(value) as T)
  }
}

function adapter<T>(point: ExtensionPoint<T>, adapt: (value: T) => T) {
  return [point as ExtensionPoint<unknown>, adapt as (value: unknown) => unknown] as const
}

function adaptPolicy({ space, report }: Adapted, policy: Policy): Policy {
  const { name } = policy
  if (!name.startsWith(`${space}.`)) throw new Error(`the policy ${name} must be named ${space}.<check>`)
  const check = reportedCall(`the policy ${name}`, (request: GuardRequest) => policy.check(request), report)
  return { name, check }
}

function adaptStage<Target, Context, Result>(
  { plugin, report }: Adapted,
  stage: Stage<Target, Context, Result>,
): Stage<Target, Context, Result> {
  const { name, order, matches, run } = stage
  if (typeof name !== 'string' || typeof matches !== 'function' || typeof run !== 'function') {
    throw new Error(`the middleware ${String(name)} must have name, matches and run`)
  }
  if (order !== undefined && !Number.isFinite(order)) throw new Error(`the order of ${name} must be a number`)
  return reported(plugin, stage, report)
}

/** At the start nobody but the kernel hears what is thrown, and it has to know whose it is. */
function blamedStage(plugin: string, stage: SystemStage): SystemStage {
  return {
    ...stage,
    async run(event, next) {
      try {
        await stage.run(event, next)
      } catch (error) {
        throw error instanceof PluginFault ? error : new PluginFault(plugin, error)
      }
    },
  }
}

function mountPanelItem({ plugin, space }: Adapted, item: PanelItem): PanelItem {
  const isOwn = String(item.id).startsWith(`${space}:`)
  const problems = [...(isOwn ? [] : [`must be named ${space}:<what>`]), ...panelItemProblems(item)]
  if (problems.length > 0) throw new Error(`the panel item ${item.id} ${problems.join(', ')}`)
  return { ...item, owner: plugin }
}

function checkTable(space: string, table: TableSpec): TableSpec {
  const prefix = `x_${space.replaceAll('-', '_')}_`
  if (!table.name.startsWith(prefix)) {
    throw new Error(`the table ${table.name} must be named ${prefix}<plural>`)
  }
  return table
}

function checkSetting(space: string, setting: Setting<unknown>): Setting<unknown> {
  const prefix = `${space.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}.`
  if (!setting.key.startsWith(prefix)) {
    throw new Error(`the setting ${setting.key} must be named ${prefix}<what>`)
  }
  if (!isAllowed(setting, setting.default)) throw new Error(`the default of ${setting.key} is not allowed`)
  return setting
}
