import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { importFile } from '../../../foundation/config/config.ts'
import { type ConfigSchema, type OwnSettings, settingsOf, tiersIn } from '../config-schema.ts'
import type { ExtensionManifest } from '../define-extension.ts'
import { checkEngines } from '../engines.ts'
import { checkManifest } from '../manifest.ts'
import { type Branding, readBranding } from './branding.ts'
import { checkTokens, cssOf, type Tokens } from './tokens.ts'

/** The content of a theme file. In a script, write `export default { … } satisfies ThemeManifest`. */
export interface ThemeManifest extends ExtensionManifest {
  readonly kind: 'theme'
  readonly tokens?: Tokens
  /** Texts (`title`, `tagline`, …) and pictures (`logo`, `logoDark`, `favicon`, `background`). */
  readonly branding?: Branding
  /** Options that the panel knows: `{ navigation: 'top', density: 'compact' }`. */
  readonly layout?: Layout
}

export type Layout = Readonly<Record<string, string | number | boolean>>

/** A theme that was found. */
export interface Theme {
  /** The name of its folder. */
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly version: string
  readonly tokens: Tokens
  readonly branding: Branding
  readonly layout: Layout
  readonly css: string
  readonly settings: OwnSettings
  /** Why it cannot be used; everything else is empty then. */
  readonly failure?: string
}

const fileNames = ['theme.json', 'theme.ts', 'theme.js', 'theme.mjs']
const keys = [
  ...['$schema', 'name', 'displayName', 'description', 'version', 'kind', 'engines', 'configSchema'],
  ...['tokens', 'branding', 'layout'],
]

/** Loads each folder of the directory that holds a `theme.json` or a script of that name. Never rejects. */
export async function findThemes(directory: string, projectFolder: string): Promise<Theme[]> {
  if (!existsSync(directory)) return []
  const folders = readdirSync(directory)
    .filter((name) => !name.startsWith('.'))
    .sort()
  const paths = folders.map((name) => ({ name, folder: join(directory, name) }))
  return Promise.all(
    paths
      .filter(({ folder }) => statSync(folder).isDirectory())
      .map((theme) => loadTheme(theme, projectFolder)),
  )
}

interface ThemeFolder {
  readonly name: string
  readonly folder: string
}

async function loadTheme({ name, folder }: ThemeFolder, projectFolder: string): Promise<Theme> {
  const file = fileNames.map((each) => join(folder, each)).find((path) => existsSync(path))
  if (file === undefined) return failed(name, `holds no ${fileNames.join(', ')}`)
  try {
    const isJson = file.endsWith('.json')
    const exported = isJson
      ? JSON.parse(readFileSync(file, 'utf8'))
      : (await importFile(file, projectFolder)).default
    return checkTheme(exported, { name, folder })
  } catch (error) {
    return failed(name, `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkTheme(exported: unknown, { name, folder }: ThemeFolder): Theme {
  const problems = checkManifest(exported, 'theme')
  if (problems.length > 0) return failed(name, problems.join('; '))
  const manifest = exported as ThemeManifest
  const { tokens = {}, layout = {}, configSchema } = manifest
  const { branding, problems: inBranding } = readBranding(manifest.branding ?? {}, folder)
  const more = [
    ...(manifest.name === name ? [] : [`name must be ${name}, the name of its folder`]),
    ...Object.keys(manifest)
      .filter((key) => !keys.includes(key))
      .map((key) => `has no property ${key}`),
    ...checkEngines(manifest),
    ...checkTokens(tokens),
    ...inBranding,
    ...checkLayout(layout),
    ...checkTiers(configSchema),
  ]
  if (more.length > 0) return failed(name, more.join('; '))
  const { displayName = name, description, version = '' } = manifest
  const settings = settingsOf(`themes.${name}`, configSchema)
  return { name, displayName, description, version, tokens, branding, layout, css: cssOf(tokens), settings }
}

function checkLayout(layout: unknown): string[] {
  if (typeof layout !== 'object' || layout === null || Array.isArray(layout))
    return ['layout must be an object']
  return Object.entries(layout).flatMap(([name, value]) => {
    const isName = /^[A-Za-z][A-Za-z0-9]*$/.test(name)
    const isWord = typeof value === 'string' && /^[A-Za-z][A-Za-z0-9-]{0,49}$/.test(value)
    if (isName && (isWord || typeof value === 'boolean' || Number.isFinite(value))) return []
    return [`layout.${name} must be a word, a number, true or false`]
  })
}

/** Rejects secret settings, since themes are public. */
function checkTiers(schema: ConfigSchema = {}): string[] {
  return tiersIn(schema)
    .filter(([, tier]) => tier !== 'runtime')
    .map(([name]) => `configSchema.${name} must be of the tier runtime: everybody may read it`)
}

function failed(name: string, failure: string): Theme {
  const empty = { tokens: {}, branding: {}, layout: {}, css: '', settings: new Map() }
  return { name, displayName: name, description: '', version: '', ...empty, failure }
}
