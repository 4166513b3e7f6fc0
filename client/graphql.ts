import { MortiseError } from './mortise-error.ts'
import { type Transport, toError } from './transport.ts'

/** The body of an answer to a GraphQL request: `data`, `errors` with their paths and codes, or both. */
export interface GraphqlAnswer {
  readonly data?: unknown
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions?: { readonly code?: string; readonly reason?: string }
  }[]
}

export interface GraphqlOptions {
  readonly operationName?: string
  readonly signal?: AbortSignal
}

/**
 * Sends a GraphQL query. Throws if the response contains any error, even next to partial data.
 * @throws MortiseError whose `details` name the fields
 */
export type Graphql = <Data = Record<string, unknown>>(
  query: string,
  variables?: Readonly<Record<string, unknown>>,
  options?: GraphqlOptions,
) => Promise<Data>

/** Makes the access to GraphQL. */
export function createGraphql(transport: Transport): Graphql {
  return async <Data>(query: string, variables = {}, { operationName, signal }: GraphqlOptions = {}) => {
    const body = { query, variables, ...(operationName && { operationName }) }
    const sent = await transport.sendRaw('POST', '/graphql', { body, signal })
    const answer = sent.body as GraphqlAnswer
    if (answer.errors !== undefined && answer.errors.length > 0)
      throw graphqlError(sent.response, answer.errors)
    if (!sent.response.ok) throw toError(sent.response, sent.body)
    return answer.data as Data
  }
}

export function graphqlError(response: Response, errors: NonNullable<GraphqlAnswer['errors']>): MortiseError {
  const details = errors.map(({ message, path = [], extensions }) => ({
    path: path.join('.'),
    code: extensions?.code ?? 'GRAPHQL_ERROR',
    message,
  }))
  return new MortiseError(details[0]?.message ?? 'the query failed', {
    code: details[0]?.code ?? 'GRAPHQL_ERROR',
    status: response.status,
    reason: errors[0]?.extensions?.reason,
    details,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}
