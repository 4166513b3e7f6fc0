import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  AppError,
  defineRoute,
  idParams,
  type Principal,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import { askedSections, type Catalog } from './catalog.ts'
import type { Archives } from './files/archives.ts'
import type { Inspector } from './restore/inspect.ts'
import type { SectionRights } from './section-rights.ts'
import { sectionsInput, sectionsSchema } from './section-schemas.ts'
import type { BackupRow, RestoreRow } from './tables.ts'

export interface RestoreRouteDeps {
  readonly auth: Auth
  readonly archives: Archives
  readonly catalog: Catalog
  readonly inspector: Inspector
  readonly rights: SectionRights
}

const restoreSchema = Type.Object({
  success: Type.Boolean(),
  dryRun: Type.Boolean(),
  sections: sectionsSchema,
  restartRequired: Type.Boolean({
    description: 'Schema files were changed, which a service reads at its start',
  }),
  changes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  problems: Type.Optional(Type.Array(Type.Unknown())),
  restored: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()))),
  replacedRoles: Type.Record(Type.String(), Type.Integer(), {
    description: 'Content users who get the role `authenticated` in the place of one that you could not give',
  }),
  lostReferences: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  skippedSettings: Type.Optional(Type.Array(Type.Unknown())),
  filesWritten: Type.Optional(Type.Integer()),
  schemaFilesWritten: Type.Optional(Type.Array(Type.String())),
})

/** Restores a backup, or reports what that would change. */
export function restoreRoute(deps: RestoreRouteDeps): Route {
  const { catalog, rights } = deps
  return defineRoute({
    tag: 'Backups',
    access: 'area',
    scope: 'admin:backups:write',
    name: 'admin:backups.restore',
    method: 'POST',
    path: '/admin/backups/:id/restore',
    summary: 'Restore a backup, or tell what that would change',
    description:
      'All of it happens or nothing. With `dryRun` nothing is changed; `problems` tells what keeps it from being restored.',
    // A restore is recorded in its own transaction; a dry run changes nothing.
    audit: false,
    params: idParams,
    isBodyOptional: true,
    body: Type.Object(
      {
        dryRun: Type.Optional(Type.Boolean()),
        sections: Type.Optional(sectionsInput),
      },
      strict,
    ),
    response: restoreSchema,
    async handler({ params: { id }, body, principal, ip, signal }) {
      const { dryRun = false, sections } = body ?? {}
      const backup = await catalog.find(id)
      rights.assertRestorer(principal, askedSections(backup, sections))
      if (dryRun) return { dryRun, ...(await previewRestore(deps, { backup, sections, principal, signal })) }
      const requested = await catalog.requestRestore({ id, sections, principal, ip })
      return { dryRun, ...endedRestore(await catalog.restoreEnded(requested, signal)) }
    },
  })
}

/** What a restore has done. @throws AppError if it was refused */
export function endedRestore({ refusal, result, sections }: RestoreRow) {
  if (refusal !== null) {
    const { code, message, details } = refusal
    throw new AppError(code, message, { reason: 'backup_failed', details })
  }
  return { success: true, sections, ...(result as object) }
}

interface DryRun {
  readonly backup: BackupRow
  readonly sections: Partial<Sections> | undefined
  readonly principal: Principal
  readonly signal: AbortSignal
}

/** What a restore would change, and what would prevent it. */
export function previewRestore(
  { auth, archives, inspector }: Pick<RestoreRouteDeps, 'auth' | 'archives' | 'inspector'>,
  { backup, sections, principal, signal }: DryRun,
) {
  const mayGiveRole = (role: string) => auth.mayGiveRole(principal, role)
  return archives.withFile(backup, signal, async (path) => {
    const archive = await inspector.inspect({ path, backup }, sections, signal)
    const { problems, ...others } = await inspector.preview(archive, { mayGiveRole, signal })
    return { success: problems.length === 0, sections: archive.sections, problems, ...others }
  })
}
