import { randomBytes } from 'node:crypto'
import { entryColumns } from '../core-plugins/entries/content/content.ts'
import { unsyncedDatabasePlugin } from '../core-plugins/foundation/database/plugin.ts'
import { fieldTypes, schemaFolders, typeExtensions } from '../core-plugins/foundation/schemas/schemas.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import {
  appStart,
  createKernel,
  definePlugin,
  type Kernel,
  type Plugin,
  pluginsStarted,
  type RegisterContext,
  StartupError,
} from '../kernel/index.ts'
import { assemble, type ServiceOptions } from '../service.ts'

/*
 * What starts for which command. Nothing here listens on a port; only `jobs:run` runs jobs.
 *
 * | Started | Database | For |
 * |---|---|---|
 * | readDeclarations | none | what plugins declare: settings, commands |
 * | startSettings | none | doctor |
 * | startSchemas | none | the schema files: types, schema-files |
 * | startInMemory | an empty one in memory | what plugins contribute once they are initialised: openapi, graphql-schema, pipeline |
 * | startAccounts | the project's | admin |
 * | startUnbooted | the project's, which may be empty | database, doctor |
 * | startServices | the project's | backup, doctor, commands of plugins |
 * | startThrowaway | one that is thrown away | import --dry-run |
 */

const schemaReaders = ['config', 'log', 'schemas']

const schemaPoints = new Set(
  [fieldTypes, schemaFolders, typeExtensions, entryColumns].map(({ id }: { readonly id: string }) => id),
)

/**
 * Starts only what reads the schema files, with those of all plugins: no database, no listening port. `read` receives what
 * plugins add to types.
 */
export async function startSchemas(
  project: ServiceOptions,
  read?: NonNullable<Plugin['boot']>,
): Promise<Kernel> {
  const options = await assemble(project)
  const isReader = (name: string) => schemaReaders.includes(name)
  const plugins = options.plugins.map((plugin) => (isReader(plugin.name) ? plugin : schemasOnly(plugin)))
  const disabled = new Map([...(options.disabled ?? [])].filter(([name]) => !isReader(name)))
  const reader = read === undefined ? [] : [readerOf(read)]
  const kernel = createKernel({ ...options, plugins: [...plugins, ...reader], disabled })
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
          if (schemaPoints.has(point.id)) context.contribute(point, value)
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
  return started(createKernel({ ...options, plugins }))
}

/**
 * What all active plugins declare in `register`; none of them is started. `read` receives it. Returns which
 * plugins are on.
 */
export async function readDeclarations(project: ServiceOptions, read: NonNullable<Plugin['boot']>) {
  const options = await assemble(project)
  const declaring = options.plugins.map(declaringOnly)
  const kernel = createKernel({ ...options, plugins: [...declaring, readerOf(read)] })
  await kernel.start()
  await kernel.stop()
  return kernel.plugins()
}

/** The settings of the environment and the config file, checked; nothing else starts. */
export async function startSettings(project: ServiceOptions): Promise<Kernel> {
  const options = await assemble(project)
  const plugins = options.plugins.map((plugin) => (plugin.name === 'config' ? plugin : declaringOnly(plugin)))
  const kernel = createKernel({ ...options, plugins })
  await kernel.start()
  return kernel
}

/** Steps of the start without which services do not work: each `<plugin>:<step>`. */
const servingSteps = ['auth:load', 'webhooks:load', 'media:open', 'backups:open']

/**
 * Starts the services of all plugins, alongside a running service or without one. Leaves the tables as they
 * are. Runs no jobs: those that a command enqueues are run by the service.
 * @throws CommandError if the database has no tables yet
 */
export async function startServices(
  project: ServiceOptions,
  changes: { readonly steps?: readonly string[]; readonly replaced?: readonly Plugin[] } = {},
): Promise<Kernel> {
  const { steps = [], replaced = [] } = changes
  const told = [...servingSteps, ...steps]
  return started(
    await quietKernel(project, { told, replaced: [unsyncedDatabasePlugin, ...replaced], boots: () => true }),
  )
}

/**
 * The same over a database that is thrown away: the listeners of the project's plugins hear of nothing that happens in it,
 * because what they do may reach further than the database.
 */
