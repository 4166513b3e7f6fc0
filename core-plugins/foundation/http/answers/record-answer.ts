import type { IncomingRequest } from '../requests/request.ts'
import type { AnsweredRequest } from '../requests/request-observer.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import { answerError } from './answer-error.ts'
import type { UnavailableReason } from './unavailable-reasons.ts'

/** Marks the request as answered, and reports it to the access log and the observers. */
export function recordAnswer(
  request: IncomingRequest,
  status: number,
  environment: RequestEnvironment,
  reason?: UnavailableReason,
): void {
  request.isAnswered = true
  releaseMaking(request)
  const durationMs = performance.now() - request.startedAt
  environment.accessLog?.write(request, status, durationMs)
  observe(request, { status, reason, durationMs }, environment)
}

/** Answers with the error, and reports it. */
export function fail(request: IncomingRequest, error: unknown, environment: RequestEnvironment): void {
  // The address can only be read before answering. The log of a failure is worth the cost of reading it.
  void request.ip
  releaseMaking(request)
  tellFailure(request, environment)
  const { status, reason } = answerError(request, error, environment.log)
  // Errors from 500 up have already been logged in full.
  const durationMs = performance.now() - request.startedAt
  if (status < 500) environment.accessLog?.write(request, status, durationMs)
  observe(request, { status, reason, durationMs }, environment)
}

/** Replaces the labels of the answer: those meant for a CDN do not apply to a failure. */
function tellFailure(request: IncomingRequest, { labeller }: RequestEnvironment): void {
  if (labeller === undefined || request.compiled?.isKept !== true) return
  request.label = { lines: () => labeller.failed }
}

/** Lets the requests that wait for this answer know that there is none to keep. */
function releaseMaking(request: IncomingRequest): void {
  request.making?.release()
  request.making = undefined
}

function observe(
  request: IncomingRequest,
  answer: Pick<AnsweredRequest, 'status' | 'reason' | 'durationMs'>,
  { observers }: RequestEnvironment,
) {
  if (observers.length === 0) return
  const { method } = request.exchange
  const { compiled, fallback } = request
  const answered = { route: compiled?.route, fallback, method, ...answer }
  for (const observe of observers) observe(answered)
}
