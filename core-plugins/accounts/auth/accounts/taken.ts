import { type Columns, type DatabaseError, isUniqueViolation } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'

/** For an insert that another process may already have made; returns undefined then. */
export async function unlessTaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

/** Retries a write once after it lost a race for a unique value; the winner's row can then be found. */
export async function againIfTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write()
  }
}

/**
 * Reports to the client which of its values are taken.
 * @throws AppError 409 for a unique violation, otherwise the original error
 */
export async function orConflict<T>(what: string, write: Promise<T>, columns: Columns = {}): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const fields = fieldsOf(error, columns)
    const message = `${what}: ${fields.join(', ') || 'one of its unique values'} is already taken`
    const details = fields.map((path) => ({ path, code: 'unique', message: 'is already taken' }))
    throw new AppError('CONFLICT', message, { details, cause: error })
  }
}

/** The columns of a violation, under their API names. */
export function fieldsOf(error: DatabaseError, columns: Columns): string[] {
  const names = new Map(Object.entries(columns).map(([name, { column }]) => [column, name]))
  return error.columns.map((column) => names.get(column) ?? column)
}
