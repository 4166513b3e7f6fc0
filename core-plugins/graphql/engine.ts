import type { GraphQLSchema } from 'graphql'
import type { Auth, ContentAction } from '../auth/auth.ts'
import type { Awaitable, Content } from '../content/content.ts'
import { AppError } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'
import { createCallerSchemas } from './caller-schemas.ts'
import { createValueCount } from './cost.ts'
import { RefusedRequest, refuseByAppError } from './errors.ts'
import type { GraphqlAnswer, GraphqlRequest } from './graphql.ts'
import { createIntrospection } from './introspection.ts'
import { keepOperations, type OperationLimits } from './kept-operations.ts'
import { createRights } from './rights.ts'
import type { Call } from './roots.ts'
import { type RunField, runRoots } from './run-roots.ts'
import { nameSchema } from './schema/names.ts'
import { buildSchema } from './schema/schema.ts'

export interface EngineOptions extends OperationLimits {
  readonly introspection: boolean
}

export interface EngineParts {
  readonly schemas: Schemas
  readonly content: Content
  readonly auth: Auth
  /** As they are set now. */
  readonly options: () => EngineOptions
  /** Gets what is not the client's fault. */
  readonly logFailure: (error: unknown) => void
}

/** Executes operations; everything that loads graphql-js is behind it. */
export interface Engine {
  execute(request: GraphqlRequest): Awaitable<GraphqlAnswer>
  /** @throws RefusedRequest for a document that could not be executed by anybody */
  check(source: string): void
  /** Forgets what was worked out, after settings have changed. */
  clear(): void
}

export function createEngine({ schemas, content, auth, options, logFailure }: EngineParts): Engine {
  const names = nameSchema(schemas)
  const schemaOf = (may: (type: string, action: ContentAction) => boolean): GraphQLSchema =>
    buildSchema({ schemas, names, fieldNames: content.fieldNames, keepsDrafts: content.keepsDrafts, may })
  const schema = schemaOf(() => true)
  const schemaFor = createCallerSchemas({ schemas, auth, buildSchema: schemaOf })
  const rights = createRights({ schema, schemaFor, auth })
  const operations = keepOperations(schema, options)
  const isOn = () => options().introspection
  const introspect = createIntrospection({ schemas, auth, isOn, schemaFor })

  function run(request: GraphqlRequest): Awaitable<GraphqlAnswer> {
    const { source, variables, principal, ip, recipient } = request
    const document = operations.document(source, (invalid) => rights.refuseStrangers(invalid, principal))
    const { operation, compile } = operations.prepare(request, document)
    if (request.isReadOnly && operation.operation !== 'query') throw mutationOverGet()
    const count = createValueCount(options().maxCost, content.answerBudget())
    const reads = content.within(content.answerBudget())
    const call: Call = { content, reads, count, auth, principal, ip, recipient }
    const runField: RunField = (root) => {
      if (root.kind === 'constant') return root.value
      if (root.kind === 'run') return root.run(call)
      const { key, nodes } = root
      return introspect({ document, operation, nodes, key, variables, principal })
    }
    return runRoots(compile(), runField, logFailure)
  }

  return {
    execute(request) {
      try {
        return run(request)
      } catch (error) {
        if (error instanceof RefusedRequest) return refusal(error)
        if (error instanceof AppError) return refusal(refuseByAppError(error))
        throw error
      }
    },
    check: (source) => void operations.document(source),
    clear: () => operations.clear(),
  }
}

function refusal({ status, errors, headers }: RefusedRequest): GraphqlAnswer {
  return { status, headers, body: { errors } }
}

function mutationOverGet(): AppError {
  return new AppError('METHOD_NOT_ALLOWED', 'send mutations with POST', { headers: { allow: 'POST' } })
}
