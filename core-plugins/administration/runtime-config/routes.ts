import { Type } from 'typebox'
import type { Config, RuntimeSettings } from '../../foundation/config/config.ts'
import { defineRoute, type Route, strict } from '../../foundation/http/http.ts'
import { unwrap, valuesIn } from './payload.ts'
import { exportSettings, presentSchema, presentSettings } from './present.ts'
import type { RuntimeConfig } from './runtime-config.ts'

const tag = 'Configuration'
const read = { tag, access: 'area', scope: 'admin:config:read' } as const
// The handler audits changes itself, with the keys that changed.
const write = { tag, access: 'area', scope: 'admin:config:write', audit: false } as const

const described = {
  key: Type.String(),
  type: Type.String(),
  tier: Type.String({ description: '`runtime` or `infrastructure`, which is read-only' }),
  label: Type.String(),
  description: Type.String(),
  default: Type.Unknown(),
  locked: Type.Boolean({ description: 'Cannot be changed here' }),
  envVar: Type.String(),
}

const settingSchema = Type.Object(
  {
    ...described,
    value: Type.Unknown(),
    source: Type.Union(
      ['env', 'file', 'database', 'default'].map((source) => Type.Literal(source)),
      { description: 'Which layer the value comes from' },
    ),
  },
  strict,
)
const settingsSchema = Type.Record(Type.String(), Type.Array(settingSchema))

const definitionSchema = Type.Object(
  {
    ...described,
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    maxLength: Type.Optional(Type.Integer()),
    enum: Type.Optional(Type.Array(Type.String())),
  },
  strict,
)

const valuesSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by dotted or nested key; null resets one',
})

const importResultSchema = Type.Object(
  {
    applied: Type.Array(Type.String()),
    skipped: Type.Array(Type.Object({ key: Type.String(), reason: Type.String() }, strict)),
  },
  strict,
)

export interface ConfigRoutesParts {
  readonly config: Config
  readonly runtimeSettings: RuntimeSettings
  readonly runtimeConfig: RuntimeConfig
}

/** Specification, "Configuration and database". */
export function createConfigRoutes({ config, runtimeSettings, runtimeConfig }: ConfigRoutesParts): Route[] {
  return [
    defineRoute({
      ...read,
      name: 'admin:config.read',
      method: 'GET',
      path: '/admin/config',
      summary: 'All settings but secrets, by category',
      response: settingsSchema,
      handler: () => presentSettings(config, runtimeSettings),
    }),
    defineRoute({
      ...write,
      name: 'admin:config.update',
      method: 'PUT',
      path: '/admin/config',
      summary: 'Change settings, all or none',
      description: 'Takes effect at once, in all processes. One locked setting refuses the whole change.',
      body: valuesSchema,
      response: settingsSchema,
      async handler({ body, principal, ip }) {
        await runtimeConfig.change(valuesIn(body, runtimeSettings), { principal, ip })
        return presentSettings(config, runtimeSettings)
      },
    }),
    defineRoute({
      ...read,
      name: 'admin:config.schema',
      method: 'GET',
      path: '/admin/config/schema',
      summary: 'What each setting takes, by category',
      response: Type.Record(Type.String(), Type.Array(definitionSchema)),
      handler: () => presentSchema(config, runtimeSettings),
    }),
    defineRoute({
      ...read,
      name: 'admin:config.export',
      method: 'GET',
      path: '/admin/config/export',
      summary: 'The values of all settings that can be changed at run time',
      response: valuesSchema,
      handler: () => exportSettings(config, runtimeSettings),
    }),
    defineRoute({
      ...write,
      name: 'admin:config.import',
      method: 'POST',
      path: '/admin/config/import',
      summary: 'Import the result of an export, as far as its values are valid',
      body: valuesSchema,
      response: importResultSchema,
      handler: ({ body, principal, ip }) =>
        runtimeConfig.import(valuesIn(unwrap(body), runtimeSettings), { principal, ip }),
    }),
    defineRoute({
      ...write,
      name: 'admin:config.reload',
      method: 'POST',
      path: '/admin/config/reload',
      summary: 'Reload the settings from the database, in all processes',
      response: settingsSchema,
      async handler() {
        await runtimeConfig.reload()
        return presentSettings(config, runtimeSettings)
      },
    }),
  ]
}
