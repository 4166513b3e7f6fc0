import { readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { EntryChange } from 'mortise-client'
import type { Article, Author, ContentTypes } from '../countries/content-types.ts'
import type { Follower } from '../follow-changes.ts'
import { readJson, replaceFile } from '../keep-file.ts'
import { type Content, pagesOf } from './pages.ts'

export const shownTypes = ['article', 'author'] as const

type Change = EntryChange<ContentTypes, (typeof shownTypes)[number]>

/** What is stored beside the pages, after them. */
interface State {
  readonly cursor: string
  readonly content: Content
  /** What each page shows, by its path. */
  readonly shows: Readonly<Record<string, readonly string[]>>
}

const stateFile = '.state.json'

/** A folder of pages that is kept in step. Pages are written before the state: what is repeated is the same again. */
export class Site implements Follower<ContentTypes, (typeof shownTypes)[number]> {
  readonly #folder: string
  readonly #onBuilt: (paths: readonly string[]) => void
  #state: State | undefined

  private constructor(folder: string, state: State | undefined, onBuilt: (paths: readonly string[]) => void) {
    this.#folder = folder
    this.#state = state
    this.#onBuilt = onBuilt
  }

  /** Opens a folder, which may be new; `onBuilt` is told of the pages that were made. */
  static async open(
    folder: string,
    onBuilt: (paths: readonly string[]) => void = () => undefined,
  ): Promise<Site> {
    const site = new Site(folder, await readJson<State>(join(folder, stateFile)), onBuilt)
    await site.#removeLeftovers()
    return site
  }

  get cursor(): string | undefined {
    return this.#state?.cursor
  }

  async replace(entries: readonly Change[], cursor: string): Promise<void> {
    await this.#build(contentWith({ articles: {}, authors: {} }, entries), cursor, () => true)
  }

  async update(changes: readonly Change[], cursor: string): Promise<void> {
    const changed = new Set(changes.map(({ type, id }) => `${type} ${id}`))
    const content = contentWith(this.#state?.content ?? { articles: {}, authors: {} }, changes)
    await this.#build(content, cursor, (key) => changed.has(key))
  }

  async #build(content: Content, cursor: string, hasChanged: (key: string) => boolean): Promise<void> {
    const before = this.#state?.shows ?? {}
    const pages = pagesOf(content)
    const built: string[] = []
    for (const [path, page] of pages) {
      const isSame = path in before && ![...(before[path] ?? []), ...page.shows].some(hasChanged)
      if (isSame) continue
      await replaceFile(join(this.#folder, path), page.render())
      built.push(path)
    }
    for (const path of Object.keys(before))
      if (!pages.has(path)) await rm(join(this.#folder, path), { force: true })
    const shows = Object.fromEntries([...pages].map(([path, page]) => [path, page.shows]))
    const state = { cursor, content, shows }
    await replaceFile(join(this.#folder, stateFile), JSON.stringify(state))
    this.#state = state
    this.#onBuilt(built)
  }

  /** What was written by a run that ended before it had stored its state. */
  async #removeLeftovers(): Promise<void> {
    const known = new Set([stateFile, ...Object.keys(this.#state?.shows ?? {})])
    const found = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const file of found) {
      const path = relative(this.#folder, join(file.parentPath, file.name))
      if (file.isFile() && !known.has(path)) await rm(join(this.#folder, path), { force: true })
    }
  }
}

function contentWith(content: Content, changes: readonly Change[]): Content {
  const articles: Record<number, Article> = { ...content.articles }
  const authors: Record<number, Author> = { ...content.authors }
  for (const { type, id, entry } of changes) {
    if (type === 'article') put(articles, id, entry as Article | undefined)
    else put(authors, id, entry as Author | undefined)
  }
  return { articles, authors }
}

function put<Entry>(entries: Record<number, Entry>, id: number, entry: Entry | undefined): void {
  if (entry === undefined) delete entries[id]
  else entries[id] = entry
}
