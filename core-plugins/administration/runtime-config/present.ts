import {
  type Config,
  limitsOf,
  type RuntimeSettings,
  type Setting,
  typeOf,
} from '../../foundation/config/config.ts'
import type { SettingValues } from './runtime-config.ts'

/** For keys with a single part, such as `dataDir`. */
const categoryOfTheRest = 'general'

/** All settings with their current values, except secrets. */
export function presentSettings(config: Config, runtimeSettings: RuntimeSettings) {
  return byCategory(runtimeSettings, (setting) => ({
    key: setting.key,
    value: presentValue(config.get(setting)),
    default: presentValue(setting.default),
    type: typeOf(setting.schema),
    tier: setting.tier,
    label: setting.title,
    description: setting.description,
    source: config.sourceOf(setting),
    locked: runtimeSettings.isLocked(setting),
    envVar: config.envNameOf(setting),
  }))
}

/** The allowed values of each setting, for building forms. */
export function presentSchema(config: Config, runtimeSettings: RuntimeSettings) {
  return byCategory(runtimeSettings, (setting) => ({
    key: setting.key,
    type: typeOf(setting.schema),
    tier: setting.tier,
    label: setting.title,
    description: setting.description,
    default: presentValue(setting.default),
    ...limitsOf(setting.schema),
    locked: runtimeSettings.isLocked(setting),
    envVar: config.envNameOf(setting),
  }))
}

/** The current values of all settings that can be changed at run time. */
export function exportSettings(config: Config, { settings }: RuntimeSettings): SettingValues {
  const exported = [...settings.values()].filter(({ tier }) => tier === 'runtime').sort(byKey)
  return Object.fromEntries(exported.map((setting) => [setting.key, config.get(setting)]))
}

function byCategory<T>({ settings }: RuntimeSettings, present: (setting: Setting<unknown>) => T) {
  const categories: Record<string, T[]> = {}
  for (const setting of [...settings.values()].sort(byKey)) {
    if (setting.tier === 'secret') continue
    const category = categoryOf(setting)
    categories[category] = [...(categories[category] ?? []), present(setting)]
  }
  return categories
}

function categoryOf({ key, category }: Setting<unknown>): string {
  const [first = '', ...rest] = key.split('.')
  return category ?? (rest.length === 0 ? categoryOfTheRest : first)
}

function byKey(left: Setting<unknown>, right: Setting<unknown>): number {
  return left.key < right.key ? -1 : 1
}

/** URLs, such as the database's, may contain a password. */
function presentValue(value: unknown): unknown {
  return typeof value === 'string' && URL.canParse(value) ? withoutPassword(value) : value
}

function withoutPassword(text: string): string {
  const url = new URL(text)
  const secretNames = [...url.searchParams.keys()].filter((name) => /pass|pwd|secret|token|key/i.test(name))
  if (url.password === '' && secretNames.length === 0) return text
  if (url.password !== '') url.password = '***'
  for (const name of secretNames) url.searchParams.set(name, '***')
  return url.href
}
