import { type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Release, ReleaseItem } from './release.ts'

export type { Release, ReleaseAction, ReleaseError, ReleaseItem, ReleaseStatus } from './release.ts'

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
