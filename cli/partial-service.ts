import { unsyncedDatabasePlugin } from '../core-plugins/database/plugin.ts'
import { createKernel, definePlugin, type Kernel, type Plugin } from '../kernel/index.ts'
import { assemble, type ServiceOptions } from '../service.ts'

/** Starts only the plugins with these names: no database is opened, and nothing listens. */
export async function startOnly(names: readonly string[], project: ServiceOptions): Promise<Kernel> {
  const options = await assemble(project)
  const plugins = options.plugins.filter(({ name }) => names.includes(name))
  const kernel = createKernel({ ...options, plugins, disabled: new Map() })
  await kernel.start()
  return kernel
}

const besideOthers = ['config', 'log', 'schemas', 'runtime-config', 'audit', 'auth']

/**
 * Starts what it takes to work with accounts, beside a service that runs or without one: the database as it is, whose
 * tables stay as they are, with the settings that it holds. Nothing listens, and no job is run.
 */
export async function startAccounts(project: ServiceOptions): Promise<Kernel> {
  const options = await assemble(project)
  const plugins = options.plugins.map((plugin) => {
    if (plugin.name === unsyncedDatabasePlugin.name) return unsyncedDatabasePlugin
    return besideOthers.includes(plugin.name) ? plugin : declaringOnly(plugin)
  })
  const kernel = createKernel({ ...options, plugins })
  await kernel.start()
  return kernel
}

/** What all active plugins declare in `register`, with nothing of them running; `read` sees it. */
export async function readDeclarations(project: ServiceOptions, read: NonNullable<Plugin['boot']>) {
  const options = await assemble(project)
  const declaring = options.plugins.map(declaringOnly)
  const reader = definePlugin({ name: 'declarations-reader', description: 'Reads declarations', boot: read })
  const kernel = createKernel({ ...options, plugins: [...declaring, reader] })
  await kernel.start()
  await kernel.stop()
}

function declaringOnly({ name, description, register }: Plugin): Plugin {
  return { name, description, ...(register === undefined ? {} : { register }) }
}
