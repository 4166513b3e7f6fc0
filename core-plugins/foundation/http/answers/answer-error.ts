import type { Log } from '../../../../kernel/index.ts'
import { fieldsOf } from '../requests/access-log.ts'
import { BadFraming } from '../requests/framing.ts'
import type { IncomingRequest } from '../requests/request.ts'
import { withoutBlame } from '../requests/unjudged.ts'
import { answerFailure } from './answer.ts'
import type { AppError } from './app-error.ts'
import { asAppError } from './as-app-error.ts'
import { errorEnvelope, toldError } from './error-envelope.ts'
import { Overloaded } from './overloaded.ts'

/** Sends anything thrown as an API error. Returns the error that was sent. */
export function answerError(request: IncomingRequest, thrown: unknown, log: Log): AppError {
  const error = withoutBlame(request, asAppError(thrown))
  const isShed = error instanceof Overloaded
  if (error.status >= 500 && !isShed) logFailure(request, thrown, error, log)
  const close = error instanceof BadFraming || (error.code === 'UNAVAILABLE' && !isShed)
  tell(request, error, { close, log })
  return error
}

/** Sends the error in the route's own error format, if the route defines one. */
function tell(request: IncomingRequest, error: AppError, { close, log }: { close: boolean; log: Log }): void {
  const { status, headers } = error
  const told = toldError(error, request.requestId)
  const route = request.compiled?.route
  try {
    const own = route?.tellError?.(told, request)
    if (own !== undefined) {
      answerFailure(request, status, own.text, { headers: { ...headers, ...own.headers }, close })
      return
    }
  } catch (thrown) {
    log.error({ err: thrown, route: route?.name }, 'a route could not tell an error in its own form')
  }
  answerFailure(request, status, errorEnvelope(told), { headers, close })
}

function logFailure(request: IncomingRequest, thrown: unknown, error: AppError, log: Log) {
  // Probes log their own failures.
  if (thrown === error && request.compiled?.route.isProbe === true) return
  const { status, reason } = error
  const fields = { ...fieldsOf(request, status), ...(reason !== undefined && { reason }), err: thrown }
  log.error(fields, `${request.method} ${request.path} failed: ${error.code}`)
}
