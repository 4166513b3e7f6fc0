import { isObject } from '../../../../kernel/index.ts'
import { AppError, type Http } from '../../../foundation/http/http.ts'
import { errorIn } from './refusals.ts'

export interface AskedOperation {
  /** As in the body of a POST. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
  readonly ip: string
  /** Aborted when the client does not wait any more. */
  readonly signal: AbortSignal
}

/** What an operation is answered with: a result, or why it was not executed. */
export type OperationAnswer = { readonly body: Uint8Array } | { readonly errors: readonly object[] }

/** Executes a query or a mutation. Never rejects for what the client did. */
export type AskEndpoint = (asked: AskedOperation) => Promise<OperationAnswer>

export const executeRoute = 'graphql:operations.execute'

/** Answers of the endpoint are bounded by `api.response.maxBytes`. */
const maxAnswerBytes = 64 * 1024 * 1024

/**
 * Asks the endpoint the way a client would that sends a POST: whatever such a request passes holds, from rate limit and overload to rights
 * and the log.
 */
export function createAskEndpoint(http: Pick<Http, 'routes' | 'dispatch'>): AskEndpoint {
  return async ({ payload, authorization, ip, signal }) => {
    const route = http.routes.find(({ name }) => name === executeRoute)
    if (route === undefined) throw new Error(`there is no route ${executeRoute}`)
    const { query, variables, operationName, extensions } = payload
    const body = Buffer.from(JSON.stringify({ query, variables, operationName, extensions }))
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...(authorization === undefined ? {} : { authorization }),
    }
    try {
      const request = {
        route,
        params: {},
        rawQuery: '',
        headers,
        body,
        ip,
        signal,
        isCounted: true,
        maxAnswerBytes,
      }
      return answerIn((await http.dispatch(request)).body)
    } catch (error) {
      if (error instanceof AppError) return { errors: [errorIn(error)] }
      throw error
    }
  }
}

/** Errors of the endpoint itself, and of what a request passes on its way to it. */
function answerIn(body: Buffer): OperationAnswer {
  const answered = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
  if ('data' in answered) return { body }
  if (Array.isArray(answered.errors)) return { errors: answered.errors as object[] }
  const { message, code, details } = isObject(answered.error) ? answered.error : {}
  return { errors: [{ message, extensions: { code, ...(details === undefined ? {} : { details }) } }] }
}
