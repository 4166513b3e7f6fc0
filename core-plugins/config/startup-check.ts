import type { Log, StartupProblem } from '../../kernel/index.ts'
import { type Env, readEnvLayer } from './env-layer.ts'
import { readFileLayer, subjectInFile } from './file-layer.ts'
import { Layers } from './layers.ts'
import type { ProjectConfig } from './project-config.ts'
import { type Environment, envNameOf, type FileValue, type Setting, type SettingProblem } from './setting.ts'

export interface StartupCheckOptions {
  readonly settings: readonly Setting<unknown>[]
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

/** Reads all settings and collects everything that is wrong with any of them; specification, "Errors", 1. */
export function checkSettings(options: StartupCheckOptions): CheckedSettings {
  const { settings, fileValues, projectConfig, workingDirectory, log } = options
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
  const judged = settings.flatMap((setting) => judge(setting, layers, projectConfig.file))
  const of = (severity: string) => judged.filter((problem) => problem.severity === severity)
  return {
    layers,
    problems: [...doubledSettings(settings), ...env.problems, ...file.problems, ...of('fatal')],
    warnings: [...env.warnings, ...file.warnings, ...of('warning')],
  }
}

/** Anything but development and tests gets the strictness of production, so that a slip cannot lower it. */
function environmentOf(env: Env): Environment {
  const name = env.NODE_ENV ?? ''
  return ['', 'development', 'test'].includes(name) ? 'development' : 'production'
}

type Judged = StartupProblem & Pick<SettingProblem, 'severity'>

function judge(setting: Setting<unknown>, { config }: Layers, file: string | undefined): Judged[] {
  const problem = setting.check?.(config.get(setting), config.environment, config.get)
  if (problem === undefined) return []
  const isFromFile = config.sourceOf(setting) === 'file'
  return [{ ...problem, subject: isFromFile ? subjectInFile(setting, file) : envNameOf(setting) }]
}

/** A mistake of plugin authors rather than of operators. */
function doubledSettings(settings: readonly Setting<unknown>[]): StartupProblem[] {
  const doubled = (nameOf: (setting: Setting<unknown>) => string) =>
    settings
      .map(nameOf)
      .filter((name, index, names) => names.indexOf(name) !== index)
      .map((name) => ({
        subject: name,
        message: 'stands for two settings',
        remedy: 'give one of the plugins that declare it another name for it',
      }))
  return [...doubled((setting) => setting.key), ...doubled(envNameOf)]
}
