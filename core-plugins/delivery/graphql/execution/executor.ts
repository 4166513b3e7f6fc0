import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  Location,
  parse,
  printSchema,
} from 'graphql'
import { type Awaitable, andThen, orElse } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import {
  type ContentQueries,
  type OfferedOperation,
  observerOf,
  type SystemEntries,
  type UnguardedContent,
} from '../../../entries/content/content.ts'
import type { Recipient } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { withoutLeniencies } from '../document/leniency.ts'
import { checkStructure, maxTokens } from '../document/limits.ts'
import { createNamedTypes } from '../document/named-types.ts'
import { refusal } from '../errors.ts'
import { subgraphText } from '../federation/subgraph-text.ts'
import type { GraphqlAnswer, GraphqlExtension, GraphqlFeature, GraphqlRequest } from '../graphql.ts'
import type { Call } from '../plan/call.ts'
import { createValueCount } from '../plan/cost.ts'
import { type KeptPlans, keepPlans } from '../plan/kept-plans.ts'
import type { OperationPlan, PlanOptions } from '../plan/operation-plan.ts'
import { createSharedSelections, type SharedSelections } from '../plan/shared-selections.ts'
import { createRights, type Rights } from '../rights.ts'
import { type BuildSchema, createCallerSchemas } from '../schema/caller-schemas.ts'
import { withComponentField } from '../schema/component-field.ts'
import { featureFields, noFeatureFields } from '../schema/feature-fields.ts'
import { rootMeaningOf, type UsableRoot } from '../schema/meaning.ts'
import { type GraphqlNames, nameSchema } from '../schema/names.ts'
import { noPluginFields, type PluginFieldsParts, pluginFields } from '../schema/plugin-fields.ts'
import { buildSchema } from '../schema/schema.ts'
import { promisedAttributes, type SchemaParts } from '../schema/schema-parts.ts'
import { answerOf, type LogFailure } from './answer.ts'
import { executedSchema } from './executed-schema.ts'
import type { Execution } from './execution.ts'
import { createIntrospection, type Introspect } from './introspection.ts'
import { type MercuriusParts, startMercurius } from './mercurius.ts'
import { createPersistedQueries, type PersistedQueries } from './persisted-queries.ts'
import { bindPluginFields, pluginLoaders } from './plugin-loaders.ts'
import {
  createPreparation,
  isRequest,
  isSubscription,
  type PreparedSubscription,
  type SubscriptionRequest,
} from './prepare-subscription.ts'
import { executable, refusalFor } from './refused.ts'

export interface ExecutorOptions extends Omit<PlanOptions, 'schema' | 'namedTypesIn'> {
  readonly maxDepth: number
  readonly introspection: boolean
}

export interface ExecutorParts {
  readonly schemas: Schemas
  readonly content: UnguardedContent
  readonly contentQueries: ContentQueries
  readonly operations: readonly OfferedOperation[]
  readonly auth: Auth
  /** The current settings. */
  readonly options: () => ExecutorOptions
  /** Contributions of third-party plugins. */
  readonly extensions: () => readonly { readonly plugin: string; readonly value: GraphqlExtension }[]
  /** Contributions of the service's own plugins. */
  readonly features: () => readonly { readonly plugin: string; readonly value: GraphqlFeature }[]
  /** The entries service of a system type. */
  readonly systemEntries: (type: string) => SystemEntries
  /** Whether the service is an Apollo Federation subgraph. */
  readonly isSubgraph: () => boolean
  /** Compiles the access rules of fields that plugins add to `Query` and `Mutation`. */
  readonly checkOf: PluginFieldsParts['checkOf']
  /** Whether subscriptions are available. */
  readonly hasSubscriptions: boolean
  readonly logFailure: LogFailure
  readonly logFault: PluginFieldsParts['logFault']
}

/** Executes operations. All code that loads GraphQL's libraries is behind this interface. */
export interface Executor {
  execute(request: GraphqlRequest): Awaitable<GraphqlAnswer>
  /** Whether the selected operation is a query or a mutation; false also if the document cannot be parsed. */
  isRequest(source: string, operationName: string | undefined): boolean
  /** Whether a document contains only subscriptions, whether they are valid or not. */
  isSubscription(source: string): boolean
  /** Prepares a subscription for a caller. @throws RefusedRequest */
  prepare(request: SubscriptionRequest, principal: Principal): Promise<PreparedSubscription>
  /** See `Graphql.schemaText`. */
  schemaText(): string
  readonly persisted: PersistedQueries
  /** Clears the caches, after settings have changed. */
  clear(): void
}

