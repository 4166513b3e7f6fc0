import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { RouteRequest } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'
import type { AnswerLabel } from './answer-labels.ts'
import { compress, type Encoding } from './compression.ts'

/** What is to be known of a 200 answer to tell those who have it that it is still right. */
export interface TaggedAnswer {
  /** What goes out with it whoever asks: not the id of the request, CORS, or rate limits. */
  readonly lines: HeaderLines
  readonly tag: string
  readonly label: AnswerLabel | undefined
}

/** A whole 200 answer that can be sent again, to anybody whom its keeper gives it to. */
export class KeptAnswer {
  /** See `TaggedAnswer`. */
  readonly lines: HeaderLines
  /** Undefined for answers that are not asked for conditionally. */
  readonly tag: string | undefined
  readonly bytes: Buffer
  readonly label: AnswerLabel | undefined
  #encoded: Map<Encoding, Buffer> | undefined
  #compressing: Set<Encoding> | undefined

  constructor(lines: HeaderLines, tag: string | undefined, bytes: Buffer, label?: AnswerLabel) {
    this.lines = lines
    this.tag = tag
    this.bytes = bytes
    this.label = label
  }

  /** In bytes, with the compressed copies. */
  get size(): number {
    let size = this.bytes.length
    for (const { length } of this.#encoded?.values() ?? []) size += length
    return size
  }

  /** Undefined: nobody asks for it conditionally. */
  get withoutBytes(): TaggedAnswer | undefined {
    const { lines, tag, label } = this
    return tag === undefined ? undefined : { lines, tag, label }
  }

  /** Its compressed bytes, if somebody has asked for them before; otherwise they are made for the next one. */
  encoded(encoding: Encoding): Buffer | undefined {
    const known = this.#encoded?.get(encoding)
    if (known === undefined) this.#compress(encoding)
    return known
  }

  #compress(encoding: Encoding): void {
    this.#compressing ??= new Set()
    if (this.#compressing.has(encoding)) return
    this.#compressing.add(encoding)
    compress(this.bytes, encoding, (error, compressed) => {
      if (error !== null) return
      this.#encoded ??= new Map()
      this.#encoded.set(encoding, compressed)
    })
  }
}

/** An answer that was made. Its bytes are in use only until it is sent. */
export interface MadeAnswer {
  /** In bytes. */
  readonly size: number
  copy(): KeptAnswer
  /** Undefined: nobody asks for it conditionally. */
  copyWithoutBytes(): TaggedAnswer | undefined
}

/** An answer that is being made, and may be kept. Exactly one of its methods is called, once. */
export interface AnswerInMaking {
  keep(answer: MadeAnswer): void
  /** It failed, or is none that can be kept. */
  release(): void
}

/**
 * A look for an answer: `kept` is sent as it is; `unchanged` is what the caller has, by the tag that they name, and becomes
 * a 304; otherwise the route runs, and `making` is told of its answer.
 */
export type AnswerLook =
  | { readonly kept: KeptAnswer }
  | { readonly unchanged: TaggedAnswer }
  | { readonly making: AnswerInMaking }
  | undefined

/** `hit`: answered from memory; `unvalidated`: by `findUnvalidated`; `miss`: made anew. */
export type AnswerFate = 'hit' | 'unvalidated' | 'miss'

/** Keeps answers of the routes that allow it (`keptBy`). */
export interface AnswerKeeper {
  /**
   * Asked for each request to such a route, when its caller may use it. Undefined: it is answered as if there were no
   * keeper. A promise: somebody else makes the answer, or it has to be found out whether it is still right.
   */
  find(request: RouteRequest): Awaitable<AnswerLook>
  /**
   * What there is for a request without credentials while it cannot be found out whether it is still right, because the
   * database does not answer. Undefined: nothing that is better than an error.
   */
  findUnvalidated(request: RouteRequest): KeptAnswer | undefined
  /** Headers that tell what has become of the request. */
  headers(request: RouteRequest, fate: AnswerFate): HeaderLines
}

/** At most one. Contribute in `register` or `init`. */
export const answerKeepers: ExtensionPoint<AnswerKeeper> = extensionPoint('answerKeepers')
