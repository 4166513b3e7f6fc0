import { type Awaitable, andThen, orElse } from '../../../../kernel/index.ts'
import { answerKept, answerUnchanged } from '../answers/answer.ts'
import type { AnswerKeeper, AnswerLook } from '../answers/answer-keeper.ts'
import { isOutage } from '../answers/as-app-error.ts'
import { recordAnswer } from '../answers/record-answer.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'

/** Answers a GET from memory before anything of it is parsed. */
export function findKeptAnswer(request: IncomingRequest, environment: RequestEnvironment): Awaitable<void> {
  if (request.method !== 'GET' || !request.foundRoute.isKept) return
  return orElse(
    () => find(request, environment),
    (error) => useUnvalidated(request, error, environment),
  )
}

function find(request: IncomingRequest, environment: RequestEnvironment): Awaitable<void> {
  const { keeper, labeller } = environment
  if (request.outage !== undefined) throw request.outage
  if (labeller === undefined) return keeper && useKept(request, keeper, environment)
  return andThen(labeller.prepare(request), () =>
    andThen(keeper && useKept(request, keeper, environment), () => {
      if (!request.isAnswered) request.label = labeller.label(request)
    }),
  )
}

/** The same for routes whose query is in the body. */
export function findKeptAnswerToBody(
  request: IncomingRequest,
  environment: RequestEnvironment,
): Awaitable<void> {
  const { keeper } = environment
  if (keeper === undefined || request.method === 'GET' || !request.foundRoute.isKept) return
  return useKept(request, keeper, environment)
}

function useKept(
  request: IncomingRequest,
  keeper: AnswerKeeper,
  environment: RequestEnvironment,
): Awaitable<void> {
  return andThen(keeper.find(request), (look) => take(request, look, keeper, environment))
}

function take(
  request: IncomingRequest,
  look: AnswerLook,
  keeper: AnswerKeeper,
  environment: RequestEnvironment,
): void {
  if (look === undefined || 'making' in look) {
    request.addHeaders(keeper.headers(request, 'miss'))
    request.making = look?.making
    return
  }
  request.addHeaders(keeper.headers(request, 'hit'))
  environment.accessLog?.prepare(request)
  const status = 'kept' in look ? answerKept(request, look.kept) : answerUnchanged(request, look.unchanged)
  recordAnswer(request, status, environment)
}

/** While the database is unavailable, answers with a kept answer that was valid a moment ago. */
function useUnvalidated(request: IncomingRequest, error: unknown, environment: RequestEnvironment): void {
  const { keeper, labeller } = environment
  const mayBeUsed = keeper !== undefined && !request.isAnswered && isOutage(error)
  const kept = mayBeUsed ? keeper.findUnvalidated(request) : undefined
  if (keeper === undefined || kept === undefined) throw error
  request.addHeaders(keeper.headers(request, 'unvalidated'))
  environment.accessLog?.prepare(request)
  // So that caches do not keep it any longer.
  const label = labeller && { lines: () => labeller.failed }
  recordAnswer(request, answerKept(request, kept, label), environment)
}
