import type { Transaction } from '../../foundation/database/database.ts'
import { type DocumentSource, sourceOf } from './document.ts'
import type { DocumentMaker } from './document-maker.ts'
import type { SearchEngine } from './engines/engine.ts'
import { type IndexChange, merged, stampsOf } from './index-change.ts'
import type { IndexState } from './index-state.ts'
import type { MadeDocuments } from './make-documents.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface IndexWriterDeps {
  readonly engine: SearchEngine
  readonly state: IndexState
  readonly defaultLocale: () => string
  readonly documents: DocumentMaker
  readonly vocabulary: Vocabulary
}

/**
 * The maximum number of documents that an engine removes at once. More are not built at once either, since their tokens would
 * take most of the process's memory.
 */
const documentsAtOnce = 50

/** Collects the effects of the writes of one transaction on the index; for several writes of an entry, they are merged. */
export class TransactionIndex {
  readonly #deps: IndexWriterDeps
  readonly #tx: Transaction
  readonly #spelled = new Map<string, Set<string>>()
  #changes = new Map<string, IndexChange>()
  #written: Promise<void> = Promise.resolve()
  /** Whether finishing before the commit has been requested. */
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

  /**
   * Builds the documents of the collected entries on a thread and stores them while further entries are prepared. A failure
   * makes the transaction fail.
   */
  #writeAhead(): void {
    const changes = this.#take()
    const made = this.#deps.documents.aside(this.#sourcesOf(changes))
    this.#written = Promise.all([made, this.#written]).then(async ([documents]) => {
      await this.#write(changes, documents)
      await this.#tx.flush()
    })
    this.#written.catch(() => undefined)
  }

  async #finish(): Promise<void> {
    // Other actions before the commit may still write.
    this.#isDue = false
    await this.#written
    const changes = this.#take()
    await this.#write(changes, this.#deps.documents.now(this.#sourcesOf(changes)))
    // All words of the transaction are added together in one order, so that two transactions do not deadlock.
    const spelled = new Map(this.#spelled)
    this.#spelled.clear()
    if (spelled.size > 0) await this.#deps.vocabulary.add(spelled, this.#tx)
  }

  #take(): readonly IndexChange[] {
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    return changes
  }

  #sourcesOf(changes: readonly IndexChange[]): DocumentSource[] {
    const defaultLocale = this.#deps.defaultLocale()
    return changes
      .filter(({ effect }) => effect === 'replace')
      .map(({ type, entry, texts }) => sourceOf(type, entry, { texts, defaultLocale }))
  }

  async #write(changes: readonly IndexChange[], { rows, spelled }: MadeDocuments): Promise<void> {
    const { engine, state } = this.#deps
    await this.#remove(changes.filter(({ effect, isNew }) => effect !== 'stamp' && !isNew))
    if (rows.length > 0) engine.insert(rows, this.#tx)
    this.#noteWords(spelled)
    for (const stamp of stampsOf(changes)) await state.stamp(stamp, this.#tx)
  }

  #noteWords(spelled: MadeDocuments['spelled']): void {
    for (const [type, words] of spelled) {
      const all = this.#spelled.get(type) ?? new Set()
      this.#spelled.set(type, all)
      for (const word of words) all.add(word)
    }
  }

  async #remove(changes: readonly IndexChange[]): Promise<void> {
    for (const name of new Set(changes.map(({ type }) => type.name))) {
      const ids = changes.filter(({ type }) => type.name === name).map(({ entry }) => entry.id)
      await this.#deps.engine.remove(name, ids, this.#tx)
    }
  }
}
