import { DatabaseError } from '../../database-error.ts'

/**
 * When all prepared statements of a process last became outdated, in milliseconds; 0 for never. A time and not a
 * counter, since a pooler keeps statements by their texts, including those of earlier and other processes.
 */
export interface Preparations {
  generation: number
}

/** A statement on one connection. */
export interface PreparedText {
  /** The text that is sent: the driver treats a different text as a different statement, and prepares it again. */
  readonly sent: string
  readonly generation: number
  state: 'new' | 'preparing' | 'prepared'
}

/** The statements that one connection has prepared. */
export class PreparedTexts {
  readonly #preparations: Preparations
  readonly #texts = new Map<string, PreparedText>()
  #count = 0

  constructor(preparations: Preparations) {
    this.#preparations = preparations
  }

  /** How many statements the server holds for this connection, including outdated ones. */
  get count(): number {
    return this.#count
  }

  of(text: string): PreparedText {
    const known = this.#texts.get(text)
    return known?.generation === this.#preparations.generation ? known : this.#add(text)
  }

  /**
   * If the statement was current, all statements are prepared again, on all connections: whatever outdated this one
   * has probably outdated others.
   */
  outdate({ generation }: PreparedText): void {
    if (generation === this.#preparations.generation) this.outdateAll()
  }

  /** Outdates all statements unconditionally. */
  outdateAll(): void {
    this.#preparations.generation = Math.max(this.#preparations.generation + 1, Date.now())
  }

  #add(text: string): PreparedText {
    const { generation } = this.#preparations
    const sent = generation === 0 ? text : `${text} /* ${generation} */`
    const added: PreparedText = { sent, generation, state: 'new' }
    this.#texts.set(text, added)
    this.#count += 1
    return added
  }
}

const maxAttempts = 3

/** Whether a statement did not run because it was prepared before the tables changed. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'altered'
}

/** Runs a query outside a transaction; if the tables have changed, repeats it, prepared again. */
export async function againWhileOutdated<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await query()
    } catch (error) {
      if (!isOutdated(error) || attempt === maxAttempts) throw error
    }
  }
}
