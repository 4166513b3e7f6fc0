import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { Log } from '../../../../kernel/index.ts'
import { defineJob, type JobKind, type Jobs } from '../../../background/jobs/jobs.ts'
import { type Database, query, type Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type DeletionHold, deleteFilesKind, type FileRemoval } from '../media.ts'
import { isMediaKey } from '../media-key.ts'
import type { FileDescription, MediaStorage } from '../storage.ts'
import { baseOf } from './base-of.ts'
import type { PendingFiles } from './pending-files.ts'

/** A local file to be copied to the storage. */
export interface NewFile extends FileDescription {
  readonly key: string
  readonly path: string
}

/** Keeps storage and database records consistent, even if a process is killed. */
export interface FileStore {
  /** Writes files to the storage. They are removed again unless `confirm` is called for them soon. */
  put(files: readonly NewFile[]): Promise<void>
  /** To be called in the transaction that stores the records of the files. @throws AppError 503 if that took too long */
  confirm(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes stored files that will not be confirmed. Never rejects. */
  abandon(keys: readonly string[]): Promise<void>
  /** Removes files after the commit of the transaction that removes their records. */
  discard(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes the files of uploads whose process was killed. */
  removeLeftovers(): Promise<void>
}

export interface FileStoreDeps {
  readonly database: Database
  readonly jobs: Jobs
  readonly pending: PendingFiles
  readonly storage: () => MediaStorage
  readonly removals: () => readonly FileRemoval[]
  readonly log: Log
}

/** Longer than any upload to a remote storage takes. */
const pendingMs = 60 * 60_000
const keysOfOneJob = 500

/** An unguessable base for the names of a file and, with a suffix, of its thumbnails. */
export function randomKey(): string {
  return randomBytes(16).toString('hex')
}

export interface DeletionDeps {
  readonly database: Database
  readonly storage: () => MediaStorage
  readonly holds: () => readonly DeletionHold[]
}

/**
 * Removes files from the storage, with retries for about a day. Skips files that have a record, since a restore may have
 * brought it back after the job was enqueued.
 */
export function deleteFilesJob({ database, storage, holds }: DeletionDeps): JobKind<{ keys: string[] }> {
  const isNamed = createNameCheck(database)
  return defineJob({
    name: deleteFilesKind,
    payload: Type.Object({ keys: Type.Array(Type.String()) }),
    maxAttempts: 100,
    async run({ keys }, { signal }) {
      for (const { isHeld } of holds()) {
        if (await isHeld())
          throw new Error('files are not removed at present, as a backup or restore needs them')
      }
      // A record that was written without the library may contain invalid keys.
      for (const key of keys.filter(isMediaKey)) {
        signal.throwIfAborted()
        if (!(await isNamed(key))) await storage().delete(key)
      }
    },
  })
}

/** Reports whether a record refers to a key as its file or as a thumbnail. */
function createNameCheck(database: Database): (key: string) => Promise<boolean> {
  const records = query(
    database,
    (value) => sql`select filename from svc_media
      where filename >= ${value('first', 'string')} and filename < ${value('last', 'string')}`,
  )
  return async (key) => {
    const base = baseOf(key)
    // Any suffix of the base sorts below a tilde.
    return (await records.get({ first: base, last: `${base}~` })) !== undefined
  }
}

export function createFileStore(deps: FileStoreDeps, deletion: JobKind<{ keys: string[] }>): FileStore {
  const { database, jobs, pending, storage, removals, log } = deps

  async function discard(keys: readonly string[], tx: Transaction): Promise<void> {
    for (let start = 0; start < keys.length; start += keysOfOneJob) {
      await jobs.enqueue(tx, deletion, { keys: keys.slice(start, start + keysOfOneJob) })
    }
    for (const prepare of removals()) await prepare(keys, tx)
  }

  /** Several processes may run this: the one that deletes the row removes the file. */
  async function removeSome(): Promise<number> {
    const than = new Date(Date.now() - pendingMs).toISOString()
    return database.transaction(async (tx) => {
      const keys = await pending.findOlder(than, tx)
      if (keys.length === 0) return 0
      await pending.settle(keys, tx)
      await discard(keys, tx)
      return keys.length
    })
  }

  return {
    discard,
    async put(files) {
      await pending.announce(files.map(({ key }) => key))
      for (const { key, path, ...description } of files) await storage().adopt(key, path, description)
    },
    async confirm(keys, tx) {
      if ((await pending.settle(keys, tx)) === keys.length) return
      throw new AppError('UNAVAILABLE', 'storing the file took too long; send it again', {
        reason: 'file_too_slow',
      })
    },
    async abandon(keys) {
      try {
        await database.transaction(async (tx) => {
          // If the rows are gone, the records exist: the commit succeeded and only its response was lost.
          if ((await pending.settle(keys, tx)) > 0) await discard(keys, tx)
        })
      } catch (error) {
        log.warn({ err: error, keys }, 'files of a failed upload could not be removed; they will be later')
      }
    },
    async removeLeftovers() {
      while ((await removeSome()) > 0);
    },
  }
}
