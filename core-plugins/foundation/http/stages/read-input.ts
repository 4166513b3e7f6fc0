import { AppError, type ErrorDetail } from '../answers/app-error.ts'
import { assertBodyWithin, assertJson, collectBody, parseJson } from '../requests/body.ts'
import type { IncomingRequest } from '../requests/request.ts'
import { faultlessMembers } from '../validation.ts'

/** @throws AppError 400 */
export function readParamsAndQuery(request: IncomingRequest): void {
  const { readParams, readQuery } = request.foundRoute
  request.params = readParams(request.params)
  request.query = readQuery(request.rawQuery)
}

/** Reads and validates a JSON body; leaves a streamed one to the handler. @throws AppError 400, 413, 415 */
export function readBody(request: IncomingRequest): Promise<void> | undefined {
  const { takesBody, maxBodyBytes, validateBody } = request.foundRoute
  if (!takesBody) return
  if (validateBody === undefined) {
    assertBodyWithin(request.exchange, maxBodyBytes)
    return
  }
  const maxBytes = maxJsonBytes(request)
  assertBodyWithin(request.exchange, maxBytes)
  return collectBody(request.exchange, maxBytes).then((bytes) => takeBody(request, bytes))
}

function maxJsonBytes({ principal, foundRoute }: IncomingRequest): number {
  return principal.kind === 'anonymous' ? foundRoute.maxAnonymousBodyBytes : foundRoute.maxBodyBytes
}

function takeBody(request: IncomingRequest, bytes: Buffer): Promise<never> | undefined {
  const { route, validateBody } = request.foundRoute
  if (bytes.length === 0 && route.isBodyOptional === true) return
  assertJson(request.header('content-type'), bytes)
  request.body = parseJson(bytes)
  const problems = validateBody?.(request.body) ?? []
  return problems.length === 0 ? undefined : throwProblems(request, problems)
}

/** @throws AppError 400 with all problems, including those that the schema cannot express */
async function throwProblems(request: IncomingRequest, problems: readonly ErrorDetail[]): Promise<never> {
  const { route } = request.foundRoute
  request.body = faultlessMembers(request.body, problems)
  const further = request.body === undefined ? [] : await route.furtherProblems?.(request as never)
  throw AppError.invalid([...problems, ...(further ?? [])])
}
