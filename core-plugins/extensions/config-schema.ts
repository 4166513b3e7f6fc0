import type { ConfigField, PluginManifest } from '../../kernel/index.ts'
import { defineSetting, describeAllowed, isAllowed, type Setting } from '../config/config.ts'

export type ConfigSchema = NonNullable<PluginManifest['configSchema']>

/** The settings that a `configSchema` describes, by their names in it. */
export type OwnSettings = ReadonlyMap<string, Setting<unknown>>

/** The settings of `plugins.seo`, say: their keys begin with that, and it is their category. */
export function settingsOf(prefix: string, schema: ConfigSchema = {}): OwnSettings {
  return new Map(Object.entries(schema).map(([name, field]) => [name, settingOf(prefix, name, field)]))
}

function settingOf(prefix: string, name: string, field: ConfigField): Setting<unknown> {
  const { description = '', tier = 'runtime', default: value = null, ...rest } = field
  return defineSetting({
    ...rest,
    key: `${prefix}.${name}`,
    category: prefix,
    tier,
    description,
    default: value,
  })
}

const types = ['string', 'integer', 'number', 'boolean', 'string[]', 'json']
const tiers = ['runtime', 'infrastructure', 'secret']
const keys = ['type', 'label', 'description', 'default', 'tier', 'min', 'max', 'maxLength', 'enum']

/** Everything that is wrong with a `configSchema` itself. */
export function checkConfigSchema(schema: unknown): string[] {
  if (schema === undefined) return []
  if (!isObject(schema)) return ['configSchema must be an object of settings by name']
  return Object.entries(schema).flatMap(([name, field]) => checkField(`configSchema.${name}`, name, field))
}

function checkField(path: string, name: string, field: unknown): string[] {
  if (!isObject(field)) return [`${path} must be an object with type and label`]
  const { type, label, description, tier, min, max, maxLength, enum: allowed } = field
  const checks: [boolean, string][] = [
    [/^[a-z][A-Za-z0-9]*$/.test(name), 'must have a name in camelCase'],
    [types.includes(String(type)), `type must be one of ${types.join(', ')}`],
    [typeof label === 'string' && label !== '', 'label must be a text for people'],
    [description === undefined || typeof description === 'string', 'description must be a text'],
    [tier === undefined || tiers.includes(String(tier)), `tier must be one of ${tiers.join(', ')}`],
    [
      [min, max].every((bound) => bound === undefined || Number.isFinite(bound)),
      'min and max must be numbers',
    ],
    [maxLength === undefined || Number.isSafeInteger(maxLength), 'maxLength must be a whole number'],
    [allowed === undefined || isListOfTexts(allowed), 'enum must be a list of texts'],
    ...Object.keys(field).map((key): [boolean, string] => [keys.includes(key), `has no property ${key}`]),
  ]
  const problems = checks.filter(([isRight]) => !isRight).map(([, message]) => `${path} ${message}`)
  return problems.length > 0 ? problems : checkDefault(path, name, field as unknown as ConfigField)
}

function checkDefault(path: string, name: string, field: ConfigField): string[] {
  const setting = settingOf('plugins', name, field)
  if (field.default === undefined || isAllowed(setting, field.default)) return []
  return [`${path} default must be ${describeAllowed(setting)}`]
}

const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
