import { type ContributionOf, type Log, PluginFault, type StartupProblem } from '../../../kernel/index.ts'
import type { Config } from './config-service.ts'
import { type Env, readEnvLayer } from './env-layer.ts'
import { readFileLayer, subjectInFile } from './file-layer.ts'
import { Layers } from './layers.ts'
import { ownProblem } from './own-check.ts'
import type { ProjectConfig } from './project-config.ts'
import { type Environment, envNameOf, type FileValue, type Setting, type SettingProblem } from './setting.ts'

export interface StartupCheckOptions {
  readonly contributed: readonly ContributionOf<Setting<unknown>>[]
  readonly env: Env
  readonly projectConfig: ProjectConfig
  readonly fileValues: readonly FileValue[]
  readonly workingDirectory: string
  readonly log: Log
}

export interface CheckedSettings {
  readonly layers: Layers
  readonly problems: readonly StartupProblem[]
  readonly warnings: readonly StartupProblem[]
}

/**
 * Reads all settings and collects all problems; specification, "Errors", 1. @throws PluginFault of the plugin whose
 * setting has a check that fails
 */
export function checkSettings(options: StartupCheckOptions): CheckedSettings {
  const { contributed, fileValues, projectConfig, workingDirectory, log } = options
  const settings = contributed.map(({ value }) => value)
  const env = readEnvLayer(settings, options.env)
  const file = readFileLayer(settings, projectConfig)
  const environment = environmentOf(options.env)
  const layers = new Layers({
    settings,
    env: env.values,
    file: new Map([...file.values, ...fileValues.map(({ setting, value }) => [setting, value] as const)]),
    environment,
    workingDirectory,
    log,
  })
  const findings = contributed.flatMap((each) => findingsOf(each, layers, projectConfig.file))
  const of = (severity: string) => findings.filter((problem) => problem.severity === severity)
  return {
    layers,
    problems: [...doubledSettings(settings), ...env.problems, ...file.problems, ...of('fatal')],
    warnings: [...env.warnings, ...file.warnings, ...of('warning')],
  }
}

/** Every environment except development and test is as strict as production, so that a typo cannot weaken it. */
function environmentOf(env: Env): Environment {
  const name = env.NODE_ENV ?? ''
  return ['', 'development', 'test'].includes(name) ? 'development' : 'production'
}

type Finding = StartupProblem & Pick<SettingProblem, 'severity'>

function findingsOf(
  { plugin, value: setting }: ContributionOf<Setting<unknown>>,
  { config }: Layers,
  file: string | undefined,
): Finding[] {
  const problem = problemAtStart(plugin, setting, config)
  if (problem === undefined) return []
  const isFromFile = config.sourceOf(setting) === 'file'
  return [{ ...problem, subject: isFromFile ? subjectInFile(setting, file) : envNameOf(setting) }]
}

function problemAtStart(plugin: string, setting: Setting<unknown>, config: Config) {
  try {
    return ownProblem(setting, config.get(setting), config.environment, config.get)
  } catch (error) {
    throw new PluginFault(plugin, error)
  }
}

/** Duplicate settings: a mistake of plugin authors, not of operators. */
function doubledSettings(settings: readonly Setting<unknown>[]): StartupProblem[] {
  const doubled = (nameOf: (setting: Setting<unknown>) => string) =>
    settings
      .map(nameOf)
      .filter((name, index, names) => names.indexOf(name) !== index)
      .map((name) => ({
        subject: name,
        message: 'is used by two settings',
        remedy: 'give it another name in one of the plugins that declare it',
      }))
  return [...doubled((setting) => setting.key), ...doubled(envNameOf)]
}
