import type { Static, TSchema } from 'typebox'
import type { Awaitable } from '../../../../kernel/index.ts'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { RouteDefinition, RouteRequest, RouteVariant } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { BulkOperation } from '../batch-recorder.ts'
import type { Entry } from '../entry/entry.ts'
import type { AddedParameters } from '../entry/entry-extensions.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import type { WriteContext } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'

/**
 * One thing that can be done with entries: the permission it takes, how it is done, and how REST and GraphQL offer it. Everything
 * else (the methods of services, their guards, routes with their documents, mutations) is derived from it.
 */
export interface Operation<
  Request extends WriteRequest = WriteRequest,
  Rest extends readonly unknown[] = readonly unknown[],
  Result = unknown,
> extends OperationOffer<Request, Rest, Result> {
  /** Runs the operation for a caller whose permission has been checked. */
  run(deps: WriteDeps, request: Request, ...rest: Rest): Promise<Result>
}

/** An operation on one entry that middleware sees under its own name. */
export interface EntryOperation<
  Request extends WriteRequest = WriteRequest,
  Rest extends readonly unknown[] = readonly unknown[],
  Context extends WriteContext = WriteContext,
> extends Operation<Request, Rest, Entry> {
  /** Refuses a request before a transaction begins. @throws AppError */
  assertPossible?(type: WritableType, request: Request): void
  /** Runs before the middleware: locks the entry and prepares the change. @throws AppError 404, 412 */
  prepare(
    deps: WriteDeps,
    type: WritableType,
    request: InTransaction<Request>,
    ...rest: Rest
  ): Awaitable<Context>
  /** Runs after all middleware: checks and stores. Returns the stored entry. */
  perform(deps: WriteDeps, type: WritableType, context: Context): Promise<Entry>
}

export type InTransaction<Request> = Request & { readonly tx: Transaction }

/** The permission that an operation takes, and where it is offered. */
export interface OperationOffer<
  Request extends WriteRequest,
  Rest extends readonly unknown[],
  Result,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  /** The service that has it as a method. */
  readonly service: OperationService
  /** The permission that the caller needs for the type. */
  readonly right: ContentAction
  /** The permissions needed instead of `right`, if they depend on the type and the request. */
  rightsFor?(type: ContentType | undefined, ...rest: Rest): readonly ContentAction[]
  /** Only administrators with that permission may use it. */
  readonly isForAdministrators?: boolean
  /** Set for bulk writes: the name under which plugins record their changes, so that they can be undone over REST and GraphQL. */
  readonly recordedAs?: BulkOperation
  /** The types whose documents list it; default: all. */
  readonly of?: (type: ContentType) => boolean
  readonly route?: OperationRoute<Run<Request, Rest, Result>, Params, Query, Body>
  readonly mutation?: OperationMutation<Run<Request, Rest, Result>>
}

export type OperationService = 'content' | 'bulkWrites' | 'trash'

/** An operation with its dependencies. */
export type Run<
  Request extends WriteRequest = WriteRequest,
  Rest extends readonly unknown[] = readonly unknown[],
  Result = unknown,
> = (request: Request, ...rest: Rest) => Promise<Result>

/** How REST offers an operation. Scope and policies follow from its right. */
export interface OperationRoute<
  Runs = Run,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> extends Omit<RouteDefinition<Params, Query, Body>, 'access' | 'scope' | 'document' | 'handler'> {
  /** `entries.publish` */
  readonly name: string
  /** Relative to the path of the type: `/:id/publish`. */
  readonly path: string
  readonly params: Params
  /** What the API document says about it for a type; the default answer is an entry. */
  document(type: ContentType, documented: Documented): OperationDocument
  handler(
    request: RouteRequest<Static<Params>, Static<Query>, Static<Body>>,
    run: Runs,
    deps: WriteDeps,
  ): unknown
}

export type OperationDocument = Pick<RouteVariant, 'summary' | 'query' | 'body' | 'response'>

/** What documents are generated from. */
export interface Documented {
  readonly schemas: Schemas
  /** Query parameters added by plugins. */
  readonly added: AddedParameters
}

/** How GraphQL offers an operation, in addition to the mutations that every type has. */
export interface OperationMutation<Runs = Run> {
  /** `object` is the GraphQL name of the type: `Article`. */
  name(object: string): string
  readonly description: string
  /** In GraphQL's schema language; undefined if the type has nothing that the arguments could name. */
  arguments(names: MutationNames): string | undefined
  /** The GraphQL type of the answer; `entry`: the type of the entry. */
  readonly answer: 'entry' | 'BulkWrite' | 'EmptiedTrash'
  /** Checks of the arguments that GraphQL's types cannot express. */
  readonly takes?: TSchema
  /** How many entries it writes at most; default: one. */
  writes?(args: Readonly<Record<string, unknown>>): number
  resolve(args: Readonly<Record<string, unknown>>, request: WriteRequest, run: Runs): Promise<unknown>
}

/** The GraphQL names of a type's input and of the enum of its relations, if it has any. */
export interface MutationNames {
  readonly updateInput: string
  readonly relations: string | undefined
}

/** An operation that consists of others, or has no middleware of its own. */
export function defineOperation<
  Request extends WriteRequest,
  Rest extends readonly unknown[],
  Result,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
>(
  operation: Pick<Operation<Request, Rest, Result>, 'run'> &
    OperationOffer<Request, Rest, Result, Params, Query, Body>,
): Operation<Request, Rest, Result> {
  return operation as unknown as Operation<Request, Rest, Result>
}
