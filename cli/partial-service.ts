import { unsyncedDatabasePlugin } from '../core-plugins/database/plugin.ts'
import { fieldTypes, schemaFolders, typeExtensions } from '../core-plugins/schemas/schemas.ts'
import { createKernel, definePlugin, type Kernel, type Plugin } from '../kernel/index.ts'
import { assemble, type ServiceOptions } from '../service.ts'

const schemaReaders = ['config', 'log', 'schemas']

const schemaPoints = new Set<unknown>([fieldTypes, schemaFolders, typeExtensions])

/** Starts only what reads the schema files, with those of all plugins: no database, no listening port. */
export async function startSchemas(project: ServiceOptions): Promise<Kernel> {
  const options = await assemble(project)
  const isReader = (name: string) => schemaReaders.includes(name)
  const plugins = options.plugins.map((plugin) => (isReader(plugin.name) ? plugin : schemasOnly(plugin)))
  const disabled = new Map([...(options.disabled ?? [])].filter(([name]) => !isReader(name)))
  const kernel = createKernel({ ...options, plugins, disabled })
  await kernel.start()
  return kernel
}

function schemasOnly(plugin: Plugin): Plugin {
  return {
    ...declaringOnly(plugin),
    register: (context) =>
      plugin.register?.({
        ...context,
        contribute: (point, value) => {
          if (schemaPoints.has(point)) context.contribute(point, value)
        },
        on: () => undefined,
      }),
  }
}

const besideOthers = ['config', 'log', 'schemas', 'runtime-config', 'audit', 'auth']

/**
 * Starts what is needed to work with accounts, alongside a running service or without one. Uses the settings
 * stored in the database and leaves its tables as they are. Opens no port and runs no jobs.
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

/** What all active plugins declare in `register`; none of them is started. `read` receives it. */
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
