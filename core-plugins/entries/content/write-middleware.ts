import { type ExtensionPoint, middlewarePoint, type Next, type Stage } from '../../../kernel/index.ts'
import {
  type ContentTarget,
  type MiddlewareOptions,
  stageOptions,
  type WriteOperation,
} from './content-target.ts'
import type { Entry } from './entry/entry.ts'
import type { WriteContext } from './write-context.ts'

/** A stage runs in the transaction of the write: throwing rolls everything back. */
export type WriteStage = Stage<ContentTarget, WriteContext, Entry>

/** Middleware of writes; specification, "Extension routes". */
export const contentWriteMiddleware: ExtensionPoint<WriteStage> = middlewarePoint('contentWriteMiddleware')

/** Write middleware as plugins write it. */
export interface WriteMiddleware extends MiddlewareOptions<WriteOperation> {
  run(context: WriteContext, next: Next<Entry>): Entry | Promise<Entry>
}

/** Creates a stage for `contentWriteMiddleware`. */
export function defineWriteMiddleware(middleware: WriteMiddleware): WriteStage {
  return { ...stageOptions(middleware), run: middleware.run }
}
