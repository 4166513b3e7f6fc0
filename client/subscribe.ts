import { patiently } from './changes.ts'
import { eventsIn } from './event-stream.ts'
import { type GraphqlAnswer, type GraphqlOptions, graphqlError } from './graphql.ts'
import { type Transport, toError } from './transport.ts'

export interface SubscribeOptions extends GraphqlOptions {
  /** How often in a row an attempt to connect may fail; default 10. */
  readonly retries?: number
}

/**
 * What a GraphQL subscription tells, for `for await`, until the loop or the signal ends it. Connects again by itself. Where the
 * query has a variable `$since` and asks for `cursor`, nothing is missed in between.
 * @throws MortiseError for errors that the service tells
 */
export type Subscribe = <Data = Record<string, unknown>>(
  query: string,
  variables?: Readonly<Record<string, unknown>>,
  options?: SubscribeOptions,
) => AsyncGenerator<Data, void, undefined>

/** Makes subscriptions; by server-sent events, which need nothing but `fetch`. */
export function createSubscribe(transport: Transport): Subscribe {
  return async function* subscribe<Data>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    { operationName, signal, retries = 10 }: SubscribeOptions = {},
  ) {
    const ending = new AbortController()
    const end = () => ending.abort()
    signal?.addEventListener('abort', end)
    const resumes = /\$since\b/.test(query)
    let known: string | undefined
    const connect = async () => {
      const since = resumes && known !== undefined ? { since: known } : {}
      const body = { query, variables: { ...variables, ...since }, ...(operationName && { operationName }) }
      const headers = { accept: 'text/event-stream' }
      return transport.open('POST', '/graphql', { body, headers, signal: ending.signal })
    }
    try {
      while (signal?.aborted !== true) {
        const response = await patiently(() => opened(connect), retries, signal)
        if (response === undefined) return
        for await (const answer of answersIn(response)) {
          if (answer === 'complete') return
          known = cursorIn(answer.data) ?? known
          yield answer.data as Data
        }
      }
    } finally {
      signal?.removeEventListener('abort', end)
      ending.abort()
    }
  }
}

/** @throws MortiseError where the service refuses */
async function opened(connect: () => Promise<Response>): Promise<Response> {
  const response = await connect()
  if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    return response
  }
  const answer = (await response.json().catch(() => ({}))) as GraphqlAnswer
  throw answer.errors === undefined ? toError(response, answer) : graphqlError(response, answer.errors)
}

/** Ends where the connection does. @throws MortiseError for errors that the service tells */
async function* answersIn(response: Response): AsyncGenerator<GraphqlAnswer | 'complete', void, undefined> {
  const events = eventsIn(response)
  try {
    for (;;) {
      // A broken connection is opened again.
      const next = await events.next().catch(() => undefined)
      if (next === undefined || next.done === true) return
      const { event, data } = next.value
      if (event === 'complete') {
        yield 'complete'
        return
      }
      if (event !== 'next') continue
      const answer = JSON.parse(data) as GraphqlAnswer
      if (answer.errors !== undefined) throw graphqlError(response, answer.errors)
      yield answer
    }
  } finally {
    await events.return()
  }
}

function cursorIn(data: unknown): string | undefined {
  const [field] = Object.values((data ?? {}) as Record<string, { readonly cursor?: unknown } | null>)
  return typeof field?.cursor === 'string' ? field.cursor : undefined
}
