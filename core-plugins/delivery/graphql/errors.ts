import type { GraphQLError } from 'graphql'
import { type AppError, asAppError, type ErrorCode } from '../../foundation/http/http.ts'
import type { GraphqlAnswer } from './graphql.ts'

/** An error in a GraphQL response, with the same code as in REST. */
export interface AnsweredError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions: {
    readonly code: string
    readonly reason?: AppError['reason']
    readonly details?: AppError['details']
  }
}

/** Nothing was executed, since the request itself is invalid. */
export class RefusedRequest extends Error {
  readonly status: number
  readonly errors: readonly AnsweredError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    errors: readonly AnsweredError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors[0]?.message ?? 'refused')
    this.status = status
    this.errors = errors
    this.headers = headers
  }
}

/** 400 with the errors that graphql-js found. */
export function refuseInvalid(errors: readonly GraphQLError[]): RefusedRequest {
  return new RefusedRequest(
    400,
    errors.map((error) => fromGraphqlError(error, 'VALIDATION_ERROR')),
  )
}

/** 400 with one error; `code` names the violated rule. */
export function refuseRule(code: string, message: string): RefusedRequest {
  const details = [{ path: 'query', code, message }]
  return new RefusedRequest(400, [{ message, extensions: { code: 'VALIDATION_ERROR', details } }])
}

export function refuseByAppError(error: AppError): RefusedRequest {
  return new RefusedRequest(
    error.status,
    [{ message: error.message, extensions: extensionsOf(error) }],
    error.headers,
  )
}

function fromGraphqlError({ message, locations }: GraphQLError, code: ErrorCode): AnsweredError {
  return { message, ...(locations === undefined ? {} : { locations }), extensions: { code } }
}

/** The error of one root field, or of a field of a plugin further inside. */
export function fieldError({ path, originalError, message }: GraphQLError): {
  error: AnsweredError
  cause: AppError
} {
  const cause = asAppError(originalError ?? new Error(message))
  const at = path === undefined ? {} : { path }
  return { error: { message: cause.message, ...at, extensions: extensionsOf(cause) }, cause }
}

/** The parts of an error besides its message. */
export function extensionsOf({ code, reason, details }: AppError): AnsweredError['extensions'] {
  return {
    code,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
  }
}

/** The response if nothing was executed. */
export function refusal({ status, errors, headers }: RefusedRequest): GraphqlAnswer {
  return { status, reason: errors[0]?.extensions.reason, headers, body: { errors } }
}
