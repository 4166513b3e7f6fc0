import { nearest, type StartupProblem } from '../../../kernel/index.ts'
import type { Layer } from './layers.ts'
import { envNameOf, type Setting } from './setting.ts'
import { describeAllowed, isAllowed, parseValue, typeOf } from './value.ts'

/** The environment as Node provides it. */
export type Env = Readonly<Record<string, string | undefined>>

/** The values of one layer, and the problems found in it. */
export interface ReadLayer {
  readonly values: Layer
  readonly problems: readonly StartupProblem[]
  /** Suspicious, but not fatal. */
  readonly warnings: readonly StartupProblem[]
}

/** Variables that are not settings, because they are needed before settings exist. */
const otherVariables = ['SVC_CONFIG_FILE', 'SVC_PLUGINS_DISABLED']

/** Reads the variables of all settings. An empty one counts as missing. */
export function readEnvLayer(settings: readonly Setting<unknown>[], env: Env): ReadLayer {
  const values = new Map<Setting<unknown>, unknown>()
  const problems: StartupProblem[] = []
  for (const setting of settings) {
    const name = envNameOf(setting)
    const text = env[name] ?? ''
    if (text === '') continue
    const parsed = parseValue(typeOf(setting.schema), text)
    if ('value' in parsed && isAllowed(setting, parsed.value)) values.set(setting, parsed.value)
    else problems.push(badVariable(setting, name, text))
  }
  return { values, problems, warnings: misspeltVariables(settings, env) }
}

function badVariable(setting: Setting<unknown>, name: string, text: string): StartupProblem {
  const found = setting.tier === 'secret' ? '' : `, not ${JSON.stringify(text)}`
  const example = typeOf(setting.schema) === 'string[]' ? '; write a,b or ["a","b"]' : ''
  return {
    subject: name,
    message: `must be ${describeAllowed(setting)}${found}${example}`,
    remedy: `correct it, or remove it for the default${describeDefault(setting)}`,
  }
}

function describeDefault(setting: Setting<unknown>): string {
  return setting.tier === 'secret' ? '' : ` ${JSON.stringify(setting.default)}`
}

function misspeltVariables(settings: readonly Setting<unknown>[], env: Env): StartupProblem[] {
  const known = new Set([...settings.map(envNameOf), ...otherVariables])
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !known.has(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant === undefined
        ? []
        : [{ subject: name, message: 'sets nothing', remedy: `did you mean ${meant}?` }]
    })
}
