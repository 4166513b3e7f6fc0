import type { SystemEntries } from '../../../entries/content/content.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import type { MediaRecord } from '../media.ts'
import type { RecordChange } from './library.ts'
import type { UpdateRecord } from './record-update.ts'
import { normaliseTags } from './tags.ts'

/** A file's id and the description to store for it. */
export interface NamedDescription {
  readonly id: number
  readonly [field: string]: unknown
}

/** Changes what users enter about files: alternative text, focal point, tags, folder and extension attributes. */
export interface Descriptions {
  /** @throws AppError 400, 404, 412 */
  change(change: RecordChange, payload: object): Promise<MediaRecord>
  /** Changes all files or none; the details of errors contain the index of the file. @throws AppError 400, 404 */
  changeMany(files: readonly NamedDescription[], principal: Principal): Promise<MediaRecord[]>
}

export interface DescriptionDeps {
  readonly database: Database
  readonly entries: SystemEntries
  readonly update: UpdateRecord
}

interface Writing {
  readonly principal: Principal
  readonly tx: Transaction
  readonly now: string
}

/** Checks a description and returns values for the record. @throws AppError 400 */
export function createDescriptionCheck(entries: SystemEntries) {
  return async (before: MediaRecord, payload: object, writing: Writing): Promise<Record<string, unknown>> => {
    const values = await entries.check(withPlainTags(payload), { ...writing, before })
    const problem = focalProblem({ ...before, ...values })
    if (problem !== undefined) throw AppError.invalid([problem])
    return values
  }
}

/** Creates the service that changes descriptions. */
export function createDescriptions({ database, entries, update }: DescriptionDeps): Descriptions {
  const valuesOf = createDescriptionCheck(entries)
  return {
    change: ({ id, principal, ifMatch }, payload) =>
      database.transaction(async (tx) => {
        const writing = { principal, tx, now: new Date().toISOString() }
        const before = (await entries.open(id, { tx, ifMatch })) as MediaRecord
        return update(before, await valuesOf(before, payload, writing), writing)
      }),
    changeMany: (files, principal) =>
      database.transaction(async (tx) => {
        const writing = { principal, tx, now: new Date().toISOString() }
        const found = await entries.openMany(
          files.map(({ id }) => id),
          tx,
        )
        const records = new Map(found.map((entry) => [entry.id, entry as MediaRecord]))
        assertComplete(files, records)
        const problems: ErrorDetail[] = []
        const changes: (readonly [MediaRecord, Record<string, unknown>])[] = []
        for (const [index, { id, ...payload }] of files.entries()) {
          const before = records.get(id) as MediaRecord
          const values = await valuesOf(before, payload, writing).catch(collectInto(problems, index))
          if (values !== undefined) changes.push([before, values])
        }
        if (problems.length > 0) throw AppError.invalid(problems)
        const changed: MediaRecord[] = []
        for (const [before, values] of changes) changed.push(await update(before, values, writing))
        return changed
      }),
  }
}

function assertComplete(files: readonly NamedDescription[], records: ReadonlyMap<number, MediaRecord>): void {
  const ids = files.map(({ id }) => id)
  const missing = ids.filter((id) => !records.has(id))
  if (missing.length > 0) throw AppError.notFound(`media ${missing.slice(0, 20).join(', ')}`)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice === -1) return
  throw AppError.invalid([{ path: `files[${twice}].id`, code: 'unique', message: 'is there twice' }])
}

/** Collects the validation errors of one file with its index; rethrows other errors. */
function collectInto(problems: ErrorDetail[], index: number) {
  return (error: unknown): undefined => {
    if (!(error instanceof AppError) || error.details === undefined || error.status !== 400) throw error
    for (const detail of error.details) problems.push({ ...detail, path: `files[${index}].${detail.path}` })
  }
}

/** Normalises tags; a value that is not a list of tags is left to the validation of the field. */
function withPlainTags(payload: object): object {
  const { tags } = payload as { readonly tags?: unknown }
  return typeof tags === 'string' ? { ...payload, tags: normaliseTags(tags) } : payload
}

function focalProblem({ focalX, focalY }: Pick<MediaRecord, 'focalX' | 'focalY'>): ErrorDetail | undefined {
  if ((focalX === null) === (focalY === null)) return undefined
  const path = focalX === null ? 'focalX' : 'focalY'
  return { path, code: 'required', message: 'is missing: a focal point has both coordinates, or none' }
}
