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

/** What all active plugins declare in `register`, with nothing of them running; `read` sees it. */
export async function readDeclarations(project: ServiceOptions, read: NonNullable<Plugin['boot']>) {
  const options = await assemble(project)
  const declaring = options.plugins.map(({ name, description, register }) => ({
    name,
    description,
    ...(register === undefined ? {} : { register }),
  }))
  const reader = definePlugin({ name: 'declarations-reader', description: 'Reads declarations', boot: read })
  const kernel = createKernel({ ...options, plugins: [...declaring, reader] })
  await kernel.start()
  await kernel.stop()
}
