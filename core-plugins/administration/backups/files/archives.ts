import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMailbox } from '../../../../kernel/index.ts'
import { AppError, asAppError } from '../../../foundation/http/http.ts'
import type { BackupRow } from '../tables.ts'
import { type ArchiveStore, isArchiveName } from './archive-store.ts'
import type { WorkFolder } from './work-folder.ts'

/** The files of backups, in whichever store. */
export interface Archives {
  /** A path for a file that is being made. */
  newPartial(): Promise<string>
  /** Does nothing if there is no such file. */
  discard(path: string): Promise<void>
  /** A unique name for a file to be stored. It is recorded first, so that every file can be found again. */
  newName(): string
  /** Stores a complete file, which may be gone from its path afterwards. */
  keep(path: string, name: string, signal: AbortSignal): Promise<void>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** @throws AppError 404, 409, 503 */
  read(backup: BackupRow): Promise<Readable>
  /**
   * Calls back with the local path of a file, which exists until the callback has ended. Remote files are
   * downloaded one at a time, to take up the space of only one.
   * @throws AppError 400 if the size differs, 404, 409, 503
   */
  withFile<T>(backup: BackupRow, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T>
  /** Removes the leftovers of killed processes. */
  removeLeftovers(): Promise<void>
}

export interface ArchivesDeps {
  /** Complete once the service starts. */
  readonly store: () => ArchiveStore
  readonly work: WorkFolder
}

export function createArchives({ store, work }: ArchivesDeps): Archives {
  const fetches = createMailbox()

  async function fetchTo(path: string, backup: BackupRow, signal: AbortSignal): Promise<void> {
    const name = fileNameOf(backup)
    const size = await store().sizeOf(name)
    if (size !== undefined && size !== backup.size) {
      const message = `the backup has ${size} bytes where it is kept, instead of ${backup.size}`
      throw AppError.invalid([{ path: 'file', code: 'damaged', message }])
    }
    const source = await read(backup)
    try {
      await pipeline(source, createWriteStream(path, { flags: 'wx' }), { signal })
    } catch (error) {
      if (signal.aborted || asAppError(error).code !== 'INTERNAL_ERROR') throw error
      const reason = error instanceof Error ? error.message : String(error)
      const message = `the file of backup ${backup.id} could not be fetched from ${store().place}: ${reason}`
      throw new AppError('UNAVAILABLE', message, { reason: 'storage_away', cause: error })
    }
  }

  async function read(backup: BackupRow): Promise<Readable> {
    return (await store().read(fileNameOf(backup))) ?? missing(backup)
  }

  function missing({ id }: BackupRow): never {
    throw new AppError('NOT_FOUND', `the file of backup ${id} is not in ${store().place}`)
  }

  return {
    newPartial: work.newPartial,
    discard: work.discard,
    async removeLeftovers() {
      await work.removeLeftovers()
      await store().removeLeftovers?.()
    },
    newName() {
      const moment = new Date().toISOString().replace(/[:.]/g, '-')
      return `backup-${moment}-${randomBytes(6).toString('hex')}.tar`
    },
    keep: (path, name, signal) => store().keep(path, assertName(name), signal),
    remove: (name) => store().remove(assertName(name)),
    read,
    async withFile(backup, signal, use) {
      const name = fileNameOf(backup)
      const { pathOf } = store()
      if (pathOf !== undefined) {
        return (await store().sizeOf(name)) === undefined ? missing(backup) : use(pathOf(name))
      }
      return fetches.run(async () => {
        signal.throwIfAborted()
        const path = await work.newPartial()
        try {
          await fetchTo(path, backup, signal)
          return await use(path)
        } finally {
          await work.discard(path)
        }
      })
    },
  }
}

/** @throws AppError 409 */
export function fileNameOf({ id, status, fileName }: BackupRow): string {
  if (status === 'completed' && fileName !== null) return assertName(fileName)
  throw new AppError('CONFLICT', `backup ${id} is ${status}; only completed ones have a file`)
}

function assertName(name: string): string {
  if (isArchiveName(name)) return name
  throw new Error(`${JSON.stringify(name)} cannot name the file of a backup`)
}
