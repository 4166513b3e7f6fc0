import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'
import type { Principal } from '../http/http.ts'

/** Publishes or deletes all drafts of a type; requested through `safe-sync`. */
export interface DraftEnding {
  /** Covers all drafts, scheduled ones included. @throws AppError as writes do */
  end(request: DraftEndingRequest): Promise<void>
}

export interface DraftEndingRequest {
  readonly type: string
  readonly decision: 'publish' | 'delete'
  readonly principal: Principal
  readonly ip: string
}

/** Contributed by the plugin that stores the rows that `endingDrafts` is about. */
export const draftEndings: ExtensionPoint<DraftEnding> = extensionPoint('draftEndings')
