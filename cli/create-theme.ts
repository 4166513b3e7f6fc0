import { mkdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { ThemeManifest } from '../core-plugins/panel/extensions/extensions.ts'
import serviceManifest from '../package.json' with { type: 'json' }
import { defineCoreCommand } from './command.ts'
import { assertName, writeNew } from './new-folder.ts'

export const createThemeCommand = defineCoreCommand({
  name: 'create-theme',
  summary: 'writes a theme of the panel, with colours to change, into the themes directory',
  example: 'create-theme blue-hour',
  arguments: { name: { summary: 'its name, in kebab-case' } },
  async run({ project: { env, workingDirectory }, arguments: { name } }) {
    assertName(name, 'blue-hour')
    const folder = resolve(workingDirectory, env.SVC_THEMES_DIR || 'themes', name)
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'theme.json')
    await writeNew(file, `${JSON.stringify(themeOf(name), null, 2)}\n`)
    return `Wrote ${relative(workingDirectory, file)}: start the service, and set site.theme to ${name}`
  },
})

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
      dark: {
        color: {
          primary: '#a5a8ff',
          onPrimary: '#17173d',
          background: '#18181b',
          surface: '#27272a',
          text: '#fafafa',
        },
      },
    },
    branding: { tagline: '' },
    layout: { navigation: 'side', density: 'comfortable' },
  }
}
