import { LRUCache } from 'lru-cache'
import type { DatedReads } from '../../entries/changes/changes.ts'
import type { KeptAnswer, TaggedAnswer } from '../../foundation/http/http.ts'

/** A response, and what it depends on. */
export interface Kept extends DatedReads {
  readonly answer: KeptAnswer
}

/** A response without its body: enough for clients that already have the body. */
export interface Tagged extends DatedReads {
  readonly answer: TaggedAnswer
}

/** The approximate overhead of a cached response, in bytes. */
const overhead = 600
/** The maximum share of a single response, since larger ones would evict too many others. */
const maxShare = 1 / 64
const maxAnswerBytes = 1024 * 1024
/** The share of the memory for responses without their bodies. */
const taggedShare = 1 / 8
/** The share of that memory which responses requested once may take within a minute. */
const turnover = 1 / 2
const minuteMs = 60_000

/**
 * Responses by key within a limit of bytes; evicts the least recently used. The metadata of a response is kept longer than its
 * body.
 */
export class KeptAnswers {
  readonly #kept: LRUCache<string, Kept>
  readonly #tagged: LRUCache<string, Tagged>
  readonly #maxAnswer: number
  readonly #maxNotedBytes: number
  #notedBytes = 0
  #minuteEndsAtMs = 0

  constructor(maxBytes: number) {
    const taggedBytes = Math.floor(maxBytes * taggedShare)
    this.#tagged = new LRUCache({ maxSize: Math.max(1, taggedBytes) })
    this.#kept = new LRUCache({
      maxSize: Math.max(1, maxBytes - taggedBytes),
      dispose: (kept, key, reason) => {
        if (reason === 'evict') this.#leaveTag(key, kept)
      },
    })
    this.#maxNotedBytes = taggedBytes * turnover
    this.#maxAnswer = Math.min(maxAnswerBytes, maxBytes * maxShare)
  }

  /** Whether a response of this size may be cached. */
  mayHold(bytes: number): boolean {
    return bytes <= this.#maxAnswer
  }

  get(key: string): Kept | undefined {
    return this.#kept.get(key)
  }

  /** The metadata of a response whose body is not cached. */
  tagged(key: string): Tagged | undefined {
    return this.#tagged.get(key)
  }

  /** Includes the size of compressed copies, which are added at the first request for them. */
  set(key: string, kept: Kept): void {
    this.#tagged.delete(key)
    const size = Math.ceil(kept.answer.bytes.length * 1.5) + sizeOf(key, kept)
    this.#kept.set(key, kept, { size })
  }

  /**
   * Whether the metadata of a response that was requested once may be stored now. A flood of such requests would otherwise
   * evict all other metadata, mostly in vain.
   */
  mayNote(atMs: number): boolean {
    const leftMs = this.#minuteEndsAtMs - atMs
    // A clock may also be set back.
    if (leftMs <= 0 || leftMs > minuteMs) {
      this.#minuteEndsAtMs = atMs + minuteMs
      this.#notedBytes = 0
    }
    return this.#notedBytes < this.#maxNotedBytes
  }

  /** `isNew`: requested once, and allowed by `mayNote`. */
  setTagged(key: string, tagged: Tagged, isNew = false): void {
    const size = sizeOf(key, tagged)
    if (isNew) this.#notedBytes += size
    this.#tagged.set(key, tagged, { size })
  }

  delete(key: string): void {
    this.#kept.delete(key)
    this.#tagged.delete(key)
  }

  clear(): void {
    this.#kept.clear()
    this.#tagged.clear()
  }

  get count(): number {
    return this.#kept.size
  }

  get bytes(): number {
    return this.#kept.calculatedSize + this.#tagged.calculatedSize
  }

  #leaveTag(key: string, { answer, reads, checkedAt, readAtMs }: Kept): void {
    const { withoutBytes } = answer
    if (withoutBytes !== undefined) this.setTagged(key, { answer: withoutBytes, reads, checkedAt, readAtMs })
  }
}

/** The size in addition to the body. */
function sizeOf(key: string, { reads }: DatedReads): number {
  return reads.size + 2 * key.length + overhead
}
