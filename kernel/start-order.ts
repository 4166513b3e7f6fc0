import { ownedBy, ownerAmong } from './declarations.ts'
import { nearest } from './nearest.ts'
import type { Plugin } from './plugin.ts'
import type { StartupProblem } from './startup-error.ts'
import { describeMisfit, fits, type Token, withArticle } from './token.ts'

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
  /** Every duplicate name or token, every service that is missing, disabled or of another version, and every cycle. */
  readonly problems: readonly OrderProblem[]
}

/** The start order; valid only if there are no problems. */
export function startOrder(plugins: readonly Plugin[], disabled: Disabled): StartOrder {
  const enabled = plugins.filter((plugin) => !disabled.has(plugin.name))
  const providers = providersOf(enabled)
  const problems: OrderProblem[] = [
    ...doubledNames(plugins),
    ...doubledTokens(enabled),
    ...enabled.flatMap((plugin) => missingServices(plugin, providers, { plugins, disabled })),
    ...enabled.flatMap((plugin) => misfitServices(plugin, providers)),
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
      if (required(plugin).some((token) => dependents.has(providers.get(token.id)?.plugin.name ?? ''))) {
        dependents.add(plugin.name)
      }
    }
  }
  dependents.delete(name)
  return dependents
}

/** Who provides each service, by its id. */
type Providers = ReadonlyMap<string, Owner>

interface Owner {
  readonly plugin: Plugin
  readonly token: Token
}

function required(plugin: Plugin): Token[] {
  return Object.values(plugin.uses ?? {}) as Token[]
}

function wanted(plugin: Plugin): Token[] {
  return [...required(plugin), ...(Object.values(plugin.usesIfPresent ?? {}) as Token[])]
}

function providersOf(plugins: readonly Plugin[]): Providers {
  return new Map(
    plugins.flatMap((plugin) => (plugin.provides ?? []).map((token) => [token.id, { plugin, token }])),
  )
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

/** Each thing has one owner, and stands for one thing: only the owner of a point may name a service alike. */
function doubledTokens(plugins: readonly Plugin[]): OrderProblem[] {
  const owners = plugins.flatMap((plugin) =>
    [...(plugin.provides ?? []), ...ownedBy(plugin)].map((token): Owner => ({ plugin, token })),
  )
  const last = new Map(owners.map((owner) => [owner.token.id, owner]))
  return owners.flatMap(({ plugin, token }) => {
    const other = last.get(token.id)
    if (other === undefined || other.plugin === plugin) return []
    const isSame = other.token.kind === token.kind
    const does = token.kind === 'service' ? 'provides' : 'has'
    return [
      {
        subject: `plugin ${plugin.name}`,
        message: isSame
          ? `${does} the ${token.kind} ${token.id}, which ${other.plugin.name} ${does} too`
          : `${does} the ${token.kind} ${token.id}, which is ${withArticle(other.token.kind)} of ${other.plugin.name}`,
        remedy: isSame ? 'switch one of them off' : 'rename one of them, or switch one of the plugins off',
        culprits: [plugin, other.plugin],
      },
    ]
  })
}

interface Installed {
  readonly plugins: readonly Plugin[]
  readonly disabled: Disabled
}

function missingServices(
  plugin: Plugin,
  providers: Providers,
  { plugins, disabled }: Installed,
): OrderProblem[] {
  const installed = providersOf(plugins)
  return required(plugin)
    .filter(({ id }) => !providers.has(id))
    .map(({ id }) => {
      const off = installed.get(id)?.plugin
      if (off !== undefined) {
        return {
          subject: `plugin ${off.name}`,
          message: `is switched off, but ${plugin.name} needs its service ${id}`,
          remedy: `switch ${off.name} on, or ${plugin.name} off`,
          culprits: [],
        }
      }
      const meant = nearest(id, installed.keys())
      return {
        subject: `plugin ${plugin.name}`,
        message: `uses the service ${id}, which no plugin provides`,
        remedy: meant === undefined ? remedyFor(id, plugins, disabled) : `did you mean ${meant}?`,
        culprits: [plugin],
      }
    })
}

/** Names all plugins that are off, since those are not loaded and what they provide is unknown. */
function remedyFor(id: string, plugins: readonly Plugin[], disabled: Disabled): string {
  const loaded = new Set(plugins.filter(isLoaded).map(({ name }) => name))
  const off = [...disabled.keys()].filter((name) => !loaded.has(name))
  const owner = ownerAmong(off, { kind: 'service', id: id.includes(':') ? id : `${id}:` })
  if (owner !== undefined) return `switch on ${owner}, which is off: ${disabled.get(owner)}`
  const remedy = 'install a plugin that provides it'
  return off.length === 0 ? remedy : `${remedy}, or switch on the one that does; off: ${off.join(', ')}`
}

/** Plugins that were not loaded are in the list with only a name and a description. */
const isLoaded = ({ register, init, boot, provides }: Plugin) =>
  [register, init, boot, provides].some((member) => member !== undefined)

function misfitServices(plugin: Plugin, providers: Providers): OrderProblem[] {
  return wanted(plugin).flatMap((token) => {
    const owner = providers.get(token.id)
    if (owner === undefined || fits(token, owner.token)) return []
    const misfit = describeMisfit(
      { plugin: plugin.name, token },
      { plugin: owner.plugin.name, token: owner.token },
    )
    return [{ subject: `plugin ${plugin.name}`, ...misfit, culprits: [plugin] }]
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
      const provider = providers.get(token.id)?.plugin
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
