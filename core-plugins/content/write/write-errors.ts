import { DatabaseError } from '../../database/database.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { EntryModel } from '../entry-model.ts'
import type { References } from './references.ts'

/** A foreign key refused the write; which id it was is found out once the transaction is over. */
export class BrokenReference extends AppError {
  readonly references: References

  constructor(references: References, cause: unknown) {
    const details = [...references.values()].flat().map(({ id, path }) => ({
      path,
      code: 'reference',
      message: `one of the ids names no entry; ${id} may be the one`,
    }))
    super('VALIDATION_ERROR', 'the entry points at one that does not exist', { details, cause })
    this.references = references
  }
}

/** What the client is told when the database refuses to store an entry. */
export function explainStoreError(error: unknown, model: EntryModel, references: References): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'unique') return uniqueConflict(error, model)
  if (error.kind === 'reference') return new BrokenReference(references, error)
  return error
}

/** What the client is told when the database refuses to delete an entry. */
export function explainRemoveError(error: unknown, model: EntryModel): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'reference') return error
  return restricted(model, error)
}

/** 409: something that must not lose it still points at the entry. */
export function restricted(model: EntryModel, cause?: unknown): AppError {
  const message = `this ${model.type.name} is still referred to; remove or change what refers to it first`
  return new AppError('RESTRICTED', message, { cause })
}

function uniqueConflict(error: DatabaseError, model: EntryModel): AppError {
  const details = error.columns.map((column): ErrorDetail => {
    const path = fieldNameOf(column, model)
    return { path, code: 'unique', message: 'is taken already' }
  })
  const names = details.map(({ path }) => path).join(', ')
  const message = names === '' ? 'a value that must be unique is taken already' : `${names}: is taken already`
  return new AppError('CONFLICT', message, { cause: error, ...(details.length > 0 ? { details } : {}) })
}

function fieldNameOf(column: string, model: EntryModel): string {
  for (const field of model.stored) if ('column' in field && field.column === column) return field.name
  return model.added.find((added) => added.column === column)?.field ?? column
}

/** An entry of a bulk operation was not written because another one failed before. */
export class NotReached extends Error {
  constructor() {
    super('another entry could not be written')
  }
}

/**
 * One error for all entries of a bulk operation that failed, each with why. A refused entry fails the transaction, and
 * with it what others still ask of the database: only where none was refused, something unforeseen stays as it is.
 */
export function failedTogether(
  type: string,
  failures: readonly { readonly id: number; readonly reason: unknown }[],
): unknown {
  const details: ErrorDetail[] = []
  let code: AppError['code'] | undefined
  for (const { id, reason } of failures) {
    if (!(reason instanceof AppError)) continue
    code ??= reason.code
    details.push({ path: `${type}:${id}`, code: reason.code, message: reason.message })
  }
  const [first] = details
  if (first === undefined) return failures.find(({ reason }) => !(reason instanceof NotReached))?.reason
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new AppError(code ?? 'CONFLICT', `${first.path} ${first.message}${more}`, { details })
}
