import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { Log } from '../../../../kernel/index.ts'
import { createPace, defineJob, type JobKind, type Jobs } from '../../../background/jobs/jobs.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { type Database, query } from '../../../foundation/database/database.ts'
import {
  AppError,
  accepted,
  asAppError,
  defineRoute,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import { type Threads, ThreadTaskError } from '../../../foundation/threads/threads.ts'
import type { Spool } from '../files/spool.ts'
import { examineTask } from '../identify/examine.ts'
import { itself } from '../itself.ts'
import type { Library } from '../library/library.ts'
import { createOriginalNames } from '../library/original-names.ts'
import type { MediaRecord } from '../media.ts'
import { removePrivateData } from '../settings.ts'
import type { MediaState } from '../state.ts'
import type { MediaStorage } from '../storage.ts'
import { mediaTable } from '../system-tables.ts'
import { readOriginalName } from '../upload/original-name.ts'
import { cleanableTypes } from './cleanable-types.ts'

export interface CleaningDeps {
  readonly config: Config
  readonly database: Database
  readonly jobs: Jobs
  readonly library: Library
  readonly log: Log
  readonly spool: () => Spool
  readonly state: MediaState
  readonly storage: () => MediaStorage
  readonly threads: Threads
}

type Candidate = Pick<MediaRecord, 'id' | 'filename'>

const key = 'media.clean-private-data'
const timeoutMs = 24 * 60 * 60_000
const examineTimeoutMs = 10 * 60_000

/** Cleans the files that were uploaded while the removal of private data was off. */
export function createCleaning(deps: CleaningDeps): { readonly job: JobKind<object>; readonly route: Route } {
  const { config, database, jobs, state } = deps
  const next = candidatesOf(database)
  const originalNameOf = createOriginalNames(database)
  const job = defineJob({
    name: key,
    payload: Type.Object({}),
    timeoutMs,
    async run(_, { job: { id: jobId }, signal }) {
      const pace = createPace({ database, most: 1 })
      // If the process is killed, the job continues after the file in the stored state.
      const [of, reached] = ((await state.get(key)) ?? '').split(':').map(Number)
      let after = of === jobId ? (reached ?? 0) : 0
      for (let file = await next(after); file !== undefined; file = await next(after)) {
        signal.throwIfAborted()
        const candidate = file
        await pace.portion(() => cleanAgain(candidate, { ...deps, originalNameOf }, signal))
        after = file.id
        await state.set(key, `${jobId}:${after}`)
      }
    },
  })
  const route = defineRoute({
    access: 'permission',
    scope: 'media:write',
    policies: ['media.read', 'media.write', 'media.delete'],
    name: 'media:files.clean',
    method: 'POST',
    path: '/media/clean-private-data',
    summary: 'Take places and devices out of files of before',
    description:
      'Starts a job that replaces each file that says where or with what it was taken by one that does not; the file as it was stays for those who may write media. While one is unfinished no other is made.',
    response: Type.Object({ jobId: Type.Integer() }, strict),
    successStatus: 202,
    async handler() {
      if (!config.get(removePrivateData)) {
        throw new AppError('CONFLICT', 'media.removePrivateData is off: nothing is taken out of files')
      }
      const jobId = await database.transaction((tx) => jobs.enqueue(tx, job, {}, { key }))
      return accepted({ jobId })
    },
  })
  return { job, route }
}

/** Finds the next file, by id, that may contain private data. */
function candidatesOf(database: Database): (after: number) => Promise<Candidate | undefined> {
  const { id, filename, mimeType, untouched } = mediaTable.columns
  const selection = query<Candidate>(
    database,
    (value, inList) => sql`select ${id}, ${filename} from ${mediaTable}
      where ${id} > ${value(id, 'after')} and ${untouched} is null and ${inList(mimeType, 'types')} order by ${id} limit 1`,
    { id, filename },
  )
  return async (after) => selection.get({ after, types: cleanableTypes })
}

/** Files that cannot be examined stay unchanged. */
async function cleanAgain(
  file: Candidate,
  deps: CleaningDeps & { readonly originalNameOf: ReturnType<typeof createOriginalNames> },
  signal: AbortSignal,
): Promise<void> {
  const { library, log, originalNameOf, spool, storage, threads } = deps
  const [path, untouched] = [spool().newPath(), spool().newPath()]
  try {
    const stream = await storage().read(file.filename)
    if (stream === undefined) return
    await pipeline(stream, createWriteStream(path), { signal })
    const original = readOriginalName(await originalNameOf(file.filename))
    const looked = await threads.run(
      examineTask,
      { path, extension: original.extension, untouched, removesPrivateData: true },
      { signal, timeoutMs: examineTimeoutMs },
    )
    if ('refusal' in looked || !looked.hasChanged) return
    const { size } = await stat(untouched)
    await library.cleanStored(
      file,
      { field: 'file', path: untouched, original, size },
      { principal: itself, signal },
    )
  } catch (error) {
    if (!isOfFile(error)) throw error
    log.warn({ err: error, media: file.id }, 'a file could not be looked through for where it was taken')
  } finally {
    await spool().remove([path, untouched])
  }
}

/**
 * Whether the error concerns only this file: it crashes its reader, is no longer accepted, or has since been replaced or
 * deleted.
 */
function isOfFile(error: unknown): boolean {
  const { code } = asAppError(error)
  return (
    ['UNSUPPORTED_MEDIA_TYPE', 'NOT_FOUND'].includes(code) ||
    (error instanceof ThreadTaskError && code !== 'STORAGE_FULL')
  )
}
