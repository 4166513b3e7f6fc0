import { type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Release, ReleaseItem } from './release.ts'

export type { Release, ReleaseAction, ReleaseError, ReleaseItem, ReleaseStatus } from './release.ts'

/** The releases, for other plugins. */
export interface Releases {
  /** Releases that will be published next, the earliest first. */
  scheduled(limit: number): Promise<readonly Release[]>
  /** Releases with a scheduled time in the range (ISO 8601), regardless of status, the earliest first. */
  between(from: string, to: string, limit: number): Promise<readonly Release[]>
  /** The entries of releases, by the ids of the releases; with one query. */
  items(ids: readonly number[]): Promise<readonly (ReleaseItem & { readonly releaseId: number })[]>
  /** Whether the caller may read releases. Their entries may be shown only to callers who may read or publish the type. */
  mayRead(principal: Principal): boolean
}

export const releasesService: ServiceToken<Releases> = service('releases')

/** Emitted after the commit that published it. */
export const releasePublished: HookToken<{ readonly release: Release }> = hook('releases:published')

/** An attempt to publish it failed; nothing was changed. */
export const releaseFailed: HookToken<{ readonly release: Release }> = hook('releases:failed')
