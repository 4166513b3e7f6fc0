import type { Log } from '../../kernel/index.ts'
import { answerFailure } from './answer.ts'
import { AppError } from './app-error.ts'
import { asAppError } from './as-app-error.ts'
import { errorEnvelope } from './error-envelope.ts'
import type { IncomingRequest } from './request.ts'

/** Sends whatever was thrown as an error of the API and tells the status. */
export function answerError(request: IncomingRequest, thrown: unknown, log: Log): number {
  const error = asAppError(thrown)
  if (error.status >= 500) logFailure(request, thrown, error, log)
  const close = error instanceof BadFraming || error.code === 'UNAVAILABLE'
  const text = errorEnvelope(error, request.requestId)
  return answerFailure(request, error.status, text, { headers: error.headers, close })
}

/** What cannot be told from a smuggled request; nothing more is read from its connection. */
export class BadFraming extends AppError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message)
  }
}

function logFailure(request: IncomingRequest, thrown: unknown, error: AppError, log: Log) {
  const fields = {
    requestId: request.requestId,
    method: request.method,
    path: request.path,
    route: request.compiled?.route.name,
    err: thrown,
  }
  log.error(fields, `${request.method} ${request.path} failed: ${error.code}`)
}
