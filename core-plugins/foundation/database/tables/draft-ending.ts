import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Principal } from '../../http/http.ts'

/** Publishes or deletes all drafts of a type; requested through `safe-sync`. */
export interface DraftEnding {
  /**
   * Covers all drafts, scheduled ones and those in the trash included. What must not be deleted, as others refer to it,
   * stays. @throws AppError as writes do
   */
  end(request: DraftEndingRequest): Promise<void>
}

/** What was decided about the drafts of a type, and by whom. */
export interface DraftEndingRequest {
  readonly type: string
  readonly decision: 'publish' | 'delete'
  readonly principal: Principal
  readonly ip: string
}

/** Restores or deletes all entries in the trash of a type; requested through `safe-sync`. */
export interface TrashEnding {
  /** What must not be deleted, as others refer to it, stays. @throws AppError as writes do */
  end(request: TrashEndingRequest): Promise<void>
}

export interface TrashEndingRequest extends Omit<DraftEndingRequest, 'decision'> {
  readonly decision: 'restore' | 'delete'
}

/** Contributed by the plugin that stores the rows that `endingTrash` is about. */
export const trashEndings: ExtensionPoint<TrashEnding> = extensionPoint('trashEndings')

/** Contributed by the plugin that stores the rows that `endingDrafts` is about. */
export const draftEndings: ExtensionPoint<DraftEnding> = extensionPoint('draftEndings')
