import { DatabaseError } from '../database/database.ts'
import { AppError } from './app-error.ts'

/** What the client is told of anything that was thrown: what is not meant for it stays inside, as the cause. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof DatabaseError && (thrown.kind === 'unavailable' || thrown.kind === 'busy')) {
    return new AppError('UNAVAILABLE', 'the database does not answer; try again soon', {
      headers: { 'retry-after': '1' },
      cause: thrown,
    })
  }
  return new AppError('INTERNAL_ERROR', 'something went wrong; the log of the service says what', {
    cause: thrown,
  })
}
