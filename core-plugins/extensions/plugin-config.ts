import type { ConfigField, PluginManifest } from '../../kernel/index.ts'
import { nearest } from '../config/config.ts'

type Schema = NonNullable<PluginManifest['configSchema']>
type Values = Readonly<Record<string, unknown>>

const tests: Readonly<Record<ConfigField['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  json: () => true,
}

/** The plugin's part of the project config with the defaults of its schema filled in. */
export function withDefaults(schema: Schema = {}, values: Values): Values {
  const defaults = Object.entries(schema)
    .filter(([, field]) => field.default !== undefined)
    .map(([key, field]) => [key, field.default])
  return { ...Object.fromEntries(defaults), ...values }
}

/** Everything that is wrong with the plugin's part of the project config. */
export function checkPluginConfig(schema: Schema = {}, values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const field = schema[key]
    if (field === undefined) return [`has no setting ${key}${suggestion(key, schema)}`]
    return tests[field.type](value)
      ? []
      : [`${key} must be of type ${field.type}, not ${JSON.stringify(value)}`]
  })
}

function suggestion(key: string, schema: Schema): string {
  const meant = nearest(key, Object.keys(schema))
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
