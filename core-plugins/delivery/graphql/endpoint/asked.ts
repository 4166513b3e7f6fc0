import { AppError } from '../../../foundation/http/http.ts'
import type { GraphqlRequest } from '../graphql.ts'

/**
 * In characters. A string value may be as long as the body, and computing the indentation of a block string that long takes a
 * second.
 */
const maxDocumentLength = 256 * 1024

/** What a client sends, whatever the method. */
export interface Asked {
  readonly query?: unknown
  readonly variables?: unknown
  readonly operationName?: unknown
  readonly extensions?: unknown
}

/** In a GET request, `variables` and `extensions` are JSON texts. */
export function askedIn({ query, operationName, ...texts }: Readonly<Record<string, unknown>>): Asked {
  const read = (name: 'variables' | 'extensions') => {
    const text = texts[name]
    if (text === undefined || text === '') return undefined
    try {
      return JSON.parse(String(text)) as unknown
    } catch {
      throw AppError.invalid([{ path: name, code: 'json', message: 'is not valid JSON' }])
    }
  }
  return {
    query,
    operationName: operationName === '' ? undefined : operationName,
    variables: read('variables'),
    extensions: read('extensions'),
  }
}

/** @throws AppError 400 */
export function argumentsIn({
  variables,
  operationName,
}: Asked): Pick<GraphqlRequest, 'variables' | 'operationName'> {
  const isObject = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
  if (!isObject && (variables ?? undefined) !== undefined) {
    throw AppError.invalid([{ path: 'variables', code: 'type', message: 'must be an object' }])
  }
  if (typeof (operationName ?? '') !== 'string') {
    throw AppError.invalid([{ path: 'operationName', code: 'type', message: 'must be text' }])
  }
  return {
    variables: isObject ? (variables as Record<string, unknown>) : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}

/** The document, if one was sent. @throws AppError 400 */
export function queryIn({ query }: Asked): string | undefined {
  if (query === undefined || query === null) return undefined
  if (typeof query !== 'string') {
    throw AppError.invalid([{ path: 'query', code: 'type', message: 'must be text' }])
  }
  if (query.length <= maxDocumentLength) return query
  const message = `is longer than ${maxDocumentLength} characters; send long values as variables`
  throw AppError.invalid([{ path: 'query', code: 'maxLength', message }])
}
