import { copyFile, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type ServiceToken, service } from '../../../kernel/index.ts'
import { type Auth, operator } from '../../accounts/auth/auth.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import { presentBackup, type ShownBackup } from './backup.ts'
import type { Backup, NewBackup } from './backups.ts'
import type { Catalog } from './catalog.ts'
import type { Archives } from './files/archives.ts'
import type { Inspector } from './restore/inspect.ts'
import { endedRestore, previewRestore } from './restore-route.ts'
import { assertCompleted } from './routes.ts'
import { maxUploadSize } from './settings.ts'
import { addArchive, type UploadDeps } from './upload.ts'

/** What a preview or a restore reports; see docs/backups.md. */
export type RestoreReport = Readonly<Record<string, unknown>>

/**
 * Backups for operators on the machine, who have all rights. Jobs of the kinds `backup.create` and
 * `backup.restore` must run somewhere: in the service, or in this process.
 */
export interface BackupOperations {
  /** Newest first. */
  list(range: { readonly limit: number; readonly offset: number }): Promise<ShownBackup[]>
  /** Resolves when it is completed. @throws AppError 400, 409, 503 */
  create(backup: NewBackup): Promise<ShownBackup>
  /** Adds a copy of a file that was downloaded. @throws AppError 400, 413, or the error of reading it */
  upload(
    path: string,
    given: { readonly name?: string | undefined },
    signal: AbortSignal,
  ): Promise<ShownBackup>
  /** @throws AppError 404, 409, 503 */
  download(id: Backup['id']): Promise<Readable>
  /** What a restore would change. @throws AppError 400, 404, 409 */
  preview(id: number, sections: Partial<Sections> | undefined, signal: AbortSignal): Promise<RestoreReport>
  /** Resolves when all is restored. @throws AppError 400, 404, 409, 503 */
  restore(id: number, sections: Partial<Sections> | undefined): Promise<RestoreReport>
}

export const backupOperationsService: ServiceToken<BackupOperations> = service('backup-operations')

export interface OperationsDeps {
  readonly auth: Auth
  readonly archives: Archives
  readonly catalog: Catalog
  readonly inspector: Inspector
  readonly upload: UploadDeps
}

export function createBackupOperations(deps: OperationsDeps): BackupOperations {
  const { archives, catalog } = deps
  return {
    list: async (range) => (await catalog.list(range)).map(presentBackup),
    create: async (backup) =>
      presentBackup(assertCompleted(await catalog.ended(await catalog.request(backup)))),
    upload: (path, { name }, signal) => uploadFile(deps, { path, name, signal }),
    download: async (id) => archives.read(await catalog.find(id)),
    async preview(id, sections, signal) {
      const backup = await catalog.find(id)
      return { ...(await previewRestore(deps, { backup, sections, principal: operator, signal })) }
    },
    async restore(id, sections) {
      const requested = await catalog.requestRestore({ id, sections, principal: operator, ip: '' })
      return endedRestore(await catalog.restoreEnded(requested))
    },
  }
}

interface LocalFile {
  readonly path: string
  readonly name: string | undefined
  readonly signal: AbortSignal
}

async function uploadFile({ archives, upload }: OperationsDeps, { path, name, signal }: LocalFile) {
  const { size } = await stat(path)
  const maxSize = upload.config.get(maxUploadSize)
  if (size > maxSize) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `a backup may have at most ${maxSize} bytes (backups.maxUploadSize)`,
    )
  }
  const copy = await archives.newPartial()
  try {
    await copyFile(path, copy)
    return presentBackup(await addArchive(copy, { name, signal }, upload))
  } finally {
    await archives.discard(copy)
  }
}
