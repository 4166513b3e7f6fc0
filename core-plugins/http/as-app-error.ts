import { DatabaseError, type DatabaseErrorKind } from '../database/database.ts'
import { AppError } from './app-error.ts'

/** Whether something was thrown because a disk has no room left, or none that this process may use. */
function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  // Of an error that comes from another thread, the message is left and the code is not.
  return /^(ENOSPC|EDQUOT):/.test(thrown.message) || isDiskFull(thrown.cause)
}

const passingFailures: Readonly<Partial<Record<DatabaseErrorKind, string>>> = {
  unavailable: 'the database does not answer; try again soon',
  busy: 'the database is too busy to serve this in time; try again soon',
  timeout:
    'the database needs longer for this than it may take (database.readTimeoutMs); ask for less at a time: ' +
    'fewer conditions, above all of those that look into texts or through relations, or a sort by an indexed field',
}

function isDatabaseFull(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.kind === 'full'
}

function isAbandoned(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.kind === 'abandoned'
}

/** What the client is told of anything that was thrown: what is not meant for it stays inside, as the cause. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const passing = thrown instanceof DatabaseError ? passingFailures[thrown.kind] : undefined
  if (passing !== undefined) {
    return new AppError('UNAVAILABLE', passing, { headers: { 'retry-after': '1' }, cause: thrown })
  }
  if (isAbandoned(thrown)) return new AppError('CLIENT_GONE', 'the client has left', { cause: thrown })
  if (isDatabaseFull(thrown)) return AppError.storageFull('the database has no room left', thrown)
  if (isDiskFull(thrown)) return AppError.storageFull('a disk of the service is full', thrown)
  return new AppError('INTERNAL_ERROR', 'something went wrong; the log of the service says what', {
    cause: thrown,
  })
}
