import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import serviceManifest from '../package.json' with { type: 'json' }
import { type Command, UsageError } from './command.ts'

export const createPluginCommand: Command = {
  usage: '<name>',
  summary: 'writes a plugin that runs, with a route and a listener, into the plugins directory',
  async run({ env, workingDirectory }, name) {
    if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
      throw new UsageError('create-plugin needs a name in kebab-case, such as reading-time')
    }
    const folder = resolve(workingDirectory, env.SVC_PLUGINS_DIR || 'plugins', name)
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'plugin.ts')
    await writeFile(file, pluginText(name, folder), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new UsageError(`${file} is there already`) : error
    })
    return `Wrote ${relative(workingDirectory, file)}: once the service runs, open /api/x/${name}/hello`
  },
}

function pluginText(name: string, folder: string): string {
  const service = relative(folder, join(import.meta.dirname, '..'))
  return `import { definePlugin } from '${service}/kernel/index.ts'
import { entryCreated } from '${service}/core-plugins/content/content.ts'
import { defineRoute, routes } from '${service}/core-plugins/http/http.ts'

const helloRoute = (greeting: string) =>
  defineRoute({
    name: '${name}:hello.read',
    method: 'GET',
    path: '/hello',
    summary: 'Says hello',
    access: 'open',
    handler: () => ({ message: greeting }),
  })

export default definePlugin({
  name: '${name}',
  description: 'Says hello',
  version: '1.0.0',
  engines: { mortise: '>=${serviceManifest.version}' },
  configSchema: {
    greeting: { type: 'string', label: 'Greeting', default: 'Hello' },
  },
  register({ config, contribute, on, log }) {
    contribute(routes, helloRoute(String(config.greeting)))
    on(entryCreated, ({ contentType, entry }) => log.info({ contentType, id: entry.id }, 'an entry was created'))
  },
})
`
}
