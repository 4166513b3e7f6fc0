import type { Entry, WriteContext, WriteStage } from '../content/content.ts'
import { untilCommit } from '../database/database.ts'
import { type DocumentSource, documentOf } from './document.ts'
import type { SearchEngine } from './engines/engine.ts'
import type { IndexState } from './index-state.ts'
import type { SearchedText, SearchedTexts } from './searched-texts.ts'
import { alikeStamps, type Stamp } from './stamps.ts'

/** Late, so that it sees what is stored and not what other stages make of it. */
const innermost = 1000

export interface IndexScope {
  readonly engine: SearchEngine
  readonly texts: SearchedTexts
  readonly state: IndexState
  readonly defaultLocale: () => string
}

/** Keeps the index up to date in the transaction of each write. */
export function indexWrites({ engine, texts, state, defaultLocale }: IndexScope): WriteStage {
  const searched = new Set(texts.types.map(({ name }) => name))

  async function replace(source: DocumentSource, { operation, tx }: WriteContext) {
    const { type, entry } = source
    if (operation !== 'create') await engine.remove(type.name, [Number(entry.id)], tx)
    await engine.insert([documentOf(source)], tx)
  }

  const stamp = untilCommit<Stamp>(async (stamps, tx) => {
    for (const alike of alikeStamps(stamps)) await state.stamp(alike, tx)
  })

  return {
    name: 'search: keep the index',
    order: innermost,
    matches: ({ type }) => searched.has(type.name),
    async run(context, next) {
      const entry = await next()
      const { event, type, before, tx } = context
      // Drafts beside entries are not found: what is found is what is there.
      if (event === undefined || event === 'draft') return entry
      const place = { type: type.name, entryId: entry.id, publishedAt: publishedAtOf(entry) }
      if (event === 'delete') {
        stamp(tx, { ...place, updatedAt: undefined })
        await engine.remove(type.name, [entry.id], tx)
        return entry
      }
      const found = texts.of(type, entry)
      const isKnown = before !== undefined && context.operation !== 'restore'
      if (isKnown && isSame({ entry, texts: found }, { entry: before, texts: texts.of(type, before) })) {
        stamp(tx, { ...place, updatedAt: String(entry.updated_at) })
        return entry
      }
      stamp(tx, { ...place, updatedAt: undefined })
      await replace({ type, entry, texts: found, defaultLocale: defaultLocale() }, context)
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

/** Whether the words of two versions of an entry are the same. */
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
