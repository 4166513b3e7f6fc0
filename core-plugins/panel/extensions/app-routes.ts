import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  definePlugin,
  type InitContext,
  type Plugin,
  type ServicesOf,
  type ServiceToken,
  type ServiceTokens,
} from '../../../kernel/index.ts'
import { importFile } from '../../foundation/config/config.ts'
import { type Route, routes } from '../../foundation/http/http.ts'
import { type Loaded, standIn } from './load.ts'
import { mountPlugin } from './mount.ts'

/** Routes of the application that need services. */
export interface AppRoutes<Uses extends ServiceTokens> {
  readonly uses: Uses
  /** Called once at the start. */
  routes(context: InitContext<ServicesOf<Uses>>): readonly Route[]
}

/** Types the services. A file in the routes directory exports this, a route, or a list of routes as its default export. */
export function defineAppRoutes<Uses extends ServiceTokens>(definition: AppRoutes<Uses>): AppRoutes<Uses> {
  return definition
}

/** Application routes are below `/x/app`, so no plugin can have that name. */
export const appSpace = 'app'

/** A file of the routes directory. */
export interface RoutesFile {
  /** `routes/hello.ts`: its name in lists of plugins, which also switches it off. */
  readonly name: string
  readonly path: string
}

/** The scripts directly in the directory, in alphabetical order, without tests; subfolders may hold their imports. */
export function findRoutesFiles(directory: string): RoutesFile[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /^[^.].*(?<!\.d|\.test)\.(ts|js|mjs)$/.test(entry.name))
    .map(({ name }) => ({ name: `routes/${name}`, path: join(directory, name) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** Turns the file into a plugin, so that it fails alone. Never rejects. */
export async function loadRoutesFile(
  { name, path }: RoutesFile,
  { workingDirectory, listenerTimeoutMs }: { workingDirectory: string; listenerTimeoutMs: number },
): Promise<Loaded> {
  try {
    const plugin = pluginOf(name, (await importFile(path, workingDirectory)).default)
    return { plugin: mountPlugin(plugin, { space: appSpace, listenerTimeoutMs }) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { plugin: standIn(name), failure: `cannot be loaded: ${reason}` }
  }
}

function pluginOf(name: string, exported: unknown): Plugin {
  const { uses, make } = definitionIn(exported)
  return definePlugin({
    name,
    description: 'Routes of the application',
    uses,
    init(context) {
      for (const route of make(context as InitContext<never>)) context.contribute(routes, route)
    },
  })
}

function definitionIn(exported: unknown): {
  readonly uses: Readonly<Record<string, ServiceToken<unknown>>>
  make(context: InitContext<never>): readonly Route[]
} {
  if (Array.isArray(exported)) return { uses: {}, make: () => exported as Route[] }
  if (typeof exported !== 'object' || exported === null) {
    throw new Error('it has no default export; write `export default defineRoute({ … })`, or a list of them')
  }
  if (!('routes' in exported)) return { uses: {}, make: () => [exported as Route] }
  const definition = exported as AppRoutes<Readonly<Record<string, ServiceToken<unknown>>>>
  return { uses: definition.uses ?? {}, make: (context) => definition.routes(context) }
}
