import { DatabaseError } from '../database/database.ts'
import { AppError } from '../http/http.ts'

/** True for a write that a unique index refused. */
export function isTaken(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === 'unique'
}

/** For an insert that another process may have made already; that is as good. */
export async function unlessTaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) return undefined
    throw error
  }
}

/** Writes once more after losing a race for a unique value to a twin; by then its row is there to be found. */
export async function againIfTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isTaken(error)) throw error
    return write()
  }
}

/** Tells the client which of its values is taken. @throws AppError 409, or the error itself if it is another */
export async function orConflict<T>(write: Promise<T>, what: string): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isTaken(error) ? conflict(what, error) : error
  }
}

function conflict(what: string, error: DatabaseError): AppError {
  const fields = error.columns.length > 0 ? error.columns.join(', ') : 'one of its unique values'
  return new AppError('CONFLICT', `${what}: ${fields} is taken already`, {
    details: error.columns.map((path) => ({ path, code: 'unique', message: 'is taken already' })),
    cause: error,
  })
}
