import type { EntryChange } from 'mortise-client'
import type { ContentTypes } from '../countries/content-types.ts'
import type { Follower } from '../follow-changes.ts'
import { readJson, replaceFile } from '../keep-file.ts'

export const searchedTypes = ['article', 'author'] as const

type Change = EntryChange<ContentTypes, (typeof searchedTypes)[number]>

/** What is found. */
export interface Document {
  readonly title: string
  readonly words: readonly string[]
}

/** What the file holds. */
interface State {
  readonly cursor: string
  /** By `article 3`. */
  readonly documents: Readonly<Record<string, Document>>
}

/** An index in a file, with the cursor of what is in it. */
export class SearchIndex implements Follower<ContentTypes, (typeof searchedTypes)[number]> {
  readonly #file: string
  readonly #documents = new Map<string, Document>()
  /** Keys of documents by word. */
  readonly #postings = new Map<string, Set<string>>()
  #cursor: string | undefined

  private constructor(file: string) {
    this.#file = file
  }

  static async open(file: string): Promise<SearchIndex> {
    const index = new SearchIndex(file)
    const state = await readJson<State>(file)
    for (const [key, document] of Object.entries(state?.documents ?? {})) index.#add(key, document)
    index.#cursor = state?.cursor
    return index
  }

  get cursor(): string | undefined {
    return this.#cursor
  }

  /** The documents with all of the words. */
  search(text: string): readonly (Document & { readonly key: string })[] {
    const [first, ...others] = wordsIn(text).map((word) => this.#postings.get(word) ?? new Set<string>())
    const keys = [...(first ?? [])].filter((key) => others.every((each) => each.has(key)))
    return keys.sort().flatMap((key) => {
      const document = this.#documents.get(key)
      return document === undefined ? [] : [{ key, ...document }]
    })
  }

  async replace(entries: readonly Change[], cursor: string): Promise<void> {
    for (const key of [...this.#documents.keys()]) this.#remove(key)
    await this.update(entries, cursor)
  }

  async update(changes: readonly Change[], cursor: string): Promise<void> {
    for (const change of changes) {
      const key = `${change.type} ${change.id}`
      this.#remove(key)
      const document = documentOf(change)
      if (document !== undefined) this.#add(key, document)
    }
    this.#cursor = cursor
    await replaceFile(this.#file, JSON.stringify({ cursor, documents: Object.fromEntries(this.#documents) }))
  }

  #add(key: string, document: Document): void {
    this.#documents.set(key, document)
    for (const word of document.words) {
      const keys = this.#postings.get(word) ?? new Set()
      this.#postings.set(word, keys.add(key))
    }
  }

  #remove(key: string): void {
    for (const word of this.#documents.get(key)?.words ?? []) {
      const keys = this.#postings.get(word)
      keys?.delete(key)
      if (keys?.size === 0) this.#postings.delete(word)
    }
    this.#documents.delete(key)
  }
}

function documentOf({ type, entry }: Change): Document | undefined {
  if (entry === undefined) return undefined
  const texts = type === 'article' ? [entry.title, entry.excerpt, entry.body] : [entry.name]
  const text = texts.filter((each) => typeof each === 'string').join(' ')
  return { title: type === 'article' ? entry.title : entry.name, words: [...new Set(wordsIn(text))] }
}

/** Letters and digits, in lower case. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
