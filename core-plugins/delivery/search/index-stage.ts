import type { Entry, WriteStage } from '../../entries/content/content.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { IndexChange } from './index-change.ts'
import type { SearchedText, SearchedTexts } from './searched-texts.ts'
import { type IndexWriterDeps, TransactionIndex } from './transaction-index.ts'

export interface IndexDeps extends IndexWriterDeps {
  readonly texts: SearchedTexts
}

/** Updates the index in the transaction of each write. */
export function indexWrites(deps: IndexDeps): WriteStage {
  const { texts } = deps
  const searched = new Set(texts.types.map(({ name }) => name))
  const open = new WeakMap<Transaction, TransactionIndex>()

  function indexOf(tx: Transaction): TransactionIndex {
    const known = open.get(tx)
    if (known !== undefined) return known
    const index = new TransactionIndex(deps, tx)
    open.set(tx, index)
    return index
  }

  /** The effect of a written entry on its document. */
  function changeOf(type: ContentType, entry: Entry, before: Entry | undefined): Omit<IndexChange, 'isNew'> {
    const found = texts.of(type, entry)
    const isKnown =
      before !== undefined &&
      isSame({ entry, texts: found }, { entry: before, texts: texts.of(type, before) })
    return isKnown
      ? { type, entry, effect: 'stamp', texts: [] }
      : { type, entry, effect: 'replace', texts: found }
  }

  return {
    name: 'search: keep the index',
    matches: ({ type }) => searched.has(type.name),
    async run(context, next) {
      const entry = await next()
      const { type, before, tx, operation } = context
      const { event } = context.outcome
      // Only entries themselves are searched, not pending drafts.
      if (event === undefined || event === 'draft') return entry
      if (event === 'delete') {
        indexOf(tx).add({ type, entry, isNew: false, effect: 'remove', texts: [] })
      } else {
        const change = changeOf(type, entry, operation === 'restore' ? undefined : before)
        indexOf(tx).add({ ...change, isNew: operation === 'create' })
      }
      return entry
    },
  }
}

interface Indexed {
  readonly entry: Entry
  readonly texts: readonly SearchedText[]
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
