import { matcherOf } from '../../../kernel/index.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** How entries are read: one by its id, or a list. */
export type ReadOperation = 'find' | 'list'

/** `discard` drops the pending draft of an entry. */
export const writeOperations = [
  'create',
  'update',
  'delete',
  'restore',
  'publish',
  'unpublish',
  'discard',
] as const

/** What a write does with an entry. */
export type WriteOperation = (typeof writeOperations)[number]

/** The combination of type and operation that content middleware is matched against; each is matched once at the start. */
export interface ContentTarget {
  readonly type: ContentType
  readonly operation: ReadOperation | WriteOperation
}

/** Options shared by read and write middleware. */
export interface MiddlewareOptions<Operation> {
  /** Shown in messages: the plugin and what the middleware does. */
  readonly name: string
  /** Singular names of content types; `*` matches any characters. Default: all types. */
  readonly types?: string | readonly string[]
  /** Default: all operations. */
  readonly operations?: readonly Operation[]
  /** Lower runs earlier. Default: 0. */
  readonly order?: number
}

/** The part of a stage that says when it runs. */
export function stageOptions({
  name,
  types = '*',
  operations,
  order,
}: MiddlewareOptions<ContentTarget['operation']>) {
  const isMeant = matcherOf(types)
  return {
    name,
    ...(order === undefined ? {} : { order }),
    matches: ({ type, operation }: ContentTarget) =>
      isMeant(type.name) && (operations?.includes(operation) ?? true),
  }
}

const operations: readonly ContentTarget['operation'][] = ['find', 'list', ...writeOperations]

/**
 * Matches the stages against every type and operation, so that a `matches` that throws fails the start:
 * chains are otherwise compiled on first use of a type.
 */
export function assertMatchable(
  stages: readonly { matches(target: ContentTarget): boolean }[],
  types: Iterable<ContentType>,
): void {
  for (const type of types) {
    for (const operation of operations) {
      for (const stage of stages) stage.matches({ type, operation })
    }
  }
}

/**
 * Does the same for what plugins add to types regardless of the operation, so that errors of third-party plugins fail the start
 * instead of requests.
 */
export function assertAnswering(
  added: readonly { matches(type: ContentType): boolean }[],
  types: Iterable<ContentType>,
): void {
  for (const type of types) for (const each of added) each.matches(type)
}
