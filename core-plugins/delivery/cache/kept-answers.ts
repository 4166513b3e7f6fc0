import { LRUCache } from 'lru-cache'
import type { DatedReads } from '../../entries/changes/changes.ts'
import type { KeptAnswer, TaggedAnswer } from '../../foundation/http/http.ts'

/** An answer, and what it was made of. */
export interface Kept extends DatedReads {
  readonly answer: KeptAnswer
}

/** The same without the body: enough for those who have the answer already. */
export interface Tagged extends DatedReads {
  readonly answer: TaggedAnswer
}

/** What a kept answer takes besides its bytes, about. */
const overhead = 600
/** Larger answers would push out too many others. */
const maxShare = 1 / 64
const maxAnswerBytes = 1024 * 1024
/** How much of the memory is for answers without their bodies. */
const taggedShare = 1 / 8
/** How much of that those may take within a minute that were asked for once. */
const turnover = 1 / 2
const minuteMs = 60_000

/**
 * Answers by key, within a bound of bytes; what was not asked for the longest goes first. What is known of an answer stays
 * for longer than its body.
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

  /** Whether an answer of this many bytes may be kept. */
  mayHold(bytes: number): boolean {
    return bytes <= this.#maxAnswer
  }

  get(key: string): Kept | undefined {
    return this.#kept.get(key)
  }

  /** What is known of an answer that is not kept itself. */
  tagged(key: string): Tagged | undefined {
    return this.#tagged.get(key)
  }

  /** Counts the compressed copies as if they were there already: they come with the first who asks for them. */
  set(key: string, kept: Kept): void {
    this.#tagged.delete(key)
    const size = Math.ceil(kept.answer.bytes.length * 1.5) + sizeOf(key, kept)
    this.#kept.set(key, kept, { size })
  }

  /**
   * Whether what was asked for once may be noted without its body, at a time. A flood of such requests would push out all
   * that was noted before, and most of the work for them would be to come and go in memory.
   */
  mayNote(atMs: number): boolean {
    const leftMs = this.#minuteEndsAtMs - atMs
    // Clocks are set back, too.
    if (leftMs <= 0 || leftMs > minuteMs) {
      this.#minuteEndsAtMs = atMs + minuteMs
      this.#notedBytes = 0
    }
    return this.#notedBytes < this.#maxNotedBytes
  }

  /** `isNew`: it was asked for once, and `mayNote` allows it. */
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

/** Besides the bytes of the body. */
function sizeOf(key: string, { reads }: DatedReads): number {
  return reads.size + 2 * key.length + overhead
}
