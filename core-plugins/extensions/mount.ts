import type { ExtensionPoint, Plugin, RegisterContext } from '../../kernel/index.ts'
import { type TableSpec, tables } from '../database/database.ts'
import { type Route, routes } from '../http/http.ts'

/**
 * The plugin as it is, but that its routes lie under `/x/<plugin>` and that it cannot take the names of
 * routes and tables that are not its own.
 */
export function mountPlugin(plugin: Plugin): Plugin {
  return {
    ...plugin,
    register: (context) => plugin.register?.(mounted(plugin.name, context)),
    init: (context) => plugin.init?.(mounted(plugin.name, context)),
  }
}

function mounted<Context extends RegisterContext>(plugin: string, context: Context): Context {
  return {
    ...context,
    contribute: (point, value, options) =>
      context.contribute(point, mountValue(plugin, point, value), options),
  }
}

function mountValue<T>(plugin: string, point: ExtensionPoint<T>, value: T): T {
  if ((point as ExtensionPoint<unknown>) === routes) return mountRoute(plugin, value as Route) as T
  if ((point as ExtensionPoint<unknown>) === tables) checkTable(plugin, value as TableSpec)
  return value
}

function mountRoute(plugin: string, route: Route): Route {
  // Admin middleware guards routes by name, so a plugin may not slip in under another one's.
  if (!route.name.startsWith(`${plugin}:`)) {
    throw new Error(`the route ${route.name} must be named ${plugin}:<resource>.<verb>`)
  }
  return { ...route, path: `/x/${plugin}${route.path === '/' ? '' : route.path}` }
}

function checkTable(plugin: string, table: TableSpec) {
  const prefix = `x_${plugin.replaceAll('-', '_')}_`
  if (!table.name.startsWith(prefix))
    throw new Error(`the table ${table.name} must be named ${prefix}<plural>`)
}
