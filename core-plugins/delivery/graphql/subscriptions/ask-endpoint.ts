import { isObject } from '../../../../kernel/index.ts'
import { AppError, type Http } from '../../../foundation/http/http.ts'
import { errorIn } from './refusals.ts'

export interface AskedOperation {
  /** The same as the body of a POST. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
  readonly ip: string
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal
}

/** The response to an operation: a result, or why it was not executed. */
export type OperationAnswer = { readonly body: Uint8Array } | { readonly errors: readonly object[] }

/** Executes a query or a mutation. Never rejects for errors of the client. */
export type AskEndpoint = (asked: AskedOperation) => Promise<OperationAnswer>

export const executeRoute = 'graphql:operations.execute'

/** Responses of the endpoint are limited by `api.response.maxBytes`. */
const maxAnswerBytes = 64 * 1024 * 1024

/**
 * Calls the endpoint like a client that sends a POST, so that all stages of a request apply: rate limit, overload protection,
 * permissions and log.
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

/** Errors of the endpoint itself, and of earlier stages of the request. */
function answerIn(body: Buffer): OperationAnswer {
  const answered = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
  if ('data' in answered) return { body }
  if (Array.isArray(answered.errors)) return { errors: answered.errors as object[] }
  const { message, code, details } = isObject(answered.error) ? answered.error : {}
  return { errors: [{ message, extensions: { code, ...(details === undefined ? {} : { details }) } }] }
}
