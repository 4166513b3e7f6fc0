import { matcherOf, type Next } from '../../kernel/index.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type {
  ContentTarget,
  Entry,
  ReadContext,
  ReadOperation,
  ReadResult,
  ReadStage,
  WriteContext,
  WriteOperation,
  WriteStage,
} from './content.ts'

interface Middleware<Operation> {
  /** For messages: the plugin and what the middleware does. */
  readonly name: string
  /** Singular names of content types, with `*` for any characters; all unless told otherwise. */
  readonly types?: string | readonly string[]
  /** All of them unless told otherwise. */
  readonly operations?: readonly Operation[]
  /** Lower runs earlier; 0 unless told otherwise. */
  readonly order?: number
}

/** Content middleware as plugins write it; specification, "Extension routes". */
export interface ReadMiddleware extends Middleware<ReadOperation> {
  run(context: ReadContext, next: Next<ReadResult>): ReadResult | Promise<ReadResult>
}

/** As `ReadMiddleware`, in the transaction of the write. */
export interface WriteMiddleware extends Middleware<WriteOperation> {
  run(context: WriteContext, next: Next<Entry>): Entry | Promise<Entry>
}

/** Makes what is contributed to `contentReadMiddleware`. */
export function defineReadMiddleware(middleware: ReadMiddleware): ReadStage {
  return { ...bound(middleware), run: middleware.run }
}

/** Makes what is contributed to `contentWriteMiddleware`. */
export function defineWriteMiddleware(middleware: WriteMiddleware): WriteStage {
  return { ...bound(middleware), run: middleware.run }
}

const operations: readonly ContentTarget['operation'][] = [
  ...(['find', 'list'] as const),
  ...(['create', 'update', 'delete', 'restore', 'publish', 'unpublish'] as const),
]

/**
 * Asks stages about every type and operation, so that one that cannot tell fails at the start: chains are compiled when
 * a type is asked for first.
 */
export function expectJudgement(
  stages: readonly Pick<ReadStage, 'matches'>[],
  types: Iterable<ContentType>,
): void {
  for (const type of types) {
    for (const operation of operations) {
      for (const stage of stages) stage.matches({ type, operation })
    }
  }
}

function bound({ name, types = '*', operations, order }: Middleware<ContentTarget['operation']>) {
  const isMeant = matcherOf(types)
  return {
    name,
    ...(order === undefined ? {} : { order }),
    matches: ({ type, operation }: ContentTarget) =>
      isMeant(type.name) && (operations?.includes(operation) ?? true),
  }
}
