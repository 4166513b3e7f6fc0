import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { WriteAnnotations } from './write-annotation.ts'

export type BulkOperation = 'update' | 'delete' | 'publish' | 'unpublish'

/** A bulk write of the REST API, before it begins. */
export interface BulkWrite {
  /** Singular name of the type, which may not exist. */
  readonly type: string
  readonly operation: BulkOperation
  readonly principal: Principal
}

/** What the answer to a bulk write says about undoing it. */
export interface RecordedBatch {
  readonly id: string
  /** ISO 8601. */
  readonly expires_at: string
}

/** One bulk write whose undoing is prepared. */
export interface StartedBatch {
  /** For the write, so that the stages of the plugin know it. */
  readonly annotations: WriteAnnotations
  /** Once the write has succeeded; null if it cannot be undone. */
  answer(): RecordedBatch | null
}

/** Keeps what a bulk write changes, so that it can be undone. Undefined: the caller could not undo it. */
export type BatchRecorder = (write: BulkWrite) => StartedBatch | undefined

/** Contribute one in `init`. */
export const batchRecorders: ExtensionPoint<BatchRecorder> = extensionPoint('batchRecorders')
