import type { Transaction } from '../database/database.ts'
import { documentOf, type SearchDocument } from './document.ts'
import type { SearchEngine } from './engines/engine.ts'
import { type IndexChange, merged, stampsOf } from './index-change.ts'
import type { IndexState } from './index-state.ts'
import type { Tokenizers } from './tokenizers.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface IndexWriterDeps {
  readonly engine: SearchEngine
  readonly state: IndexState
  readonly defaultLocale: () => string
  readonly tokenizers: Tokenizers
  readonly vocabulary: Vocabulary
}

/**
 * The limit of documents that an engine removes at once. More are not made at once either: their tokens would be most of what the process
 * has in memory.
 */
const documentsAtOnce = 50

/** What the writes of one transaction do to the index: of several writes of an entry, the last one counts. */
export class TransactionIndex {
  readonly #deps: IndexWriterDeps
  readonly #tx: Transaction
  readonly #spelled = new Map<string, Set<string>>()
  #changes = new Map<string, IndexChange>()
  #written: Promise<void> = Promise.resolve()
  /** It is finished before the commit. */
  #isDue = false

  constructor(deps: IndexWriterDeps, tx: Transaction) {
    this.#deps = deps
    this.#tx = tx
  }

  add(change: IndexChange): void {
    if (!this.#isDue) this.#tx.withCommit(() => this.#finish())
    this.#isDue = true
    const key = `${change.entry.id} ${change.type.name}`
    const earlier = this.#changes.get(key)
    if (earlier === undefined && this.#changes.size === documentsAtOnce) this.#writeAhead()
    this.#changes.set(key, earlier === undefined ? change : merged(earlier, change))
  }

  /** The database works on these while the next entries are prepared. If it fails, so does the transaction. */
  #writeAhead(): void {
    const changes = this.#take()
    this.#written = this.#written.then(async () => {
      await this.#write(changes)
      await this.#tx.flush()
    })
    this.#written.catch(() => undefined)
  }

  async #finish(): Promise<void> {
    // What comes at the end of a transaction may write, too.
    this.#isDue = false
    await this.#written
    await this.#write(this.#take())
    // All words of the transaction together, in one order, so that two transactions do not deadlock.
    const words = [...this.#spelled].map(([type, spelled]) => ({ type, spelled }))
    this.#spelled.clear()
    if (words.length > 0) await this.#deps.vocabulary.add(words, this.#tx)
  }

  #take(): readonly IndexChange[] {
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    return changes
  }

  async #write(changes: readonly IndexChange[]): Promise<void> {
    const { engine, state } = this.#deps
    await this.#remove(changes.filter(({ effect, isNew }) => effect !== 'stamp' && !isNew))
    const replaced = changes.filter(({ effect }) => effect === 'replace')
    if (replaced.length > 0)
      engine.insert(
        replaced.map((change) => this.#documentOf(change)),
        this.#tx,
      )
    for (const stamp of stampsOf(changes)) await state.stamp(stamp, this.#tx)
  }

  async #remove(changes: readonly IndexChange[]): Promise<void> {
    for (const name of new Set(changes.map(({ type }) => type.name))) {
      const ids = changes.filter(({ type }) => type.name === name).map(({ entry }) => entry.id)
      await this.#deps.engine.remove(name, ids, this.#tx)
    }
  }

  #documentOf({ type, entry, texts }: IndexChange): SearchDocument {
    const { defaultLocale, tokenizers } = this.#deps
    const document = documentOf({ type, entry, texts, defaultLocale: defaultLocale(), tokenizers })
    const spelled = this.#spelled.get(type.name) ?? new Set()
    this.#spelled.set(type.name, spelled)
    for (const word of document.spelled) spelled.add(word)
    return document
  }
}
