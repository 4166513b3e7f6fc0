import type { Route } from '../routes/route.ts'
import { bodyValidator, whenNeeded } from '../validation.ts'
import { Reply } from './reply.ts'

/**
 * Compares answers with the schema in the API document, so that the two cannot drift apart. Runs in tests
 * only: users should not pay for validating what the service itself produced.
 */
export function compileAnswerCheck(route: Route): ((result: unknown) => void) | undefined {
  const { response } = route
  if (response === undefined) return undefined
  const validate = whenNeeded(() => bodyValidator(response))
  return (result) => {
    const data = dataOf(result)
    if (data === notData) return
    const problems = validate(data).map(({ path, message }) => `${path || 'data'} ${message}`)
    if (problems.length === 0) return
    throw new Error(
      `the answer of ${route.name} is not what its response schema says: ${problems.join('; ')}`,
    )
  }
}

const notData = Symbol('not data')

/** As the client will see it: without undefined, with dates as strings. */
function dataOf(result: unknown): unknown {
  if (!(result instanceof Reply)) return JSON.parse(JSON.stringify(result ?? null))
  if (result.body.kind === 'data') return JSON.parse(JSON.stringify(result.body.data ?? null))
  return notData
}