export async function createExecutor(parts: ExecutorParts): Promise<Executor> {
  const { schemas, auth, options, logFailure } = parts
  const names = nameSchema(schemas)
  const schemaOf = schemaBuilder(parts, names)
  const all = () => true
  const schema = withComponentField(schemaOf('served', all, all))
  const schemaFor = createCallerSchemas({
    ...{ schemas, auth, roots: pluginRootsIn(schema) },
    buildSchema: (may, mayUse) => schemaOf('told', may, mayUse),
  })
  const rights = createRights({ schema, schemaFor, auth })
  const namedTypesIn = createNamedTypes(schema, schemas, names)
  const planOptions = () => ({ ...options(), schema, namedTypesIn })
  const plans = keepPlans(planOptions)
  const introspect = createIntrospection({ schemas, auth, isOn: () => options().introspection, schemaFor })
  const beginning = { ...parts, introspect, sharedSelections: createSharedSelections() }
  const executed = executedSchema(schema)
  const mercurius = await startMercurius({
    schema,
    loaders: pluginLoaders(schema),
    ...hooksFor({ schema, executed, plans, rights, maxDepth: () => options().maxDepth }),
  })
  bindPluginFields(schema)

  /** With a cached plan of a query there is nothing to validate or load, so it runs without mercurius and without waiting. */
  function run(execution: Execution): Awaitable<ExecutionResult> {
    const { plan, request } = execution
    if (plan === undefined || plan.hasPluginFields) return mercurius.execute(execution)
    rights.assertKnown(plan.namedTypes, request.principal)
    return execute({ schema: executed, document: plan.document, contextValue: execution })
  }

  const refusedFor = (error: unknown, { source }: Pick<GraphqlRequest, 'source'>, principal: Principal) =>
    refusalFor(error, async () => rights.refuseStrangers(parse(source, { maxTokens }), principal))
  const preparation = createPreparation({
    options: planOptions,
    listOf: (type, query, principal) => parts.content.within().list(type, query, principal),
    answer(plan, request, event) {
      const execution = begin({ ...request, ip: undefined, isReadOnly: true }, plan, beginning, event)
      return orElse(
        () => andThen(run(execution), (result) => answerOf(plan, result, logFailure)),
        async (error) => refusal(await refusedFor(error, request, request.principal)),
      )
    },
  })

  return {
    persisted: createPersistedQueries(),
    execute(request) {
      const execution = begin(request, plans.find(request), beginning)
      return orElse(
        () =>
          andThen(run(execution), (result) => {
            observeOperation(plannedOf(execution), request.recipient)
            return answerOf(plannedOf(execution), result, logFailure)
          }),
        async (error) => refusal(await refusedFor(error, request, request.principal)),
      )
    },
    ...{ isRequest, isSubscription, schemaText: () => textOf(schemaOf('told', all, all), parts) },
    async prepare(request, principal) {
      try {
        const prepared = preparation.prepare(request)
        rights.assertKnown(prepared.namedTypes, principal)
        if (!auth.mayContent(principal, prepared.followed.type, 'read')) auth.refuse(principal)
        // Each read checks arguments and permissions itself, so that they are the same for all ways to an entry.
        await prepared.read([0], principal)
        return prepared
      } catch (error) {
        throw await refusedFor(error, request, principal)
      }
    },
    clear() {
      mercurius.forget()
      plans.clear()
      preparation.clear()
    },
  }
}

const textOf = (schema: GraphQLSchema, { isSubgraph }: ExecutorParts) =>
  isSubgraph() ? subgraphText(schema) : printSchema(schema)

function pluginRootsIn(schema: GraphQLSchema): UsableRoot[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) => {
      const meaning = rootMeaningOf(field)
      return meaning?.kind === 'plugin' || meaning?.kind === 'feature' ? [meaning] : []
    }),
  )
}

interface HooksParts {
  readonly schema: GraphQLSchema
  readonly executed: GraphQLSchema
  readonly plans: KeptPlans
  readonly rights: Rights
  readonly maxDepth: () => number
}

