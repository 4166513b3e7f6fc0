import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/** One request that purges content from a CDN. */
export interface PurgeCall {
  readonly method: 'POST' | 'PURGE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Access to the operator's account at a CDN; unset values are empty. */
export interface CdnAccess {
  readonly url: string
  /** The service or zone. */
  readonly service: string
  readonly token: string
}

/** The content to purge from a CDN. */
export interface PurgeOrder {
  readonly tags: readonly string[]
  /** The position in the log of changes, as a cursor; the order covers all changes up to it. */
  readonly position: string
  /**
   * Whether old content must not be served even once, not even while a new response is fetched; otherwise
   * `stale-while-revalidate` may apply.
   */
  readonly isHard: boolean
}

/** An adapter for one kind of CDN. */
export interface Purger {
  /** The value of the setting `cdn.provider`. */
  readonly name: string
  /** The names of the headers that carry the tags of a response, in lower case. */
  readonly tagHeaders: readonly string[]
  readonly tagSeparator: string
  /** The header with which the CDN overrides `Cache-Control`, in lower case. */
  readonly policyHeader: string
  /** The required settings. */
  readonly needs: readonly (keyof CdnAccess)[]
  /** The maximum number of tags per call. */
  readonly maxTags: number
  /** The maximum number of calls per minute. */
  readonly callsPerMinute: number
  /**
   * Whether it supports soft purges, after which it may serve the old response until it has a new one. Otherwise all purges
   * are hard.
   */
  readonly hasSoftPurge: boolean
  call(order: PurgeOrder, access: CdnAccess): PurgeCall
}

/** The available values of `cdn.provider`. Contribute in `register`. */
export const purgers: ExtensionPoint<Purger> = extensionPoint('purgers')
