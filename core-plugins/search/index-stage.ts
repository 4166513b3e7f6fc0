import type { Entry, WriteStage } from '../content/content.ts'
import { type Transaction, untilCommit } from '../database/database.ts'
import { type DocumentSource, documentOf } from './document.ts'
import type { SearchEngine } from './engines/engine.ts'
import type { IndexState } from './index-state.ts'
import type { SearchedText, SearchedTexts } from './searched-texts.ts'
import { alikeStamps, type Stamp } from './stamps.ts'
import type { Tokenizers } from './tokenizers.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface IndexDeps {
  readonly engine: SearchEngine
  readonly texts: SearchedTexts
  readonly state: IndexState
  readonly defaultLocale: () => string
  readonly tokenizers: Tokenizers
  readonly vocabulary: Vocabulary
}

/** A document that is replaced at the end of the transaction. */
interface Replacement {
  readonly type: string
  readonly entryId: number
  /** No document of the entry exists yet. */
  readonly isNew: boolean
  /** Undefined: the document is removed. */
  readonly source: DocumentSource | undefined
}

/** The effect of a write on the index. */
interface IndexChange {
  readonly stamp: Stamp
  readonly replacement?: Replacement
}

/** The limit of documents that an engine removes at once, and of those that are made at once. */
const documentsAtOnce = 50

/** Updates the index in the transaction of each write. */
export function indexWrites(deps: IndexDeps): WriteStage {
  const { engine, texts, state, defaultLocale, tokenizers, vocabulary } = deps
  const searched = new Set(texts.types.map(({ name }) => name))

  async function replace(all: readonly Replacement[], tx: Transaction): Promise<void> {
    // If an entry was written several times, the last write counts.
    const last = [...new Map(all.map((each) => [`${each.entryId} ${each.type}`, each])).values()]
    const known = new Set(all.filter(({ isNew }) => !isNew).map(({ type }) => type))
    for (const type of known) {
      const ids = last.filter((each) => each.type === type).map(({ entryId }) => entryId)
      for (let start = 0; start < ids.length; start += documentsAtOnce) {
        await engine.remove(type, ids.slice(start, start + documentsAtOnce), tx)
      }
    }
    await insert(
      last.flatMap(({ source }) => source ?? []),
      tx,
    )
  }

  /** A few at a time: the tokens of many documents, kept until the last one is made, would be most of what the process has in memory. */
  async function insert(sources: readonly DocumentSource[], tx: Transaction): Promise<void> {
    const spelled = new Map<string, Set<string>>()
    for (let start = 0; start < sources.length; start += documentsAtOnce) {
      const documents = sources.slice(start, start + documentsAtOnce).map(documentOf)
      engine.insert(documents, tx)
      for (const { type, spelled: words } of documents) {
        const all = spelled.get(type) ?? new Set()
        for (const word of words) all.add(word)
        spelled.set(type, all)
      }
    }
    const words = [...spelled].map(([type, each]) => ({ type, spelled: each }))
    if (words.length > 0) await vocabulary.add(words, tx)
  }

  // Documents before stamps: a later write of the same transaction may have stamped one.
  const keep = untilCommit<IndexChange>(async (changes, tx) => {
    await replace(
      changes.flatMap(({ replacement }) => replacement ?? []),
      tx,
    )
    const stamps = changes.map(({ stamp }) => stamp)
    for (const alike of alikeStamps(stamps)) await state.stamp(alike, tx)
  })

  return {
    name: 'search: keep the index',
    matches: ({ type }) => searched.has(type.name),
    async run(context, next) {
      const entry = await next()
      const { type, before, tx } = context
      const { event } = context.outcome
      // Pending drafts are not searched, only the entries themselves.
      if (event === undefined || event === 'draft') return entry
      const place = { type: type.name, entryId: entry.id, publishedAt: publishedAtOf(entry) }
      if (event === 'delete') {
        const replacement = { type: type.name, entryId: entry.id, isNew: false, source: undefined }
        keep(tx, { stamp: { ...place, updatedAt: undefined }, replacement })
        return entry
      }
      const found = texts.of(type, entry)
      const isKnown = before !== undefined && context.operation !== 'restore'
      if (isKnown && isSame({ entry, texts: found }, { entry: before, texts: texts.of(type, before) })) {
        keep(tx, { stamp: { ...place, updatedAt: String(entry.updated_at) } })
        return entry
      }
      const source = { type, entry, texts: found, defaultLocale: defaultLocale(), tokenizers }
      const isNew = context.operation === 'create'
      const replacement = { type: type.name, entryId: entry.id, isNew, source }
      keep(tx, { stamp: { ...place, updatedAt: undefined }, replacement })
      return entry
    },
  }
}

interface Indexed {
  readonly entry: Entry
  readonly texts: readonly SearchedText[]
}

function publishedAtOf({ published_at: publishedAt }: Entry): string | null {
  return typeof publishedAt === 'string' ? publishedAt : null
}

/** Whether two versions of an entry contain the same words. */
function isSame(left: Indexed, right: Indexed): boolean {
  return (
    left.entry.locale === right.entry.locale &&
    left.texts.length === right.texts.length &&
    left.texts.every(({ path, text }, index) => {
      const other = right.texts[index]
      return other?.path === path && other.text === text
    })
  )
}
