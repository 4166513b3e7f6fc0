import { Type } from 'typebox'
import { defineRoute, orNull, type Route } from '../http/http.ts'
import type { SchemaSync } from './schema/schema-sync.ts'

/** A difference between the database and the declared schema; see docs/database.md. */
export const schemaChangeSchema = Type.Object({
  change: Type.String({ description: 'What would be done, such as `drop-column`' }),
  table: Type.String(),
  column: orNull(Type.String()),
  safe: Type.Boolean({ description: 'Whether it loses nothing' }),
  reason: orNull(Type.String()),
  plugin: orNull(Type.String(), {
    description: 'The plugin whose table or column it is; while that is off, it is kept',
  }),
})

const appliedChange = Type.Intersect([
  schemaChangeSchema,
  Type.Object({ backup: Type.Optional(Type.String({ description: 'The table that holds what went' })) }),
])

export function databaseRoutes(schemaSync: SchemaSync): Route[] {
  return [statusRoute(schemaSync), previewRoute(schemaSync), safeSyncRoute(schemaSync)]
}

function statusRoute(schemaSync: SchemaSync): Route {
  return defineRoute({
    name: 'database:status.read',
    method: 'GET',
    path: '/database/status',
    summary: 'Whether the database answers, and how many tables the service has',
    access: 'open',
    isProbe: true,
    response: Type.Object({
      connected: Type.Boolean(),
      dialect: Type.String(),
      tables: Type.Integer(),
    }),
    async handler() {
      return { connected: true, ...(await schemaSync.status()) }
    },
  })
}

function previewRoute(schemaSync: SchemaSync): Route {
  return defineRoute({
    name: 'database:sync.preview',
    method: 'GET',
    path: '/database/preview',
    summary: 'The changes that the database still lacks to be as the schemas say',
    access: 'area',
    scope: 'admin:database:read',
    response: Type.Array(schemaChangeSchema),
    handler: () => schemaSync.preview(),
  })
}

const safeSyncBody = Type.Object(
  {
    allowDestructive: Type.Optional(Type.Boolean()),
    dropDataOf: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 100,
        description: 'Plugins that are off, and whose tables and columns are to be dropped too',
      }),
    ),
    drafts: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Literal('publish'), Type.Literal('delete')]), {
        description: 'What to do with the drafts of types that no longer have drafts, by type',
      }),
    ),
    trash: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Literal('restore'), Type.Literal('delete')]), {
        description: 'What to do with the deleted entries of types that no longer have a trash, by type',
      }),
    ),
  },
  { additionalProperties: false },
)

function safeSyncRoute(schemaSync: SchemaSync): Route {
  return defineRoute({
    name: 'database:sync.apply',
    audit: 'database.sync',
    method: 'POST',
    path: '/database/safe-sync',
    summary: 'Apply pending changes; on request also those that lose something, after a copy of it',
    access: 'area',
    scope: 'admin:database:write',
    body: safeSyncBody,
    isBodyOptional: true,
    response: Type.Object({ applied: Type.Array(appliedChange), pending: Type.Array(schemaChangeSchema) }),
    handler: ({ body, principal, ip }) => schemaSync.sync({ ...body, principal, ip }),
  })
}
