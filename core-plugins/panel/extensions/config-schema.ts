import { type Static, type TObject, type TSchema, Type } from 'typebox'
import {
  defineSetting,
  describeAllowed,
  envNameOf,
  isAllowed,
  type Setting,
  type SettingTier,
  settingTiers,
} from '../../foundation/config/config.ts'
import { type ConfigField, fieldProblems, isTier, schemaOfField } from './config-field.ts'

/** The schema of a config: a TypeBox object, or fields in the specification's notation. */
export type ConfigSchema = TObject | ConfigFields

export type ConfigFields = Readonly<Record<string, ConfigField>>

/** The values that such a schema describes; typed if it is a TypeBox object. */
export type ConfigOf<Schema extends ConfigSchema> = Schema extends TObject
  ? Readonly<Static<Schema>>
  : Readonly<Record<string, unknown>>

/** The settings that a `configSchema` describes, by their names in it. */
export type OwnSettings = ReadonlyMap<string, Setting<unknown>>

/** For example, the settings of `plugins.seo`: the prefix of their keys, and their category. */
export function settingsOf(prefix: string, schema: ConfigSchema = {}): OwnSettings {
  const fields = Object.entries(objectOf(schema).properties)
  return new Map(fields.map(([name, field]) => [name, settingOf(prefix, name, field)]))
}

/** Fields as a TypeBox object; those without a default are optional. */
function objectOf(schema: ConfigSchema): TObject {
  if (isTypeBox(schema)) return schema
  const fields = Object.entries(schema).map(([name, field]) => {
    const type = schemaOfField(field)
    return [name, field.default === undefined ? Type.Optional(type) : type]
  })
  return Type.Object(Object.fromEntries(fields))
}

/** A field has an object where a TypeBox object has its type as a string. */
function isTypeBox(schema: ConfigSchema): schema is TObject {
  return (schema as { type?: unknown }).type === 'object'
}

interface FieldKeywords {
  readonly title?: unknown
  readonly description?: unknown
  readonly default?: unknown
  readonly tier?: SettingTier
}

function settingOf(prefix: string, name: string, schema: TSchema): Setting<unknown> {
  const { description = '', tier = 'runtime', default: value = null } = schema as FieldKeywords
  const keywords = { description, tier, default: value, category: prefix }
  return defineSetting(`${prefix}.${name}`, { ...schema, ...keywords })
}

/** The tier of each field. */
export function tiersIn(schema: ConfigSchema): [name: string, tier: SettingTier][] {
  return [...settingsOf('', schema)].map(([name, { tier }]) => [name, tier])
}

/** Returns everything that is wrong with a `configSchema` itself. */
export function checkConfigSchema(schema: unknown): string[] {
  if (schema === undefined) return []
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return ['configSchema must be an object of settings by name']
  }
  const given = schema as ConfigSchema
  const wrong = isTypeBox(given) ? typeProblems(given) : fieldsProblems(given)
  return wrong.length > 0 ? wrong : [...variableProblems(given), ...defaultProblems(given)]
}

/** Names that differ only in case would share an environment variable. */
function variableProblems(schema: ConfigSchema): string[] {
  const owners = new Map<string, string>()
  return [...settingsOf('plugins', schema)].flatMap(([name, setting]) => {
    const variable = envNameOf(setting)
    const owner = owners.get(variable)
    owners.set(variable, owner ?? name)
    return owner === undefined ? [] : [`configSchema.${name} has the environment variable of ${owner}`]
  })
}

const fieldName = /^[a-z][A-Za-z0-9]*$/

function nameProblems(name: string): string[] {
  return fieldName.test(name) ? [] : [`configSchema.${name} must have a name in camelCase`]
}

function fieldsProblems(fields: ConfigFields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...nameProblems(name),
    ...fieldProblems(`configSchema.${name}`, field),
  ])
}

/** Keywords of settings that follow from the plugin's name, so that no plugin takes a variable of another. */
const setByService = ['env', 'category', 'isReserved']

function typeProblems({ properties, required }: TObject): string[] {
  const needed: readonly string[] = required ?? []
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { title, tier, default: value } = schema as FieldKeywords
    const checks: [boolean, string][] = [
      [typeof title === 'string' && title !== '', 'must have a title'],
      [isTier(tier), `tier must be one of ${settingTiers.join(', ')}`],
      [value !== undefined || !needed.includes(name), 'must have a default, or be Type.Optional'],
      [!setByService.some((keyword) => keyword in schema), `must not have ${setByService.join(', ')}`],
    ]
    const wrong = checks
      .filter(([isRight]) => !isRight)
      .map(([, message]) => `configSchema.${name} ${message}`)
    return [...nameProblems(name), ...wrong]
  })
}

function defaultProblems(schema: ConfigSchema): string[] {
  const { properties } = objectOf(schema)
  return [...settingsOf('plugins', schema)].flatMap(([name, setting]) => {
    const isMissing = (properties[name] as FieldKeywords).default === undefined
    if (isMissing || isAllowed(setting, setting.default)) return []
    return [`configSchema.${name} default must be ${describeAllowed(setting)}`]
  })
}
