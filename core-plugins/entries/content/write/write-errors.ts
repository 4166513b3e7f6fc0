import {
  type ColumnKind,
  DatabaseError,
  explainHolds,
  holdDetails,
} from '../../../foundation/database/database.ts'
import { AppError, asUnavailableReason, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import type { ColumnField, EntryModel, LinkField } from '../entry/entry-model.ts'
import { maxProblems, type PayloadReference } from '../payload/report.ts'
import type { References } from './references.ts'

/** A foreign key refused the write; the offending id is looked up once the transaction is over. */
export class BrokenReference extends AppError {
  readonly references: References

  constructor(references: References, cause: unknown) {
    const details = [...references.values()].flat().map(({ id, path }) => ({
      path,
      code: 'reference',
      message: `one of the ids does not exist, possibly ${id}`,
    }))
    super('VALIDATION_ERROR', 'the entry refers to one that does not exist', { details, cause })
    this.references = references
  }
}

/** Values of one row, by column, that another entry already holds. */
export interface TakenValues {
  readonly model: EntryModel
  /** Empty if they cannot be determined. */
  readonly values: ReadonlyMap<string, { readonly value: unknown; readonly kind: ColumnKind }>
}

/**
 * A unique index refused the write; whether the other entry is in the trash is looked up once the transaction
 * is over.
 */
export class ValuesTaken extends AppError {
  readonly taken: TakenValues

  constructor(taken: TakenValues, details: readonly ErrorDetail[], cause: unknown) {
    super('CONFLICT', takenMessage(details, details[0]?.message ?? 'is already taken'), {
      cause,
      ...(details.length > 0 ? { details } : {}),
    })
    this.taken = taken
  }

  /** The error for callers who may see the trash: names the entry that holds the value. */
  inTrash(id: number): AppError {
    const { name } = this.taken.model.type
    const message = `is already taken by ${name} ${id} in the trash; restore that entry, or delete it permanently`
    const details = (this.details ?? []).map((detail) => ({ ...detail, message }))
    return new AppError('CONFLICT', takenMessage(details, message), { cause: this.cause, details })
  }
}

/**
 * A `oneToMany` relation refers to an entry that already belongs to another one. Which one, and whether its owner is in the
 * trash, is looked up once the transaction is over.
 */
export class TargetsTaken extends AppError {
  readonly model: EntryModel
  readonly field: LinkField
  /** The entries that the relation refers to. */
  readonly targets: readonly PayloadReference[]
  /** The id of the entry itself if it is not new. */
  readonly owner: number | undefined

  constructor(model: EntryModel, field: LinkField, { references, before }: Attempt, cause: unknown) {
    const message = 'one of the entries belongs to another one already'
    const details = [{ path: field.name, code: 'unique', message }]
    super('CONFLICT', `${field.name}: ${message}`, { details, cause })
    this.model = model
    this.field = field
    this.owner = before?.id
    this.targets = [...references.values()].flat().filter(({ path }) => path.split('.', 1)[0] === field.name)
  }

  /** The error that names the targets that belong to other entries. */
  of(details: readonly ErrorDetail[]): AppError {
    return new AppError('CONFLICT', takenMessage(details, details[0]?.message ?? ''), {
      cause: this.cause,
      details,
    })
  }
}

function takenMessage(details: readonly ErrorDetail[], problem: string): string {
  const names = details.map(({ path }) => path).join(', ')
  return names === '' ? `a value that must be unique ${problem}` : `${names}: ${problem}`
}

/** What a write was about to store; for a change, `before` holds the fields it leaves unchanged. */
export interface Attempt {
  readonly references: References
  readonly columns?: Readonly<Record<string, unknown>>
  readonly before?: Entry
}

/** Returns the error for the client when the database refuses to store an entry. */
export function explainStoreError(error: unknown, model: EntryModel, attempt: Attempt): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'unique') return uniqueConflict(error, model, attempt)
  if (error.kind === 'reference') return new BrokenReference(attempt.references, error)
  return error
}

/** Returns the error for the client when the database refuses to delete an entry. */
export function explainRemoveError(error: unknown, { type }: EntryModel, id: number): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'reference') return error
  return new StillReferred(type, id, error)
}

/**
 * 409: a relation of another entry forbids the deletion. Whether it belongs to a type that is no longer in the schemas is looked
 * up once the transaction is over.
 */
export class StillReferred extends AppError {
  readonly type: ContentType
  readonly id: number

  constructor(type: ContentType, id: number, cause?: unknown) {
    const message = `this ${type.name} is still referred to; remove or change what refers to it first`
    super('RESTRICTED', message, { cause })
    this.type = type
    this.id = id
  }

  /** The error for callers who may know the names of tables. */
  by(tables: readonly string[]): AppError {
    const entry = `${this.type.name} ${this.id}`
    return new AppError('RESTRICTED', `${entry} ${explainHolds(tables)}`, {
      cause: this.cause,
      details: holdDetails(tables, entry),
    })
  }

  /** The error for all others. */
  byUndeclared(): AppError {
    const held = 'is kept by entries of a type that is not there any more; an administrator can drop them'
    return new AppError('RESTRICTED', `this ${this.type.name} ${held}`, { cause: this.cause })
  }
}

