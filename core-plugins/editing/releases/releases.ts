import { type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { ErrorDetail, Principal } from '../../foundation/http/http.ts'

/** See docs/editorial.md. A `failed` release can be fixed and published again. */
export type ReleaseStatus = 'draft' | 'scheduled' | 'publishing' | 'published' | 'failed'

/** What a release does with an entry when it is published. */
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

/** The releases, for other plugins. */
export interface Releases {
  /** Those that will be published next, the earliest first. */
  scheduled(limit: number): Promise<readonly Release[]>
  /** Those with a time in between (ISO 8601), whatever has become of them, the earliest first. */
  between(from: string, to: string, limit: number): Promise<readonly Release[]>
  /** What is in releases, by their ids; with one query. */
  items(ids: readonly number[]): Promise<readonly (ReleaseItem & { readonly releaseId: number })[]>
  /** Whether the caller may read releases. What is in them is for those who may read or publish its type. */
  mayRead(principal: Principal): boolean
}

export const releasesService: ServiceToken<Releases> = service('releases')

/** Emitted after the commit that published it. */
export const releasePublished: HookToken<{ readonly release: Release }> = hook('releases:published')

/** An attempt to publish it failed; nothing was changed. */
export const releaseFailed: HookToken<{ readonly release: Release }> = hook('releases:failed')
