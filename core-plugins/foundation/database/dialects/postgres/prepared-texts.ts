import { DatabaseError } from '../../database-error.ts'

/**
 * When all prepared statements of a process have last become outdated, in milliseconds; 0 for never. A time rather
 * than a count, as a pooler keeps statements by their texts, those of earlier processes and of others included.
 */
export interface Preparations {
  generation: number
}

/** A statement on one connection. */
export interface PreparedText {
  /** The text that it is sent as: the driver takes another text for another statement, and prepares it anew. */
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

  /** How many the server holds for this connection, outdated ones included. */
  get count(): number {
    return this.#count
  }

  of(text: string): PreparedText {
    const known = this.#texts.get(text)
    return known?.generation === this.#preparations.generation ? known : this.#add(text)
  }

  /** Every statement is prepared anew, on all connections: what outdated one has probably outdated others. */
  outdate({ generation }: PreparedText): void {
    if (generation === this.#preparations.generation) this.outdateAll()
  }

  /** The same, whatever was outdated. */
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

/** Whether a statement has not run because it was prepared before the tables changed. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'altered'
}

/** Runs a query outside of a transaction, and again, prepared anew, if the tables have changed. */
export async function againWhileOutdated<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await query()
    } catch (error) {
      if (!isOutdated(error) || attempt === maxAttempts) throw error
    }
  }
}
