import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { Log } from '../../../kernel/index.ts'
import { type Database, query, type Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import { defineJob, type JobKind, type Jobs } from '../../jobs/jobs.ts'
import { type DeletionHold, deleteFilesKind } from '../media.ts'
import { isMediaKey } from '../media-key.ts'
import type { FileDescription, MediaStorage } from '../storage.ts'
import type { PendingFiles } from './pending-files.ts'

/** A file of this machine on its way to the storage. */
export interface NewFile extends FileDescription {
  readonly key: string
  readonly path: string
}

/** Keeps the storage and the records of the database in step, whenever a process dies. */
export interface FileKeeper {
  /** Puts files into the storage. Unless `confirm` is called for them soon, they are removed again. */
  keep(files: readonly NewFile[]): Promise<void>
  /** Within the transaction that stores the records of kept files. @throws AppError 503 if that took too long */
  confirm(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes kept files that will not be confirmed. Never rejects. */
  abandon(keys: readonly string[]): Promise<void>
  /** Removes files after the commit of the transaction that removes their records. */
  discard(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes what died on its way. */
  sweep(): Promise<void>
}

export interface KeeperScope {
  readonly database: Database
  readonly jobs: Jobs
  readonly pending: PendingFiles
  readonly storage: () => MediaStorage
  readonly log: Log
}

/** Longer than any upload to a distant storage takes. */
const pendingMs = 60 * 60_000
const keysOfOneJob = 500

/** A name that nobody can guess, for a file and, with something appended, what is made of it. */
export function randomKey(): string {
  return randomBytes(16).toString('hex')
}

export interface DeletionScope {
  readonly database: Database
  readonly storage: () => MediaStorage
  readonly holds: () => readonly DeletionHold[]
}

/**
 * Removes files from the storage; until that works, it is tried again for about a day. A restore may have brought the
 * record of a file back after the job was made.
 */
export function deleteFilesJob({ database, storage, holds }: DeletionScope): JobKind<{ keys: string[] }> {
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
      // A record that was written past the library may name what no storage has.
      for (const key of keys.filter(isMediaKey)) {
        signal.throwIfAborted()
        if (!(await isNamed(key))) await storage().delete(key)
      }
    },
  })
}

/** Tells whether a record names a key: as its file, or as one that was made of it. */
function createNameCheck(database: Database): (key: string) => Promise<boolean> {
  const records = query(
    database,
    (value) => sql`select filename from svc_media
      where filename >= ${value('first', 'string')} and filename < ${value('last', 'string')}`,
  )
  return async (key) => {
    const base = key.split(/[_.]/, 1)[0] ?? key
    // Whatever follows the base in a name is lower than a tilde.
    return (await records.get({ first: base, last: `${base}~` })) !== undefined
  }
}

export function createFileKeeper(scope: KeeperScope, deletion: JobKind<{ keys: string[] }>): FileKeeper {
  const { database, jobs, pending, storage, log } = scope

  async function discard(keys: readonly string[], tx: Transaction): Promise<void> {
    for (let start = 0; start < keys.length; start += keysOfOneJob) {
      await jobs.enqueue(tx, deletion, { keys: keys.slice(start, start + keysOfOneJob) })
    }
  }

  /** Whoever takes the row away is the one who decides about the file. */
  async function sweepSome(): Promise<number> {
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
    async keep(files) {
      await pending.announce(files.map(({ key }) => key))
      for (const { key, path, ...description } of files) await storage().adopt(key, path, description)
    },
    async confirm(keys, tx) {
      if ((await pending.settle(keys, tx)) === keys.length) return
      throw new AppError('UNAVAILABLE', 'storing the file took too long; send it again')
    },
    async abandon(keys) {
      try {
        await database.transaction(async (tx) => {
          // Where the rows are gone their records are there: the commit went through and only its answer was lost.
          if ((await pending.settle(keys, tx)) > 0) await discard(keys, tx)
        })
      } catch (error) {
        log.warn({ err: error, keys }, 'files of a failed upload could not be removed; they will be later')
      }
    },
    async sweep() {
      while ((await sweepSome()) > 0);
    },
  }
}
