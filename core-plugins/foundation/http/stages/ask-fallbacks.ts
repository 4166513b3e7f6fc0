import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { answer } from '../answers/answer.ts'
import { recordAnswer } from '../answers/record-answer.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import type { FallbackRequest } from '../routes/fallback.ts'
import { decodePath } from '../routes/paths.ts'

/** Calls the fallbacks if the router has no route for the path with any method. */
export function askFallbacks(request: IncomingRequest, environment: RequestEnvironment): Awaitable<void> {
  const { fallbacks, router } = environment
  if (request.compiled !== undefined || fallbacks.asked.length === 0) return
  if (!fallbacks.mayAnswer(request.path) || router.methodsOf(request.path).length > 0) return
  return askFrom(0, request, environment)
}

function askFrom(index: number, request: IncomingRequest, environment: RequestEnvironment): Awaitable<void> {
  const fallback = environment.fallbacks.asked[index]
  if (fallback === undefined) return
  if (!fallback.methods.includes(request.method)) return askFrom(index + 1, request, environment)
  request.fallback = fallback.name
  return andThen(fallback.ask(viewOf(request)), (reply) => {
    if (reply !== undefined) {
      environment.accessLog?.prepare(request)
      return recordAnswer(request, answer(request, reply), environment)
    }
    request.fallback = undefined
    return askFrom(index + 1, request, environment)
  })
}

/** A copy of the relevant parts: the request itself could be modified and gives access to the connection. */
function viewOf(request: IncomingRequest): FallbackRequest {
  const { requestId, method, path, rawQuery } = request
  return {
    ...{ requestId, method, path, rawQuery },
    decodedPath: decodePath(path),
    get ip() {
      return request.ip
    },
    header: (name) => request.header(name),
    get signal() {
      return request.signal
    },
  }
}
