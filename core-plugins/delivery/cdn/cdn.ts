import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/** One request that makes a CDN forget. */
export interface PurgeCall {
  readonly method: 'POST' | 'PURGE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How the operator's account at a CDN is reached; empty where it is not set. */
export interface CdnAccess {
  readonly url: string
  /** The service or zone. */
  readonly service: string
  readonly token: string
}

/** What a CDN is asked to forget. */
export interface PurgeOrder {
  readonly tags: readonly string[]
  /** Where the log of changes stands, as a cursor; changes up to there are in the order. */
  readonly position: string
  /** Whether it must not be shown once more, even while a new answer is fetched; else `stale-while-revalidate` may apply. */
  readonly isHard: boolean
}

/** Speaks with one kind of CDN. */
export interface Purger {
  /** For the setting `cdn.provider`. */
  readonly name: string
  /** The headers by which it learns the tags of an answer, in lower case. */
  readonly tagHeaders: readonly string[]
  readonly tagSeparator: string
  /** The header that it takes times from before it looks at `Cache-Control`, in lower case. */
  readonly policyHeader: string
  /** The settings that it cannot do without. */
  readonly needs: readonly (keyof CdnAccess)[]
  /** Tags in one call at most. */
  readonly maxTags: number
  /** Calls that it takes within a minute. */
  readonly callsPerMinute: number
  /** Whether it supports soft purges, after which it may serve the old answer until it has a new one. Otherwise all purges are hard. */
  readonly hasSoftPurge: boolean
  call(order: PurgeOrder, access: CdnAccess): PurgeCall
}

/** The kinds of CDN that `cdn.provider` may name. Contribute in `register`. */
export const purgers: ExtensionPoint<Purger> = extensionPoint('purgers')
