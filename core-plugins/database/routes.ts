import { Type } from 'typebox'
import { defineRoute, type Route } from '../http/http.ts'
import type { TableSpec } from './database.ts'
import type { Driver } from './driver.ts'
import { previewSync, type SyncResult, syncOnDemand } from './sync/synchronize.ts'

/** What the routes work on; there once the database is open and all tables are known. */
export interface SyncTarget {
  readonly driver: Driver
  readonly declared: () => readonly TableSpec[]
  /** Told of every sync on demand. */
  readonly onSync: (result: SyncResult) => Promise<void>
}

const change = Type.Object({
  change: Type.String({ description: 'What would be done, such as `drop-column`' }),
  table: Type.String(),
  column: Type.Union([Type.String(), Type.Null()]),
  safe: Type.Boolean({ description: 'Whether it loses nothing' }),
  reason: Type.Union([Type.String(), Type.Null()]),
})

const appliedChange = Type.Intersect([
  change,
  Type.Object({ backup: Type.Optional(Type.String({ description: 'The table that holds what went' })) }),
])

export function databaseRoutes(target: SyncTarget): Route[] {
  return [statusRoute(target), previewRoute(target), safeSyncRoute(target)]
}

function statusRoute({ driver }: SyncTarget): Route {
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
      await driver.ping()
      return { connected: true, dialect: driver.dialect.name, tables: await driver.tableCount() }
    },
  })
}

function previewRoute({ driver, declared }: SyncTarget): Route {
  return defineRoute({
    name: 'database:sync.preview',
    method: 'GET',
    path: '/database/preview',
    summary: 'The changes that the database still lacks to be as the schemas say',
    access: 'area',
    scope: 'admin:database:read',
    response: Type.Array(change),
    handler: () => previewSync(driver, declared()),
  })
}

function safeSyncRoute({ driver, declared, onSync }: SyncTarget): Route {
  return defineRoute({
    name: 'database:sync.apply',
    audit: 'database.sync',
    method: 'POST',
    path: '/database/safe-sync',
    summary: 'Apply pending changes; on request also those that lose something, after a copy of it',
    access: 'area',
    scope: 'admin:database:write',
    body: Type.Object({ allowDestructive: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    isBodyOptional: true,
    response: Type.Object({ applied: Type.Array(appliedChange), pending: Type.Array(change) }),
    async handler({ body }) {
      const result = await syncOnDemand(driver, declared(), body?.allowDestructive === true)
      await onSync(result)
      return { applied: result.applied, pending: result.blocked }
    },
  })
}
