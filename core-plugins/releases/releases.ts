import { type HookToken, hook } from '../../kernel/index.ts'
import type { ErrorDetail } from '../http/http.ts'

/** See docs/editorial.md. A `failed` release can be fixed and published again. */
export type ReleaseStatus = 'draft' | 'scheduled' | 'publishing' | 'published' | 'failed'

export type ReleaseAction = 'publish' | 'unpublish'

/** Why a release was not published; details name entries as `article:7`. */
export interface ReleaseError {
  readonly message: string
  readonly details: readonly ErrorDetail[]
}

/** Entries that are published or unpublished together. Times are ISO 8601. */
export interface Release {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly scheduledAt: string | null
  /**
   * Who set the time, in the form of auth's `Makers`: entries they may not publish at that time are not
   * published. Null if nobody set it, or if it was set before this was recorded.
   */
  readonly scheduledBy: string | null
  readonly publishedAt: string | null
  readonly error: ReleaseError | null
  readonly entryCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a release does to one entry. */
export interface ReleaseItem {
  readonly id: number
  /** Singular name of the type. */
  readonly contentType: string
  readonly entryId: number
  readonly action: ReleaseAction
  readonly createdAt: string
}

/** Emitted after the commit that published it. */
export const releasePublished: HookToken<{ readonly release: Release }> = hook('releases:published')

/** An attempt to publish it failed; nothing was changed. */
export const releaseFailed: HookToken<{ readonly release: Release }> = hook('releases:failed')
