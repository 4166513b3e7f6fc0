import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { WriteAnnotations } from './write-annotation.ts'

export type BulkOperation = 'update' | 'delete' | 'publish' | 'unpublish'

/** A bulk write of the REST API that is about to begin. */
export interface BulkWrite {
  /** Singular name of the type; the type may not exist. */
  readonly type: string
  readonly operation: BulkOperation
  readonly principal: Principal
}

/** The part of a bulk write's answer that says how it can be undone. */
export interface RecordedBatch {
  readonly id: string
  /** ISO 8601. */
  readonly expires_at: string
}

/** One bulk write whose undoing is prepared. */
export interface StartedBatch {
  /** To pass to the write, so that the plugin's stages recognize it. */
  readonly annotations: WriteAnnotations
  /** Call it after the write has succeeded. Null if the write cannot be undone. */
  answer(): RecordedBatch | null
}

/** Records what a bulk write changes, so that it can be undone. Returns undefined if the caller could not undo it. */
export type BatchRecorder = (write: BulkWrite) => StartedBatch | undefined

/** Contribute one in `init`. */
export const batchRecorders: ExtensionPoint<BatchRecorder> = extensionPoint('batchRecorders')
