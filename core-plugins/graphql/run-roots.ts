import { AnswerTooLarge, type Awaitable } from '../content/content.ts'
import type { AppError } from '../http/http.ts'
import { type AnsweredError, fieldError, refuseByAppError } from './errors.ts'
import type { GraphqlAnswer } from './graphql.ts'
import type { PreparedOperation, PreparedRoot } from './operation.ts'

/** Answers one field. @throws whatever keeps it from being answered */
export type RunField = (root: PreparedRoot) => Awaitable<unknown>

/** Gets what is not the client's fault. */
type LogFailure = (error: unknown) => void

type Settled = { readonly value: unknown } | { readonly error: unknown }

/** Runs all fields of an operation; one that fails leaves the others be. */
export function runRoots(
  operation: PreparedOperation,
  run: RunField,
  logFailure: LogFailure,
): Awaitable<GraphqlAnswer> {
  return operation.isMutation ? inTurn(operation, run, logFailure) : atOnce(operation, run, logFailure)
}

/** Reads are begun together: where the database is not in this process, they wait together. */
function atOnce(
  { roots }: PreparedOperation,
  run: RunField,
  logFailure: LogFailure,
): Awaitable<GraphqlAnswer> {
  const results = roots.map((root) => settle(() => run(root)))
  const answer = (settled: readonly Settled[]) => refusalOf(settled) ?? answerOf(roots, settled, logFailure)
  if (!results.some((result) => result instanceof Promise)) return answer(results as Settled[])
  return Promise.all(results).then(answer)
}

/** Nothing is answered of what is too much as a whole: which of the fields came first is chance. */
function refusalOf(results: readonly Settled[]): GraphqlAnswer | undefined {
  for (const result of results) {
    if ('error' in result && result.error instanceof AnswerTooLarge) {
      const { status, headers, errors } = refuseByAppError(result.error)
      return { status, headers, body: { errors } }
    }
  }
  return undefined
}

/** Writes come one after the other, in the order of the document. */
async function inTurn({ roots }: PreparedOperation, run: RunField, logFailure: LogFailure) {
  const settled: Settled[] = []
  for (const root of roots) settled.push(await settle(() => run(root)))
  return answerOf(roots, settled, logFailure)
}

function settle(run: () => Awaitable<unknown>): Awaitable<Settled> {
  try {
    const value = run()
    if (!(value instanceof Promise)) return { value }
    return value.then(
      (later) => ({ value: later }),
      (error: unknown) => ({ error }),
    )
  } catch (error) {
    return { error }
  }
}

/** 200 where any field was answered; REST's status for the first error otherwise. */
function answerOf(
  roots: readonly PreparedRoot[],
  results: readonly Settled[],
  logFailure: LogFailure,
): GraphqlAnswer {
  const data: Record<string, unknown> = {}
  const errors: AnsweredError[] = []
  let first: AppError | undefined
  for (const [index, { key }] of roots.entries()) {
    const result = results[index]
    if (result !== undefined && 'error' in result) {
      const { error, cause } = fieldError(result.error, key)
      if (cause.status >= 500) logFailure(result.error)
      errors.push(error)
      first ??= cause
    }
    data[key] = result !== undefined && 'value' in result ? result.value : null
  }
  if (first === undefined) return { status: 200, headers: {}, body: { data } }
  if (errors.length < roots.length) return { status: 200, headers: {}, body: { data, errors } }
  return { status: first.status, headers: first.headers, body: { data, errors } }
}
