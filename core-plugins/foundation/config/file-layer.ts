import { nearest, type StartupProblem } from '../../../kernel/index.ts'
import type { ReadLayer } from './env-layer.ts'
import type { ProjectConfig } from './project-config.ts'
import { envNameOf, type Setting } from './setting.ts'
import { describeAllowed, isAllowed } from './value.ts'

/**
 * Reads the settings of the config file, whose keys may be nested or dotted. A key that looks like a
 * misspelling of a known one is a problem; any other unknown key is a warning, since it may belong to a
 * plugin that is switched off.
 */
export function readFileLayer(
  settings: readonly Setting<unknown>[],
  { file, settings: tree }: ProjectConfig,
): ReadLayer {
  const byKey = new Map(settings.map((setting) => [setting.key, setting]))
  const values = new Map<Setting<unknown>, unknown>()
  const problems: StartupProblem[] = []
  const warnings: StartupProblem[] = []
  for (const { key, value } of leaves(tree, '', byKey)) {
    const setting = byKey.get(key)
    if (setting === undefined) {
      const meant = nearest(key, byKey.keys())
      if (meant === undefined) warnings.push(unknownKey(key, file))
      else problems.push(misspeltKey(key, meant, file))
    } else if (values.has(setting)) problems.push(doubledKey(key, file))
    else if (isAllowed(setting, value)) values.set(setting, value)
    else problems.push(badValue(setting, value, file))
  }
  return { values, problems, warnings }
}

type Leaf = { readonly key: string; readonly value: unknown }

/** An object is a value if its path is the key of a setting, and a level of nesting otherwise. */
function leaves(tree: object, prefix: string, byKey: ReadonlyMap<string, unknown>): Leaf[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = prefix + name
    const isLevel = typeof value === 'object' && value !== null && !Array.isArray(value) && !byKey.has(key)
    return isLevel ? leaves(value, `${key}.`, byKey) : [{ key, value }]
  })
}

/** How reports name a setting from the file: together with its environment variable, which would take precedence. */
export function subjectInFile(setting: Setting<unknown>, file: string | undefined): string {
  return `${envNameOf(setting)} (${setting.key} in ${file})`
}

function badValue(setting: Setting<unknown>, value: unknown, file: string | undefined): StartupProblem {
  const found = setting.tier === 'secret' ? '' : `, not ${JSON.stringify(value)}`
  return {
    subject: subjectInFile(setting, file),
    message: `must be ${describeAllowed(setting)}${found}`,
    remedy: 'correct it in the file, or remove it for the default',
  }
}

function misspeltKey(key: string, meant: string, file: string | undefined): StartupProblem {
  return { subject: `${key} in ${file}`, message: 'is not a setting', remedy: `did you mean ${meant}?` }
}

function unknownKey(key: string, file: string | undefined): StartupProblem {
  return {
    subject: `${key} in ${file}`,
    message: 'is not a setting of any active plugin',
    remedy: 'remove it, or switch on the plugin that it is for',
  }
}

function doubledKey(key: string, file: string | undefined): StartupProblem {
  return {
    subject: `${key} in ${file}`,
    message: 'is set twice, nested and dotted',
    remedy: 'remove one of the two',
  }
}
