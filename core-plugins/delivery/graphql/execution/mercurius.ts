import Fastify from 'fastify'
import type { DocumentNode, ExecutionResult, GraphQLSchema, validate } from 'graphql'
import mercurius, { type MercuriusLoaders } from 'mercurius'
import { maxTokens } from '../document/limits.ts'
import type { Execution } from './execution.ts'

/*
 * Mercurius reads, validates and keeps documents, executes them, and calls the loaders of plugins in batches. It lives in
 * Fastify, which never listens here: requests come through the service's own routes.
 *
 * Its compiler of queries (graphql-jit) stays off. It writes arguments into code: a text that begins with what it marks
 * dates by is run as JavaScript, and whoever may send a document may send such a text. It also forgets under which
 * condition a fragment is included where the fragment stands in two places, takes integers of 32 bits only, and gives
 * up where a variable holds filters.
 */

export interface Mercurius {
  /** @throws what the hooks throw; an error with `errors` for a document that is not valid */
  execute(execution: Execution): Promise<ExecutionResult>
  /** Has every document validated anew. */
  forget(): void
}

export interface MercuriusParts {
  readonly schema: GraphQLSchema
  readonly loaders: MercuriusLoaders
  /** Called before a document is validated for the first time, which it may change. */
  readonly beforeValidation: (document: DocumentNode, execution: Execution) => void
  /** Says what is executed in place of the document. */
  readonly beforeExecution: (
    document: DocumentNode,
    execution: Execution,
  ) => { schema: GraphQLSchema; document: DocumentNode; variables: Record<string, unknown> }
}

/** Valid ones, and as many that are not; up to twice that, by the way in which they are dropped. */
const maxKeptDocuments = 250
/** Longer ones are read and validated each time. In characters. */
const maxKeptLength = 20_000
export const maxErrors = 20

export const validateOptions: NonNullable<Parameters<typeof validate>[3]> = {
  maxErrors,
  hideSuggestions: true,
}

export async function startMercurius(parts: MercuriusParts): Promise<Mercurius> {
  const keeping = await start(parts, maxKeptDocuments)
  const passing = await start(parts, false)
  return {
    execute(execution) {
      const isKept = execution.request.source.length <= maxKeptLength
      return (isKept ? keeping : passing).execute(execution)
    },
    forget: () => keeping.forget(),
  }
}

type Ask = (
  source: string,
  context: object,
  variables: undefined,
  operationName: string | undefined,
) => Promise<ExecutionResult>

async function start(
  { schema, loaders, beforeValidation, beforeExecution }: MercuriusParts,
  cache: number | false,
): Promise<Mercurius> {
  const app = Fastify()
  await app.register(mercurius, {
    schema,
    loaders,
    cache,
    routes: false,
    graphql: { parseOptions: { maxTokens }, validateOptions },
    // As they are: `answer.ts` tells them.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution as never }),
  })
  app.graphql.addHook<Execution>('preValidation', async (_schema, document, execution) =>
    beforeValidation(document, execution),
  )
  app.graphql.addHook<Execution>('preExecution', async (_schema, document, execution) =>
    beforeExecution(document, execution),
  )
  // Loaders are kept with a reply, so documents are executed as if there was one.
  let ask: Ask | undefined
  app.get('/', (_request, reply) => {
    ask = reply.graphql as Ask
    return {}
  })
  await app.inject('/')
  if (ask === undefined) throw new Error('mercurius has not started')
  const execute = ask
  return {
    execute(execution) {
      const reply = { request: { raw: { method: 'POST' } }, code() {} }
      // The plan coerces variables.
      return execute.call(
        reply,
        execution.request.source,
        execution,
        undefined,
        execution.request.operationName,
      )
    },
    forget: () => app.graphql.replaceSchema(schema),
  }
}
