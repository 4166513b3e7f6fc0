import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Principal } from '../../http/http.ts'

/** Publishes or deletes all drafts of a type; requested through `safe-sync`. */
export interface DraftEnding {
  /**
   * Applies to all drafts, including scheduled ones and those in the trash. Entries that cannot be deleted because
   * others refer to them stay.
   * @throws AppError as writes do
   */
  end(request: DraftEndingRequest): Promise<void>
}

/** The decision about the drafts of a type, and who made it. */
export interface DraftEndingRequest {
  readonly type: string
  readonly decision: 'publish' | 'delete'
  readonly principal: Principal
  readonly ip: string
}

/** Restores or deletes all entries in the trash of a type; requested through `safe-sync`. */
export interface TrashEnding {
  /**
   * Entries that cannot be deleted because others refer to them stay.
   * @throws AppError as writes do
   */
  end(request: TrashEndingRequest): Promise<void>
}

export interface TrashEndingRequest extends Omit<DraftEndingRequest, 'decision'> {
  readonly decision: 'restore' | 'delete'
}

/** Contributed by the plugin that stores the rows of tables with `endingTrash`. */
export const trashEndings: ExtensionPoint<TrashEnding> = extensionPoint('trashEndings')

/** Contributed by the plugin that stores the rows of tables with `endingDrafts`. */
export const draftEndings: ExtensionPoint<DraftEnding> = extensionPoint('draftEndings')
