import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import serviceManifest from '../package.json' with { type: 'json' }
import { defineCoreCommand } from './command.ts'
import { assertName, writeNew } from './new-folder.ts'
import { panelText } from './panel-text.ts'
import { packageNameOf, pluginPackage } from './plugin-package.ts'

export const createPluginCommand = defineCoreCommand({
  name: 'create-plugin',
  summary: 'writes a plugin that runs into the plugins directory, or a package that can be published',
  example: 'create-plugin reading-time',
  arguments: { name: { summary: 'its name, in kebab-case' } },
  options: {
    package: { type: 'boolean', summary: 'a package of its own, in a new folder mortise-plugin-<name>' },
    panel: { type: 'boolean', summary: 'with a page and a widget in the admin panel' },
  },
  async run({ project: { env, workingDirectory }, arguments: { name }, options }) {
    assertName(name, 'reading-time')
    if (options.package) return writePackage(workingDirectory, name, options.panel)
    const folder = resolve(workingDirectory, env.SVC_PLUGINS_DIR || 'plugins', name)
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'plugin.ts')
    await writeNew(file, pluginText(name, options.panel))
    if (options.panel) await writeNew(join(folder, 'panel.tsx'), panelText(name, 'hello'))
    if (!isModule(folder))
      await writeNew(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    return `Wrote ${relative(workingDirectory, file)}: once the service runs, open /api/x/${name}/hello`
  },
})

async function writePackage(workingDirectory: string, name: string, hasPanel: boolean): Promise<string> {
  const folder = join(workingDirectory, packageNameOf(name))
  if (existsSync(folder)) throw new CommandError(`${folder} already exists`)
  for (const [path, text] of Object.entries(pluginPackage(name, hasPanel))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeNew(join(folder, path), text)
  }
  return `Wrote ${relative(workingDirectory, folder)}: run npm install and npm test there, and change src/plugin.ts`
}

/** Whether Node treats scripts in the folder as ES modules, according to the nearest package.json. */
function isModule(folder: string): boolean {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).type === 'module'
  return dirname(folder) !== folder && isModule(dirname(folder))
}

function pluginText(name: string, hasPanel: boolean): string {
  return `import { defineExtension, defineRoute, entryCreated, ${hasPanel ? 'panelModules, ' : ''}routes, Type } from 'mortise/plugin'

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
${hasPanel ? "    contribute(panelModules, { file: './panel.tsx' })\n" : ''}    on(entryCreated, ({ contentType, entry }) => log.info({ contentType, id: entry.id }, 'an entry was created'))
  },
})
`
}