function uniqueConflict(error: DatabaseError, model: EntryModel, attempt: Attempt): AppError {
  const link = linkOf(error, model)
  if (link !== undefined) return new TargetsTaken(model, link, attempt, error)
  const details = takenFields(error.columns, model)
  return new ValuesTaken({ model, values: valuesOf(error.columns, model, attempt) }, details, error)
}

/** Columns that only limit the scope of uniqueness, such as the locale, are reported only if there are no others. */
function takenFields(columns: readonly string[], model: EntryModel): ErrorDetail[] {
  const added = model.added.filter(({ column }) => columns.includes(column))
  const own = columns.filter((column) => !added.some((each) => each.column === column))
  const scope = own.length === 0 ? '' : added.map(({ field }) => ` in this ${field}`).join('')
  const named = own.length === 0 ? columns : own
  return named.map((column) => {
    const path = fieldNameOf(column, model)
    return { path, code: 'unique', message: `is already taken${scope}` }
  })
}

/** The relation whose targets belong to one entry each, if the error is about them. */
function linkOf({ table, columns }: DatabaseError, { links }: EntryModel): LinkField | undefined {
  if (columns.join() !== 'target_id') return undefined
  const owning = [...links.values()].filter(
    ({ attribute }) => attribute.type === 'relation' && attribute.relation === 'oneToMany',
  )
  return owning.find(({ link }) => link.name === table) ?? owning[0]
}

function valuesOf(
  columns: readonly string[],
  model: EntryModel,
  { columns: sent = {}, before }: Attempt,
): TakenValues['values'] {
  const values = columns.flatMap((column) => {
    const field = fieldOf(column, model)
    const kind = field?.kind
    const value = Object.hasOwn(sent, column) ? sent[column] : before?.[field?.name ?? '']
    return kind === undefined || value == null ? [] : [[column, { value, kind }] as const]
  })
  return new Map(values.length === columns.length ? values : [])
}

function fieldNameOf(column: string, model: EntryModel): string {
  const own = fieldOf(column, model)?.name
  return own ?? model.added.find((added) => added.column === column)?.field ?? column
}

function fieldOf(column: string, { stored, uuid }: EntryModel): ColumnField | undefined {
  for (const field of stored) if ('column' in field && field.column === column) return field
  return uuid?.column === column ? uuid : undefined
}

/** An entry of a bulk operation was not written because an earlier one failed. */
export class NotReached extends Error {
  constructor() {
    super('another entry could not be written')
  }
}

/** The database refused a statement that stores several entries, without saying which of them is at fault. */
export class RefusedTogether extends AppError {
  constructor(cause: unknown) {
    const message = 'one of the entries has a value that is already taken, or refers to an entry that is gone'
    super('CONFLICT', message, { cause })
  }
}

/** Returns the error for all entries of a statement that the database has refused. */
export function refusedTogether(error: unknown): unknown {
  const isRefusal = error instanceof DatabaseError && ['unique', 'reference'].includes(error.kind)
  return isRefusal ? new RefusedTogether(error) : error
}

/** A refused payload, by its position, with the reason. */
export interface RowFailure {
  readonly index: number
  readonly error: AppError
}

/** Payloads were refused, so nothing was written; details begin with the position of their payload: `3.title`. */
export class RowsRefused extends AppError {
  readonly rows: readonly RowFailure[]

  constructor(rows: readonly RowFailure[]) {
    const sorted = [...rows].sort((left, right) => left.index - right.index)
    const details = sorted.flatMap(rowDetails).slice(0, maxProblems)
    const first = details[0]
    const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
    const { code = 'CONFLICT', reason } = sorted[0]?.error ?? {}
    const told = { reason: asUnavailableReason(reason), details }
    super(code, `${first?.path} ${first?.message}${more}`, told)
    this.rows = sorted
  }
}

function rowDetails({ index, error: { code, message, details } }: RowFailure): ErrorDetail[] {
  if (details === undefined || details.length === 0) return [{ path: `${index}`, code, message }]
  return details.map((detail) => ({
    ...detail,
    path: detail.path === '' ? `${index}` : `${index}.${detail.path}`,
  }))
}

/** Entries of a bulk operation that failed, each with its reason. */
type Failures = readonly { readonly id: number; readonly reason: unknown }[]

/** The error of the first failed entry, for operations in which all entries fail for the same reason. */
export function failedAlike(_type: string, failures: Failures): unknown {
  return failures.find(({ reason }) => !(reason instanceof NotReached))?.reason
}

/**
 * One error for all failed entries of a bulk operation, each with its reason. A refused entry aborts the transaction, so that
 * pending queries of other entries fail as well; an unexpected error is returned unchanged only if no entry was refused.
 */
export function failedTogether(type: string, failures: Failures): unknown {
  const details: ErrorDetail[] = []
  let told: AppError | undefined
  for (const { id, reason } of failures) {
    if (!(reason instanceof AppError)) continue
    told ??= reason
    details.push({ path: `${type}:${id}`, code: reason.code, message: reason.message })
  }
  const [first] = details
  if (first === undefined || told === undefined) return failedAlike(type, failures)
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return AppError.reworded(told, `${first.path} ${first.message}${more}`, { details })
}
