import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMailbox } from '../../../kernel/index.ts'
import { AppError, asAppError } from '../../http/http.ts'
import type { BackupRow } from '../backup-store.ts'
import { type ArchiveStore, isArchiveName } from './archive-store.ts'
import type { WorkFolder } from './work-folder.ts'

/** The files of backups, wherever they are kept. */
export interface Archives {
  /** Opens the way for a file that is being made. */
  newPartial(): Promise<string>
  /** Does nothing where there is no such file. */
  discard(path: string): Promise<void>
  /** A name that is nobody else's, for a file that is to be kept. It is written down first, so that no file is lost sight of. */
  newName(): string
  /** Keeps a complete file, which may be gone from its place afterwards. */
  keep(path: string, name: string, signal: AbortSignal): Promise<void>
  /** Does nothing where there is no such file. */
  remove(name: string): Promise<void>
  /** @throws AppError 404, 409, 503 */
  read(backup: BackupRow): Promise<Readable>
  /**
   * Calls back with the path of a file on this machine, where it stays for so long. What has to be fetched for that is
   * fetched one at a time, so that no more than one of them takes room.
   * @throws AppError 400 where it is of another size, 404, 409, 503
   */
  withFile<T>(backup: BackupRow, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T>
  /** Removes what was left behind by processes that were killed. */
  sweep(): Promise<void>
}

export interface ArchivesScope {
  /** Complete once the service starts. */
  readonly store: () => ArchiveStore
  readonly work: WorkFolder
}

export function createArchives({ store, work }: ArchivesScope): Archives {
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
      throw new AppError('UNAVAILABLE', message, { cause: error })
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
    sweep: work.sweep,
    newName() {
      const moment = new Date().toISOString().replace(/[:.]/g, '-')
      return `backup-${moment}-${randomBytes(6).toString('hex')}.tar`
    },
    keep: (path, name, signal) => store().keep(path, expectName(name), signal),
    remove: (name) => store().remove(expectName(name)),
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
  if (status === 'completed' && fileName !== null) return expectName(fileName)
  throw new AppError('CONFLICT', `backup ${id} is ${status}; only completed ones have a file`)
}

function expectName(name: string): string {
  if (isArchiveName(name)) return name
  throw new Error(`${JSON.stringify(name)} cannot name the file of a backup`)
}
