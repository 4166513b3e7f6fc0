import Fastify from 'fastify'
import type { DocumentNode, ExecutionResult, GraphQLSchema, validate } from 'graphql'
import mercurius, { type MercuriusLoaders } from 'mercurius'
import { maxTokens } from '../document/limits.ts'
import type { Execution } from './execution.ts'

/*
 * Mercurius parses, validates and caches documents, executes them, and calls the loaders of plugins in batches. It needs a
 * Fastify instance, which never listens here: requests come through the service's own routes.
 * Its query compiler (graphql-jit) stays off. It writes arguments into code: a text that begins with the marker that it uses
 * for dates is run as JavaScript, and anybody who may send a document may send such a text. It also drops the condition of a
 * fragment that is included in two places, supports only integers of 32 bits, and fails for variables that contain filters.
 */

export interface Mercurius {
  /** @throws what the hooks throw; an error with `errors` for an invalid document */
  execute(execution: Execution): Promise<ExecutionResult>
  /** Clears the cache of validated documents. */
  forget(): void
}

export interface MercuriusParts {
  readonly schema: GraphQLSchema
  readonly loaders: MercuriusLoaders
  /** Called before the first validation of a document; may change it. */
  readonly beforeValidation: (document: DocumentNode, execution: Execution) => void
  /** Returns what is executed instead of the document. */
  readonly beforeExecution: (
    document: DocumentNode,
    execution: Execution,
  ) => { schema: GraphQLSchema; document: DocumentNode; variables: Record<string, unknown> }
}

/** For valid documents, and the same number for invalid ones; up to twice as many, due to the way they are evicted. */
const maxKeptDocuments = 250
/** Documents with more characters are not cached. */
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
    // Passed on unchanged: `answer.ts` formats errors.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution as never }),
  })
  app.graphql.addHook<Execution>('preValidation', async (_schema, document, execution) =>
    beforeValidation(document, execution),
  )
  app.graphql.addHook<Execution>('preExecution', async (_schema, document, execution) =>
    beforeExecution(document, execution),
  )
  // Mercurius keeps loaders with a reply, so documents are executed with an artificial one.
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
      // The variables are coerced by the plan.
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
