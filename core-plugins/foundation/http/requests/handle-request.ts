import { randomBytes } from 'node:crypto'
import { isPromise } from '../../../../kernel/index.ts'
import { fail } from '../answers/record-answer.ts'
import type { ExchangeHandler } from '../servers/server-port.ts'
import { IncomingRequest } from './request.ts'
import type { RequestEnvironment } from './request-stage.ts'
import { requestStages } from './request-stages.ts'

/** Serves a request by running the stages in order. An error thrown by a stage becomes the answer. */
export function createRequestHandler(environment: RequestEnvironment): ExchangeHandler {
  const steps = requestStages.map(({ run }) => run)

  // Unless a stage has to wait, all of them run in the stack of the server's own callback.
  function proceed(request: IncomingRequest, from: number): void {
    try {
      for (let index = from; index < steps.length && !request.isAnswered; index++) {
        const done = steps[index]?.(request, environment)
        if (isPromise(done)) {
          done.then(
            () => proceed(request, index + 1),
            (error) => fail(request, error, environment),
          )
          return
        }
      }
    } catch (error) {
      fail(request, error, environment)
    }
  }

  return (exchange) => {
    const requestId = requestIdOf(exchange.header('x-request-id'))
    proceed(new IncomingRequest(exchange, requestId, environment.readAddress), 0)
  }
}

const processPart = randomBytes(6).toString('base64url')

const safeId = /^[\w.:/+=@-]{1,128}$/

let count = 0

/** Returns the caller's own id if it is safe in logs and headers, otherwise a new unique one. */
function requestIdOf(incoming: string | undefined): string {
  if (incoming !== undefined && safeId.test(incoming)) return incoming
  count++
  return `${processPart}-${count.toString(36)}`
}
