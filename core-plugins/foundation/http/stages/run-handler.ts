import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { answer } from '../answers/answer.ts'
import { recordAnswer } from '../answers/record-answer.ts'
import { Reply } from '../answers/reply.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'

/** Runs the handler, wrapped in the admin middleware that matches the route. */
export function runHandler(request: IncomingRequest): Awaitable<void> {
  return andThen(request.foundRoute.run(request), (result) => {
    request.result = result
  })
}

/** Sends the handler's result. @throws Error if it cannot be sent */
export function sendAnswer(request: IncomingRequest, environment: RequestEnvironment): void {
  const { result } = request
  request.foundRoute.checkAnswer?.(result)
  environment.accessLog?.prepare(request)
  const status = answer(request, result)
  recordAnswer(request, status, environment, result instanceof Reply ? result.reason : undefined)
}
