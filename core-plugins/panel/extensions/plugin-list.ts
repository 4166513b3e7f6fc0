import { Type } from 'typebox'
import type { ContributionOf, Plugin } from '../../../kernel/index.ts'
import serviceManifest from '../../../package.json' with { type: 'json' }
import type { Setting } from '../../foundation/config/config.ts'
import { defineRoute, orNull, type Route, strict } from '../../foundation/http/http.ts'
import type { PanelItem } from './panel-items.ts'

export interface PluginListParts {
  readonly core: readonly Plugin[]
  /** Includes placeholders for plugins that could not be loaded. */
  readonly thirdParty: readonly Plugin[]
  readonly switchedOff: ReadonlyMap<string, string>
  readonly routes: () => readonly ContributionOf<Route>[]
  readonly settings: () => readonly ContributionOf<Setting<unknown>>[]
  readonly items: () => readonly ContributionOf<PanelItem>[]
}

const names = Type.Array(Type.String())
/** A plugin of the service. */
export const pluginSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    version: orNull(Type.String(), { description: 'Null where the plugin has none' }),
    core: Type.Boolean({ description: 'A part of Mortise' }),
    active: Type.Boolean(),
    reason: orNull(Type.String(), { description: 'Why it is off' }),
    contributes: Type.Object({ routes: names, settings: names, panelItems: names }, strict),
  },
  strict,
)

/** See docs/admin-api.md. */
export function pluginListRoute(parts: PluginListParts): Route {
  return defineRoute({
    name: 'admin:plugins.list',
    method: 'GET',
    path: '/admin/plugins',
    tag: 'Panel',
    summary: 'The plugins: on or off, and why, and what they contribute',
    access: 'area',
    scope: 'admin:*',
    response: Type.Array(pluginSchema),
    handler: () => [
      ...parts.core.map((plugin) => shown(plugin, serviceManifest.version, true, parts)),
      ...parts.thirdParty.map((plugin) => shown(plugin, versionOf(plugin), false, parts)),
    ],
  })
}

function shown(
  { name, description }: Plugin,
  version: string | null,
  core: boolean,
  { switchedOff, routes, settings, items }: PluginListParts,
) {
  const reason = switchedOff.get(name)
  const own = <T>(contributions: readonly ContributionOf<T>[]) =>
    contributions.filter(({ plugin }) => plugin === name).map(({ value }) => value)
  return {
    ...{ name, description, version, core },
    active: reason === undefined,
    reason: reason ?? null,
    contributes: {
      routes: own(routes()).map(({ method, path }) => `${method} ${path}`),
      settings: own(settings()).map(({ key }) => key),
      panelItems: own(items()).map(({ id }) => id),
    },
  }
}

/** The version, if a third-party plugin exports one: exports besides a plugin's members are kept. */
function versionOf(plugin: Plugin & { readonly version?: unknown }): string | null {
  return typeof plugin.version === 'string' ? plugin.version : null
}
