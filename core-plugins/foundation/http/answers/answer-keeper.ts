import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { RouteRequest } from '../routes/route.ts'
import type { HeaderLines } from '../servers/server-port.ts'
import type { AnswerLabel } from './answer-labels.ts'
import { compress, type Encoding } from './compression.ts'

/** What has to be remembered of a 200 answer so that a client that still has it can get a 304. */
export interface TaggedAnswer {
  /** The headers that are the same for every client: without the request id, CORS and rate limits. */
  readonly lines: HeaderLines
  readonly tag: string
  readonly label: AnswerLabel | undefined
}

/** A whole 200 answer that can be sent again, to any caller for whom the keeper returns it. */
export class KeptAnswer {
  /** See `TaggedAnswer`. */
  readonly lines: HeaderLines
  /** Undefined if the answer has no ETag for conditional requests. */
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

  /** Undefined if the answer has no ETag for conditional requests. */
  get withoutBytes(): TaggedAnswer | undefined {
    const { lines, tag, label } = this
    return tag === undefined ? undefined : { lines, tag, label }
  }

  /** The compressed bytes, if this encoding has been asked for before; otherwise it is made for the next request. */
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

/** An answer that the handler has made. Its bytes are valid only until it is sent. */
export interface MadeAnswer {
  /** In bytes. */
  readonly size: number
  copy(): KeptAnswer
  /** Undefined if the answer has no ETag for conditional requests. */
  copyWithoutBytes(): TaggedAnswer | undefined
}

/** An answer that is being made, and may be kept. Exactly one of its methods is called, once. */
export interface AnswerInMaking {
  keep(answer: MadeAnswer): void
  /** Making the answer failed, or the answer cannot be kept. */
  release(): void
}

/**
 * The result of looking up an answer: `kept` is sent as it is; `unchanged` is the answer that the client already has,
 * according to its `If-None-Match`, and becomes a 304; otherwise the route runs, and `making` receives its answer.
 */
export type AnswerLook =
  | { readonly kept: KeptAnswer }
  | { readonly unchanged: TaggedAnswer }
  | { readonly making: AnswerInMaking }
  | undefined

/** `hit`: answered from memory; `unvalidated`: by `findUnvalidated`; `miss`: made by the handler. */
export type AnswerFate = 'hit' | 'unvalidated' | 'miss'

/** Keeps answers of the routes that allow it (`keptBy`). */
export interface AnswerKeeper {
  /**
   * Called for each request to such a route, once the caller is known to have access. Undefined: the request is
   * answered as if there were no keeper. A promise: another request is making the answer, or a kept one is being
   * validated.
   */
  find(request: RouteRequest): Awaitable<AnswerLook>
  /**
   * The kept answer for a request without credentials while it cannot be validated because the database does not
   * respond. Undefined if there is nothing better than an error.
   */
  findUnvalidated(request: RouteRequest): KeptAnswer | undefined
  /** Headers that say how the request was answered. */
  headers(request: RouteRequest, fate: AnswerFate): HeaderLines
}

/** At most one. Contribute in `register` or `init`. */
export const answerKeepers: ExtensionPoint<AnswerKeeper> = extensionPoint('answerKeepers')