export async function startThrowaway(project: ServiceOptions): Promise<Kernel> {
  const told = [...servingSteps, 'search:prepare']
  const quiet = { told, replaced: [unsyncedDatabasePlugin], boots: () => true, isApart: true }
  return started(await quietKernel(project, quiet))
}

/**
 * Initialises all plugins and boots none but the database, so that the tables may be missing: contributions
 * are complete, and most services do not work.
 */
export async function startUnbooted(project: ServiceOptions): Promise<Kernel> {
  const boots = (name: string) => name === unsyncedDatabasePlugin.name
  const kernel = await quietKernel(project, { told: [], replaced: [unsyncedDatabasePlugin], boots })
  await kernel.start()
  return kernel
}

/**
 * Starts all plugins over an empty database in memory, so that what they contribute in `init` can be read
 * without the project's database. Settings that are stored in that are not known here.
 */
export async function startInMemory(project: ServiceOptions, read?: NonNullable<Plugin['boot']>) {
  const { env } = project
  const isolated = {
    ...env,
    DATABASE_URL: 'sqlite::memory:',
    REDIS_URL: undefined,
    JWT_SECRET: env.JWT_SECRET || randomBytes(32).toString('base64url'),
  }
  const reader = read === undefined ? [] : [readerOf(read)]
  const options = { ...project, env: isolated, plugins: [...(project.plugins ?? []), ...reader] }
  const kernel = await quietKernel(options, { told: ['http:compile'], replaced: [], boots: () => true })
  await kernel.start()
  return kernel
}

interface Quiet {
  /** The steps of `app:start` that are called, each `<plugin>:<step>`. */
  readonly told: readonly string[]
  /** Take the places of plugins of the same names. */
  readonly replaced: readonly Plugin[]
  boots(name: string): boolean
  /** Listeners of third-party plugins are left out. */
  readonly isApart?: boolean
}

async function quietKernel(project: ServiceOptions, quiet: Quiet): Promise<Kernel> {
  const options = await assemble(project)
  const plugins = options.plugins.map((plugin) => {
    const replacement = quiet.replaced.find(({ name }) => name === plugin.name)
    const isDeaf = quiet.isApart === true && options.extensionNames.includes(plugin.name)
    return quieted(replacement ?? plugin, quiet, isDeaf)
  })
  return createKernel({ ...options, plugins })
}

function quieted(plugin: Plugin, { told, boots }: Quiet, isDeaf = false): Plugin {
  const { name, register, init, boot, ...rest } = plugin
  const listening = <Context extends RegisterContext>(context: Context): Context => ({
    ...context,
    on: (token, listener, placement) => {
      const isHeard =
        token.id === appStart.id
          ? told.includes(`${name}:${placement?.step}`)
          : // The tables of plugins that do not boot may be missing.
            token.id !== pluginsStarted.id || boots(name)
      if (isHeard && !isDeaf) context.on(token, listener, placement)
    },
  })
  return {
    ...rest,
    name,
    ...(register && { register: (context) => register.call(plugin, listening(context)) }),
    ...(init && { init: (context) => init.call(plugin, listening(context)) }),
    ...(boot && boots(name) && { boot: (context) => boot.call(plugin, context) }),
  }
}

async function started(kernel: Kernel): Promise<Kernel> {
  try {
    await kernel.start()
    return kernel
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    const remedy =
      'If the database is new, start the service once, or run `mortise database sync`: that makes'
    throw new CommandError(`${error.message}\n${remedy} its tables.`, { cause: error })
  }
}

const readerOf = (read: NonNullable<Plugin['boot']>) =>
  definePlugin({ name: 'command-line-reader', description: 'Reads what plugins contribute', boot: read })

function declaringOnly({ name, description, points = [], hooks = [], register }: Plugin): Plugin {
  return { name, description, points, hooks, ...(register === undefined ? {} : { register }) }
}

/** Works with a service that is started for it, and stops it whatever happens. */
export async function inKernel<T>(
  starting: Promise<Kernel>,
  work: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const kernel = await starting
  try {
    return await work(kernel)
  } finally {
    await kernel.stop()
  }
}
