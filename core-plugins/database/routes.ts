import { Type } from 'typebox'
import { AppError, defineRoute, type ErrorDetail, type Route } from '../http/http.ts'
import type { DraftEnding, DraftEndingRequest } from './draft-ending.ts'
import type { Driver } from './driver.ts'
import type { SyncObserver } from './sync/progress.ts'
import { previewSync, type SyncResult, syncOnDemand } from './sync/synchronize.ts'
import type { TableSpec } from './table-spec.ts'

/** What the routes work on; available once the database is open and all tables are known. */
export interface SyncTarget {
  readonly driver: Driver
  readonly declared: () => readonly TableSpec[]
  readonly observer: SyncObserver
  readonly endings: () => readonly DraftEnding[]
  /** Called after every sync on demand. */
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

const safeSyncBody = Type.Object(
  {
    allowDestructive: Type.Optional(Type.Boolean()),
    drafts: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Literal('publish'), Type.Literal('delete')]), {
        description: 'What to do with the drafts of types that no longer have drafts, by type',
      }),
    ),
  },
  { additionalProperties: false },
)

/** @throws AppError 400 naming types that have nothing to decide */
async function endDrafts(
  decisions: Readonly<Record<string, 'publish' | 'delete'>>,
  { declared, endings }: SyncTarget,
  caller: Pick<DraftEndingRequest, 'principal' | 'ip'>,
): Promise<void> {
  const ending = new Set(declared().flatMap(({ endingDrafts }) => endingDrafts?.type ?? []))
  const unknown = Object.keys(decisions).filter((type) => !ending.has(type))
  if (unknown.length > 0) throw AppError.invalid(unknown.map(nothingToDecide))
  for (const [type, decision] of Object.entries(decisions)) {
    for (const each of endings()) await each.end({ type, decision, ...caller })
  }
}

function nothingToDecide(type: string): ErrorDetail {
  const message = 'has no drafts that wait for a decision'
  return { path: `drafts.${type}`, code: 'unsupported', message }
}

function safeSyncRoute(target: SyncTarget): Route {
  const { driver, declared, observer, onSync } = target
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
    response: Type.Object({ applied: Type.Array(appliedChange), pending: Type.Array(change) }),
    async handler({ body, principal, ip }) {
      await endDrafts(body?.drafts ?? {}, target, { principal, ip })
      const result = await syncOnDemand(driver, declared(), {
        mayLose: body?.allowDestructive === true,
        observer,
      })
      await onSync(result)
      return { applied: result.applied, pending: result.blocked }
    },
  })
}
