import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, relative, resolve } from 'node:path'
import { isObject, StartupError, type StartupProblem } from '../../../kernel/index.ts'
import type { ConfigFile, PluginSwitch } from './config-file.ts'
import type { Env } from './env-layer.ts'
import { importFile } from './import-file.ts'
import { mergeConfigs } from './merge-configs.ts'
import { splitList } from './value.ts'

/** What the config file and SVC_PLUGINS_DISABLED define, before the existing settings are known. */
export interface ProjectConfig {
  /** The name of its source in messages; undefined if there is no config. */
  readonly file: string | undefined
  /** As written in the file. */
  readonly settings: Readonly<Record<string, unknown>>
  /** By name or path; plugins that the environment disables are `false` here. */
  readonly plugins: Readonly<Record<string, PluginSwitch>>
  /** The plugins that are switched off, each with the place where that was set, for lists. */
  readonly disabled: ReadonlyMap<string, string>
  readonly strictPlugins: boolean
}

/** The project config of a project without a config file. */
export const withoutConfigFile: ProjectConfig = Object.freeze({
  file: undefined,
  settings: {},
  plugins: {},
  disabled: new Map(),
  strictPlugins: false,
})

/** How messages name the config that was passed in code. */
const inCode = 'the config given in code'

const fileNames = ['mortise.config.ts', 'mortise.config.js', 'mortise.config.mjs', 'mortise.config.json']

/**
 * Reads `mortise.config.*` in the working directory, or the file that SVC_CONFIG_FILE names.
 * @throws StartupError if it cannot be read or its `plugins` are malformed; settings are checked later
 */
export async function loadProjectConfig(options: {
  readonly workingDirectory: string
  readonly env: Env
  /** Takes precedence over the file, setting by setting. */
  readonly config?: ConfigFile
}): Promise<ProjectConfig> {
  const path = findFile(options)
  const file = path === undefined ? undefined : relative(resolve(options.workingDirectory), path)
  const content =
    path === undefined || file === undefined ? {} : await readContent(path, file, options.workingDirectory)
  const inFile = checkContent(content, file)
  const {
    plugins = {},
    strictPlugins = false,
    ...settings
  } = options.config === undefined ? inFile : mergeConfigs(inFile, checkContent(options.config, inCode))
  const disabledByEnv = splitList(options.env.SVC_PLUGINS_DISABLED ?? '')
  const source = options.config === undefined ? file : [file, inCode].filter(Boolean).join(' and ')
  return {
    file: source,
    settings,
    plugins: { ...plugins, ...Object.fromEntries(disabledByEnv.map((name) => [name, false])) },
    disabled: new Map([
      ...Object.keys(plugins)
        .filter((name) => plugins[name] === false)
        .map((name) => [name, `switched off in ${source}`] as const),
      ...disabledByEnv.map((name) => [name, 'switched off by SVC_PLUGINS_DISABLED'] as const),
    ]),
    strictPlugins,
  }
}

function findFile({ workingDirectory, env }: { workingDirectory: string; env: Env }): string | undefined {
  if (env.SVC_CONFIG_FILE !== undefined && env.SVC_CONFIG_FILE !== '') {
    const path = resolve(workingDirectory, env.SVC_CONFIG_FILE)
    if (existsSync(path)) return path
    throw refuse('SVC_CONFIG_FILE', `names ${env.SVC_CONFIG_FILE}, which does not exist`, 'correct the path')
  }
  const found = fileNames.filter((name) => existsSync(resolve(workingDirectory, name)))
  if (found.length > 1) {
    throw refuse(found.join(' and '), 'both exist, but only one may', 'keep one of them')
  }
  return found[0] === undefined ? undefined : resolve(workingDirectory, found[0])
}

async function readContent(path: string, file: string, workingDirectory: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    return (await importFile(path, workingDirectory)).default
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw refuse(file, `cannot be loaded: ${reason}`, 'fix the file, or move it away')
  }
}

function checkContent(content: unknown, file: string | undefined): ConfigFile {
  if (!isObject(content)) {
    throw refuse(
      `${file}`,
      'does not contain an object',
      'write `export default { … }`, or { … } in a .json file',
    )
  }
  const problems = [
    ...checkPlugins(content.plugins, file),
    ...checkStrictPlugins(content.strictPlugins, file),
  ]
  if (problems.length > 0) throw new StartupError('The config file cannot be used:', problems)
  return content
}

function checkPlugins(plugins: unknown, file: string | undefined): StartupProblem[] {
  if (plugins === undefined) return []
  const remedy = 'write { <name or path>: true, false or { its config } }'
  if (!isObject(plugins)) return [{ subject: `plugins in ${file}`, message: 'must be an object', remedy }]
  return Object.entries(plugins)
    .filter(([, value]) => typeof value !== 'boolean' && !isObject(value))
    .map(([name]) => ({
      subject: `plugins['${name}'] in ${file}`,
      message: 'must be true, false or an object',
      remedy,
    }))
}

function checkStrictPlugins(strictPlugins: unknown, file: string | undefined): StartupProblem[] {
  if (strictPlugins === undefined || typeof strictPlugins === 'boolean') return []
  const subject = `strictPlugins in ${file}`
  return [{ subject, message: 'must be true or false', remedy: 'correct it or remove it' }]
}

function refuse(subject: string, message: string, remedy: string): StartupError {
  return new StartupError('The config file cannot be used:', [{ subject, message, remedy }])
}
