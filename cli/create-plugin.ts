import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { ThemeManifest } from '../core-plugins/extensions/extensions.ts'
import serviceManifest from '../package.json' with { type: 'json' }
import { type Command, UsageError } from './command.ts'

export const createPluginCommand: Command = {
  usage: '<name>',
  summary: 'writes a plugin that runs, with a route and a listener, into the plugins directory',
  async run({ env, workingDirectory }, name) {
    if (name === undefined || !namePattern.test(name)) {
      throw new UsageError('create-plugin needs a name in kebab-case, such as reading-time')
    }
    const folder = resolve(workingDirectory, env.SVC_PLUGINS_DIR || 'plugins', name)
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'plugin.ts')
    await writeNew(file, pluginText(name, folder))
    if (!isModule(folder))
      await writeNew(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    return `Wrote ${relative(workingDirectory, file)}: once the service runs, open /api/x/${name}/hello`
  },
}

export const createThemeCommand: Command = {
  usage: '<name>',
  summary: 'writes a theme of the panel, with colours to change, into the themes directory',
  async run({ env, workingDirectory }, name) {
    if (name === undefined || !namePattern.test(name)) {
      throw new UsageError('create-theme needs a name in kebab-case, such as blue-hour')
    }
    const folder = resolve(workingDirectory, env.SVC_THEMES_DIR || 'themes', name)
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'theme.json')
    await writeNew(file, `${JSON.stringify(themeOf(name), null, 2)}\n`)
    return `Wrote ${relative(workingDirectory, file)}: start the service, and set site.theme to ${name}`
  },
}

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

async function writeNew(file: string, text: string) {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${file} already exists`) : error
  })
}

/** Whether Node treats scripts in the folder as ES modules, according to the nearest package.json. */
function isModule(folder: string): boolean {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).type === 'module'
  return dirname(folder) !== folder && isModule(dirname(folder))
}

function themeOf(name: string): ThemeManifest {
  return {
    name,
    displayName: name,
    description: 'Describes the theme in one sentence.',
    version: '1.0.0',
    kind: 'theme',
    engines: { mortise: `>=${serviceManifest.version}` },
    tokens: {
      color: {
        primary: '#4f46e5',
        onPrimary: '#ffffff',
        background: '#fafafa',
        surface: '#ffffff',
        text: '#18181b',
      },
      radius: '8px',
      dark: { color: { background: '#18181b', surface: '#27272a', text: '#fafafa' } },
    },
    branding: { tagline: '' },
    layout: { navigation: 'side', density: 'comfortable' },
  }
}

function pluginText(name: string, folder: string): string {
  const service = relative(folder, join(import.meta.dirname, '..'))
  return `import { entryCreated } from '${service}/core-plugins/content/content.ts'
import { defineExtension, Type } from '${service}/core-plugins/extensions/extensions.ts'
import { defineRoute, routes } from '${service}/core-plugins/http/http.ts'

/** The config may change while the service runs, so read it when you need it. */
const helloRoute = (config: { readonly greeting: string }) =>
  defineRoute({
    name: '${name}:hello.read',
    method: 'GET',
    path: '/hello',
    summary: 'Says hello',
    access: 'open',
    handler: () => ({ message: config.greeting }),
  })

export default defineExtension({
  name: '${name}',
  description: 'Says hello',
  version: '1.0.0',
  engines: { mortise: '>=${serviceManifest.version}' },
  configSchema: Type.Object({
    greeting: Type.String({ title: 'Greeting', default: 'Hello' }),
  }),
  register({ config, contribute, on, log }) {
    contribute(routes, helloRoute(config))
    on(entryCreated, ({ contentType, entry }) => log.info({ contentType, id: entry.id }, 'an entry was created'))
  },
})
`
}
