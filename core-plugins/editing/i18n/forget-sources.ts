import { isForGood, type WriteStage } from '../../entries/content/content.ts'
import { untilCommit } from '../../foundation/database/database.ts'
import { isLocalized } from './columns.ts'
import type { SourceChanges } from './source-changes.ts'

interface Gone {
  readonly type: string
  readonly id: number
  readonly isForGood: boolean
}

/** Forgets what has changed in sources that are deleted, and for translations that are. */
export function forgetSources(changes: SourceChanges): WriteStage {
  const forget = untilCommit<Gone>(async (gone, tx) => {
    for (const type of new Set(gone.map((each) => each.type))) {
      const ofType = gone.filter((each) => each.type === type)
      const idsOf = (entries: readonly Gone[]) => entries.map(({ id }) => id)
      await changes.end(type, idsOf(ofType), tx)
      await changes.settle(type, idsOf(ofType.filter((each) => each.isForGood)), tx)
    }
  })
  return {
    name: 'i18n: forget deleted sources',
    matches: ({ type, operation }) => isLocalized(type) && operation === 'delete',
    async run(context, next) {
      const entry = await next()
      forget(context.tx, { type: context.type.name, id: entry.id, isForGood: isForGood(context) })
      return entry
    },
  }
}
