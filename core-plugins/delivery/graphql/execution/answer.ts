import type { ExecutionResult, GraphQLError } from 'graphql'
import { AnswerTooLarge } from '../../../entries/content/content.ts'
import { Overloaded } from '../../../foundation/http/http.ts'
import { fieldError, refusal, refuseByAppError } from '../errors.ts'
import type { GraphqlAnswer } from '../graphql.ts'
import type { OperationPlan } from '../plan/operation-plan.ts'

/** Logs errors that are not the client's fault. */
export type LogFailure = (error: unknown) => void

/** 200 if any field has a value; otherwise REST's status for the first error. */
export function answerOf(
  { roots, isMutation }: OperationPlan,
  { data: answered, errors = [] }: ExecutionResult,
  logFailure: LogFailure,
): GraphqlAnswer {
  const data = { ...answered }
  if (errors.length === 0) return { status: 200, headers: {}, body: { data } }
  const tooLarge = errors.find(({ originalError }) => originalError instanceof AnswerTooLarge)
  // If a query is too large as a whole, no data is returned, since it is chance which fields were completed first.
  if (!isMutation && tooLarge?.originalError instanceof AnswerTooLarge) {
    return refusal(refuseByAppError(tooLarge.originalError))
  }
  const places = [...roots.keys()]
  const placeOf = ({ path }: GraphQLError) => places.indexOf(String(path?.[0]))
  const told = errors.toSorted((left, right) => placeOf(left) - placeOf(right)).map(fieldError)
  for (const { cause } of told) {
    if (cause.status >= 500 && !(cause instanceof Overloaded)) logFailure(cause.cause ?? cause)
  }
  const body = { data, errors: told.map(({ error }) => error) }
  const isAnswered = places.some((key) =>
    told.every(({ error }) => error.path?.[0] !== key || data[key] !== null),
  )
  const [first] = told
  if (isAnswered || first === undefined) return { status: 200, headers: {}, body }
  const { status, reason, headers } = first.cause
  return { status, reason, headers, body }
}
