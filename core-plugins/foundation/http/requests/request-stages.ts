import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { answer } from '../answers/answer.ts'
import { AppError } from '../answers/app-error.ts'
import { recordAnswer } from '../answers/record-answer.ts'
import { Reply } from '../answers/reply.ts'
import { passFrom } from '../routes/compile-access.ts'
import { admit, admitStranger } from '../stages/admit.ts'
import { askFallbacks } from '../stages/ask-fallbacks.ts'
import { authenticate } from '../stages/authenticate.ts'
import { assertRoute, findRoute } from '../stages/find-route.ts'
import { allowOrigin, answerOptions } from '../stages/origins.ts'
import { readBody, readParamsAndQuery } from '../stages/read-input.ts'
import { findKeptAnswer, findKeptAnswerToBody } from '../stages/use-kept-answers.ts'
import { assertSoundHead } from './framing.ts'
import type { IncomingRequest } from './request.ts'
import type { RequestEnvironment, RequestStage } from './request-stage.ts'

/**
 * The stages of every request, in this order. Callers without access are refused before anything they sent is
 * validated, and clients over the rate limit before anything is looked up for them.
 */
export const requestStages: readonly RequestStage[] = [
  {
    name: 'check head',
    summary: 'refuses a head that a proxy in front may have interpreted differently',
    run: ({ exchange }) => assertSoundHead(exchange),
  },
  {
    name: 'refuse while stopping',
    summary: 'refuses new requests once the service is stopping',
    run(_, { isStopping }) {
      if (isStopping) throw new AppError('UNAVAILABLE', 'the service is stopping', { reason: 'stopping' })
    },
  },
  {
    name: 'allow origin',
    summary: 'adds the CORS headers for the origin of the calling page',
    run: allowOrigin,
  },
  {
    name: 'find route',
    summary: 'looks for the route by method and path',
    run: findRoute,
  },
  {
    name: 'count request',
    summary:
      'applies the rate limit to the client, whatever it asks for, except for probes and what the panel consists of',
    run: (request, { rateLimiter }) => (isCounted(request) ? rateLimiter?.(request) : undefined),
  },
  {
    name: 'answer options',
    summary: 'answers OPTIONS, including CORS preflights; later stages never see them',
    run: answerOptions,
  },
  {
    name: 'ask fallbacks',
    summary: 'asks the fallbacks of plugins, in their order, if no route has the path',
    run: askFallbacks,
  },
  {
    name: 'require route',
    summary: 'answers 404, or 405 where the path has other methods',
    run: assertRoute,
  },
  {
    name: 'admit strangers',
    summary:
      'refuses what the service cannot take on under overload, of requests without credentials that memory cannot ' +
      'answer',
    run: admitStranger,
  },
  {
    name: 'authenticate',
    summary: 'identifies the caller',
    run: authenticate,
  },
  {
    name: 'pass guards',
    summary: 'checks whether the caller may use the route: access, scope and policies',
    run: (request) => passFrom(0, request.foundRoute.guards, request),
  },
  {
    name: 'find kept answer',
    summary: 'answers a GET from memory if an answer is kept that is still right; see the plugin `cache`',
    run: findKeptAnswer,
  },
  {
    name: 'admit',
    summary:
      'refuses under overload what was left so far: callers are known by now, and nothing is in memory for them',
    run: admit,
  },
  {
    name: 'read params and query',
    summary: 'parses and validates them',
    run: readParamsAndQuery,
  },
  {
    name: 'read body',
    summary: 'receives, parses and validates JSON; a streamed body is left to the handler',
    run: readBody,
  },
  {
    name: 'find kept answer to body',
    summary: 'the same for routes that read from a body what is asked',
    run: findKeptAnswerToBody,
  },
  {
    name: 'run handler',
    summary: 'runs the handler inside the admin middleware that matches the route',
    run: runHandler,
  },
  {
    name: 'send answer',
    summary: 'writes envelope, ETag and headers, compresses, and reports to access log and observers',
    run: sendAnswer,
  },
]

function isCounted({ compiled }: IncomingRequest): boolean {
  return compiled?.route.isProbe !== true && compiled?.route.isUnlimited !== true
}

function runHandler(request: IncomingRequest): Awaitable<void> {
  return andThen(request.foundRoute.run(request), (result) => {
    request.result = result
  })
}

/** @throws Error if the handler's result cannot be sent */
function sendAnswer(request: IncomingRequest, environment: RequestEnvironment): void {
  const { result } = request
  request.foundRoute.checkAnswer?.(result)
  environment.accessLog?.prepare(request)
  const status = answer(request, result)
  recordAnswer(request, status, environment, result instanceof Reply ? result.reason : undefined)
}