/** Hooks that run before mercurius validates a document, and before it executes an operation of it. */
function hooksFor({
  schema,
  executed,
  plans,
  rights,
  maxDepth,
}: HooksParts): Pick<MercuriusParts, 'beforeValidation' | 'beforeExecution'> {
  return {
    beforeValidation(document, { request: { source } }) {
      // Mercurius also accepts a JSON value as a parsed document, whose names were not checked. Parsing the source throws
      // then.
      if (!((document as DocumentNode | null)?.loc instanceof Location)) parse(source, { maxTokens })
      checkStructure(document, maxDepth())
      Object.assign(document, withoutLeniencies(document, schema))
    },
    beforeExecution(document, execution) {
      const { request } = execution
      execution.plan ??= plans.make(request, document, executable(document, request))
      rights.assertKnown(execution.plan.namedTypes, request.principal)
      return { schema: executed, document: execution.plan.document, variables: { ...request.variables } }
    },
  }
}

/** Reads report what they depend on; everything else makes the response uncacheable. */
function observeOperation(
  { isMutation, hasPluginFields, hasUnobserved }: OperationPlan,
  recipient: Recipient | undefined,
): void {
  const reason = isMutation
    ? 'it is a mutation'
    : hasPluginFields || hasUnobserved
      ? 'plugins answer fields of it'
      : undefined
  if (reason !== undefined) observerOf(recipient)?.isOpaque(reason)
}

function plannedOf({ plan }: Execution): OperationPlan {
  if (plan === undefined) throw new Error('a document was executed without a plan')
  return plan
}

interface BeginningParts extends ExecutorParts {
  readonly introspect: Introspect
  readonly sharedSelections: SharedSelections
}

function begin(
  request: GraphqlRequest,
  plan: OperationPlan | undefined,
  parts: BeginningParts,
  event?: Call['event'],
): Execution {
  const { content, contentQueries, auth, options, schemas, systemEntries } = parts
  const { introspect, sharedSelections } = parts
  const { principal, ip, recipient } = request
  const pageSize = options().pageLimits(undefined).maxLimit
  const count = createValueCount(options().maxCost, contentQueries.answerBudget())
  const told = { values: 0 }
  const execution: Execution = {
    request,
    call: {
      ...{ content, reads: content.within(), count, auth, principal, ip, recipient },
      ...{ schemas, systemEntries, pageSize, sharedSelections, event },
    },
    plan,
    answer(key) {
      const root = execution.plan?.roots.get(key)
      if (root === undefined) throw new Error(`${key} was not planned`)
      if (root.kind === 'constant') return root.value
      if (root.kind === 'run') return root.run(execution.call)
      return introspect({ plan: root, principal, told })
    },
  }
  return execution
}

/** Builds the schema for the permissions of a caller. */
function schemaBuilder(given: ExecutorParts, names: GraphqlNames) {
  const { schemas, operations, contentQueries, extensions, features } = given
  const { hasSubscriptions, checkOf, logFault } = given
  const { fieldNames, keepsDrafts, takes, addedParameters, addedFields } = contentQueries
  const promised = promisedAttributes(schemas)
  const isSubgraph = given.isSubgraph()
  const parts = {
    ...{ schemas, names, operations, fieldNames, keepsDrafts, takes, addedParameters, addedFields },
    ...{ promised, isSubgraph, hasSubscriptions },
  }
  const build = (added: Pick<SchemaParts, 'pluginFields' | 'features' | 'purpose' | 'may' | 'mayUse'>) =>
    buildSchema({ ...parts, ...added })
  const everything = { purpose: 'served', may: () => true, mayUse: () => true } as const
  const own = build({ ...everything, pluginFields: noPluginFields, features: noFeatureFields })
  const offered = featureFields(features(), { schemas, names, schema: own, checkOf, logFault })
  const found = extensions()
  const added =
    found.length === 0
      ? noPluginFields
      : pluginFields(found, {
          ...{ names, checkOf, logFault },
          types: [...schemas.allTypes.values()],
          schema: build({ ...everything, pluginFields: noPluginFields, features: offered }),
        })
  return (purpose: SchemaParts['purpose'], ...[may, mayUse]: Parameters<BuildSchema>) =>
    build({ purpose, pluginFields: added, features: offered, may, mayUse })
}
