import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Schedules } from '../../background/schedules/schedules.ts'
import {
  AppError,
  accepted,
  bytesSchema,
  created,
  defineRoute,
  idParams,
  ignored,
  type Principal,
  Reply,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../foundation/http/http.ts'
import type { SectionName } from '../../foundation/sections/sections.ts'
import {
  backupScheduleSchema,
  backupSchema,
  backupStatuses,
  presentBackup,
  presentRestore,
  retentionSchema,
  wholeBackupSchema,
} from './backup.ts'
import type { BackupSchedule } from './backup-schedule.ts'
import type { Catalog } from './catalog.ts'
import { type Archives, fileNameOf } from './files/archives.ts'
import type { Inspector } from './restore/inspect.ts'
import { restoreRoute } from './restore-route.ts'
import type { SectionRights } from './section-rights.ts'
import { sectionsInput } from './section-schemas.ts'
import type { BackupRow } from './tables.ts'
import { takeUpload, type UploadDeps } from './upload.ts'

const read = { tag: 'Backups', access: 'area', scope: 'admin:backups:read' } as const
const write = { tag: 'Backups', access: 'area', scope: 'admin:backups:write' } as const

const nameSchema = Type.String({ minLength: 1, maxLength: 200 })

export interface RouteDeps {
  readonly auth: Auth
  readonly rights: SectionRights
  readonly catalog: Catalog
  readonly archives: Archives
  readonly inspector: Inspector
  readonly schedule: BackupSchedule
  /** Undefined if the schedules plugin is off. */
  readonly schedules: Schedules | undefined
  readonly upload: UploadDeps
}

/** Specification, "Backups, jobs, alerts"; see docs/backups.md. */
export function createBackupRoutes(deps: RouteDeps): Route[] {
  // Fixed paths first, for readers; the router prefers them to `:id` anyway.
  return [...catalogRoutes(deps), ...scheduleRoutes(deps), ...backupRoutes(deps)]
}

/** The counts of a section are visible to those who may read its content. */
function presentTo({ rights }: RouteDeps, principal: Principal) {
  return (row: BackupRow) => {
    const counts = Object.entries(row.counts).filter(([name]) =>
      rights.mayRead(principal, name as SectionName),
    )
    return { ...presentBackup(row), counts: Object.fromEntries(counts) }
  }
}

function catalogRoutes(deps: RouteDeps): Route[] {
  const { auth, catalog, rights, upload } = deps
  return [
    defineRoute({
      ...read,
      name: 'admin:backups.list',
      method: 'GET',
      path: '/admin/backups',
      summary: 'List backups, newest first',
      query: Type.Object({ ...rangeQuery, status: Type.Optional(Type.Enum([...backupStatuses])) }, strict),
      response: Type.Array(backupSchema),
      isPaginated: true,
      async handler({ query: { status, ...rest }, principal }) {
        const range = rangeOf(rest)
        const [rows, total] = await Promise.all([catalog.list({ ...range, status }), catalog.count(status)])
        return rangePage(rows.map(presentTo(deps, principal)), total, range)
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:backups.create',
      method: 'POST',
      path: '/admin/backups',
      summary: 'Make a backup',
      description:
        'Answers 201 with the completed backup; with `async` 202 with the pending one, which a job then completes.',
      isBodyOptional: true,
      body: Type.Object(
        {
          name: Type.Optional(nameSchema),
          retentionDays: Type.Optional(retentionSchema),
          async: Type.Optional(Type.Boolean()),
          sections: Type.Optional(sectionsInput),
        },
        strict,
      ),
      response: backupSchema,
      successStatus: 201,
      async handler({ body, principal, signal }) {
        const { async: isAsync = false, ...wanted } = body ?? {}
        const present = presentTo(deps, principal)
        rights.assertReader(auth.makers.behind(principal), catalog.chosen(wanted.sections))
        const backup = await catalog.request(wanted)
        if (isAsync) return accepted(present(backup))
        return created(present(assertCompleted(await catalog.ended(backup, signal))))
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:backups.upload',
      method: 'POST',
      path: '/admin/backups/upload',
      summary: 'Add a backup that was downloaded, from this service or another one',
      bodyMode: 'stream',
      // The limit is a setting that may change while the service runs: it is enforced while the form is read.
      maxBodyBytes: Number.MAX_SAFE_INTEGER,
      body: Type.Object({
        file: bytesSchema,
        name: Type.Optional(nameSchema),
        retentionDays: Type.Optional(retentionSchema),
      }),
      response: backupSchema,
      successStatus: 201,
      handler: async (request) =>
        created(presentTo(deps, request.principal)(await takeUpload(request, upload))),
    }),
  ]
}

/** @throws AppError 503 */
export function assertCompleted(backup: BackupRow): BackupRow {
  if (backup.status === 'completed') return backup
  throw new AppError(
    'UNAVAILABLE',
    `backup ${backup.id} has failed: ${backup.error ?? 'for no reason known'}`,
    { reason: 'backup_failed' },
  )
}

function scheduleRoutes({ auth, rights, schedule, schedules }: RouteDeps): Route[] {
  if (schedules === undefined) return []
  return [
    defineRoute({
      ...read,
      name: 'admin:backups.schedule.read',
      method: 'GET',
      path: '/admin/backups/schedule',
      summary: 'When backups are made by themselves',
      response: backupScheduleSchema,
      handler: () => schedule.get(schedules),
    }),
    defineRoute({
      ...write,
      name: 'admin:backups.schedule.update',
      method: 'PUT',
      path: '/admin/backups/schedule',
      summary: 'Change when backups are made by themselves',
      body: Type.Object(
        {
          enabled: Type.Optional(Type.Boolean()),
          cronExpression: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          retentionDays: Type.Optional(retentionSchema),
          sections: Type.Optional(sectionsInput),
          ...ignored('nextRunAt', 'lastRunAt', 'lastStatus'),
        },
        strict,
      ),
      response: backupScheduleSchema,
      async handler({ body: { enabled, cronExpression, retentionDays, sections }, principal }) {
        const change = { enabled, cronExpression, retentionDays, sections }
        rights.assertReader(auth.makers.behind(principal), await schedule.meant(sections))
        return schedule.change({ ...change, madeBy: auth.makers.nameOf(principal) }, schedules)
      },
    }),
  ]
}

function backupRoutes(deps: RouteDeps): Route[] {
  const { archives, catalog, rights } = deps
  return [
    defineRoute({
      ...read,
      name: 'admin:backups.read',
      method: 'GET',
      path: '/admin/backups/:id',
      summary: 'One backup',
      params: idParams,
      response: wholeBackupSchema,
      async handler({ params: { id }, principal }) {
        const [backup, restore] = await Promise.all([catalog.find(id), catalog.lastRestore(id)])
        return {
          ...presentTo(deps, principal)(backup),
          lastRestore: restore
            ? presentRestore({ ...restore, error: restore.refusal?.message ?? null })
            : null,
        }
      },
    }),
    defineRoute({
      ...read,
      name: 'admin:backups.download',
      method: 'GET',
      path: '/admin/backups/:id/download',
      summary: 'The file of a backup',
      params: idParams,
      rawResponse: 'application/x-tar',
      async handler({ params, isHead, principal }) {
        const backup = await catalog.find(params.id)
        fileNameOf(backup)
        rights.assertReader(principal, backup.sections)
        const { id, size, createdAt } = backup
        const fileName = `backup-${id}-${createdAt.slice(0, 19).replace(/:/g, '-')}.tar`
        const file = await archives.read(backup)
        if (isHead) file.destroy()
        const stream = isHead ? Readable.from([]) : file
        return new Reply(
          200,
          { kind: 'stream', stream, mediaType: 'application/x-tar', ...(size === null ? {} : { size }) },
          { 'content-disposition': `attachment; filename="${fileName}"`, 'cache-control': 'no-store' },
        )
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:backups.delete',
      method: 'DELETE',
      path: '/admin/backups/:id',
      summary: 'Delete a backup with its file',
      params: idParams,
      response: backupSchema,
      handler: async ({ params, principal }) => presentTo(deps, principal)(await catalog.remove(params.id)),
    }),
    restoreRoute(deps),
  ]
}
