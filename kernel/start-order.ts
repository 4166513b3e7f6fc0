import type { Plugin } from './plugin.ts'
import type { ServiceToken } from './service.ts'
import type { StartupProblem } from './startup-error.ts'

/** Disabled plugins, each with the reason. */
export type Disabled = ReadonlyMap<string, string>

/** A reason why plugins cannot start together. */
export interface OrderProblem extends StartupProblem {
  /** Leaving out any one of these lets the others start; empty if someone has to decide which. */
  readonly culprits: readonly Plugin[]
}

export interface StartOrder {
  /** The enabled plugins, each after those whose services it uses; the given order otherwise. */
  readonly plugins: readonly Plugin[]
  /** Every duplicate name, missing or disabled service, and cycle. */
  readonly problems: readonly OrderProblem[]
}

/** The start order; valid only if there are no problems. */
export function startOrder(plugins: readonly Plugin[], disabled: Disabled): StartOrder {
  const enabled = plugins.filter((plugin) => !disabled.has(plugin.name))
  const providers = providersOf(enabled)
  const problems: OrderProblem[] = [
    ...doubledNames(plugins),
    ...doubledServices(enabled),
    ...enabled.flatMap((plugin) => missingServices(plugin, providers, providersOf(plugins))),
  ]
  return { plugins: sortByUse(enabled, providers, problems), problems }
}

/** The names of the plugins that cannot run without `name`, directly or indirectly. */
export function dependentsOf(name: string, plugins: readonly Plugin[]): Set<string> {
  const providers = providersOf(plugins)
  const dependents = new Set([name])
  let size = 0
  while (size !== dependents.size) {
    size = dependents.size
    for (const plugin of plugins) {
      if (required(plugin).some((token) => dependents.has(providers.get(token)?.name ?? ''))) {
        dependents.add(plugin.name)
      }
    }
  }
  dependents.delete(name)
  return dependents
}

type Providers = Map<ServiceToken<unknown>, Plugin>

function required(plugin: Plugin): ServiceToken<unknown>[] {
  return Object.values(plugin.uses ?? {}) as ServiceToken<unknown>[]
}

function wanted(plugin: Plugin): ServiceToken<unknown>[] {
  return [...required(plugin), ...(Object.values(plugin.usesIfPresent ?? {}) as ServiceToken<unknown>[])]
}

function providersOf(plugins: readonly Plugin[]): Providers {
  return new Map(plugins.flatMap((plugin) => (plugin.provides ?? []).map((token) => [token, plugin])))
}

function doubledNames(plugins: readonly Plugin[]): OrderProblem[] {
  const names = plugins.map((plugin) => plugin.name)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map((name) => ({
    subject: `plugin ${name}`,
    message: 'two plugins have this name',
    remedy: 'rename or remove one of them',
    culprits: [],
  }))
}

function doubledServices(plugins: readonly Plugin[]): OrderProblem[] {
  const providers = providersOf(plugins)
  return plugins.flatMap((plugin) =>
    (plugin.provides ?? []).flatMap((token) => {
      const other = providers.get(token)
      if (other === undefined || other === plugin) return []
      const message = `provides the service ${token.id}, which ${other.name} provides too`
      const remedy = 'switch one of them off'
      return [{ subject: `plugin ${plugin.name}`, message, remedy, culprits: [plugin, other] }]
    }),
  )
}

function missingServices(plugin: Plugin, providers: Providers, installed: Providers): OrderProblem[] {
  return required(plugin)
    .filter((token) => !providers.has(token))
    .map((token) => {
      const off = installed.get(token)
      return off === undefined
        ? {
            subject: `plugin ${plugin.name}`,
            message: `uses the service ${token.id}, which no plugin provides`,
            remedy: 'install a plugin that provides it',
            culprits: [plugin],
          }
        : {
            subject: `plugin ${off.name}`,
            message: `is switched off, but ${plugin.name} needs its service ${token.id}`,
            remedy: `switch ${off.name} on, or ${plugin.name} off`,
            culprits: [],
          }
    })
}

function sortByUse(plugins: readonly Plugin[], providers: Providers, problems: OrderProblem[]): Plugin[] {
  const sorted = new Set<Plugin>()
  const path: Plugin[] = []
  const visit = (plugin: Plugin) => {
    if (sorted.has(plugin)) return
    if (path.includes(plugin)) {
      problems.push(describeCycle([...path.slice(path.indexOf(plugin)), plugin]))
      return
    }
    path.push(plugin)
    for (const token of wanted(plugin)) {
      const provider = providers.get(token)
      if (provider !== undefined) visit(provider)
    }
    path.pop()
    sorted.add(plugin)
  }
  plugins.forEach(visit)
  return [...sorted]
}

function describeCycle(cycle: readonly Plugin[]): OrderProblem {
  return {
    subject: `plugin ${cycle[0]?.name}`,
    message: `uses itself in a circle: ${cycle.map((plugin) => plugin.name).join(' → ')}`,
    remedy: 'move what both need into a plugin of its own',
    culprits: cycle,
  }
}
