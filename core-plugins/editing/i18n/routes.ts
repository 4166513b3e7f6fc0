import { Type } from 'typebox'
import { created, defineRoute, orNull, type Route, strict, textSchema } from '../../foundation/http/http.ts'
import type { Localizations } from './i18n.ts'
import { localizationDiffSchema, statusSchema, translationMetaSchema } from './translation-meta.ts'

const params = Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) })
const localizationParams = Type.Object({
  type: Type.String(),
  localizationId: Type.Integer({ minimum: 1 }),
})

const entrySchema = Type.Object(
  { id: Type.Integer() },
  { description: 'The entry; its fields depend on the type' },
)
export const readAccess = { access: 'permission', scope: 'content:read', policies: ['content.read'] } as const
export const createAccess = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.localize'],
} as const
export const statusAccess = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.update'],
} as const

const statusChange = {
  status: statusSchema,
  notes: Type.Optional(orNull(textSchema({ maxLength: 10_000 }))),
}

export const statusChangeSchema = Type.Object(statusChange)

const base = { tag: 'Localisation' } as const
const readable = { ...base, ...readAccess } as const

const createTool = {
  name: 'create_localization',
  description:
    'Creates the version of an entry in another locale: data is its locale and its translated fields.',
}

const listTool = {
  name: 'list_localizations',
  description: 'Lists the versions of an entry in all locales, and which of them are outdated.',
}

/** Specification, "Content"; see docs/localisation.md. */
export function localizationRoutes(localizations: Localizations): Route[] {
  return [
    defineRoute({
      ...base,
      ...createAccess,
      name: 'content:localizations.create',
      tool: createTool,
      method: 'POST',
      path: '/content/:type/:id/localizations',
      summary: 'Create a version of an entry in another locale',
      params,
      body: Type.Object({ locale: Type.Optional(Type.Unknown({ description: 'Required' })) }),
      successStatus: 201,
      response: entrySchema,
      handler: async ({ params: { type, id }, body, principal, ip }) =>
        created(await localizations.create({ type, id, principal, ip }, body)),
    }),
    defineRoute({
      ...readable,
      name: 'content:localizations.list',
      tool: listTool,
      method: 'GET',
      path: '/content/:type/:id/localizations',
      summary: 'All versions of an entry and their translation status',
      params,
      response: Type.Object(
        {
          localizations: Type.Array(entrySchema),
          translationMeta: Type.Record(Type.String(), translationMetaSchema),
        },
        strict,
      ),
      handler: ({ params: { type, id }, principal }) => localizations.list({ type, id, principal }),
    }),
    defineRoute({
      ...base,
      ...statusAccess,
      name: 'content:localizations.status',
      method: 'PUT',
      path: '/content/:type/:localizationId/localizations/status',
      summary: 'Set the status of a translation',
      params: localizationParams,
      body: Type.Object(statusChange, strict),
      response: Type.Object({ locale: Type.String(), ...translationMetaSchema.properties }, strict),
      handler: ({ params: { type, localizationId: id }, body, principal, ip }) =>
        localizations.setStatus({ type, id, principal, ip }, body),
    }),
    defineRoute({
      ...readable,
      name: 'content:localizations.diff',
      method: 'GET',
      path: '/content/:type/:localizationId/localizations/diff',
      summary: 'Compare a translation with its source',
      params: localizationParams,
      response: localizationDiffSchema,
      handler: ({ params: { type, localizationId: id }, principal }) =>
        localizations.diff({ type, id, principal }),
    }),
  ]
}
