import type { Log } from '../../kernel/index.ts'
import { fieldsOf } from './access-log.ts'
import { answerFailure } from './answer.ts'
import type { AppError } from './app-error.ts'
import { asAppError } from './as-app-error.ts'
import { errorEnvelope } from './error-envelope.ts'
import { BadFraming } from './framing.ts'
import { Overloaded } from './overloaded.ts'
import type { IncomingRequest } from './request.ts'
import { withoutBlame } from './unjudged.ts'

/** Sends anything thrown as an API error, and returns that. */
export function answerError(request: IncomingRequest, thrown: unknown, log: Log): AppError {
  const error = withoutBlame(request, asAppError(thrown))
  const isShed = error instanceof Overloaded
  if (error.status >= 500 && !isShed) logFailure(request, thrown, error, log)
  const close = error instanceof BadFraming || (error.code === 'UNAVAILABLE' && !isShed)
  const text = errorEnvelope(error, request.requestId)
  answerFailure(request, error.status, text, { headers: error.headers, close })
  return error
}

function logFailure(request: IncomingRequest, thrown: unknown, error: AppError, log: Log) {
  // Probes log their own failures.
  if (thrown === error && request.compiled?.route.isProbe === true) return
  const fields = { ...fieldsOf(request, error.status), err: thrown }
  log.error(fields, `${request.method} ${request.path} failed: ${error.code}`)
}
