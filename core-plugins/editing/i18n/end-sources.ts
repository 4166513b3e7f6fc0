import { groupBy } from '../../../kernel/index.ts'
import type { WriteStage } from '../../entries/content/content.ts'
import { untilCommit } from '../../foundation/database/database.ts'
import { isLocalized } from './columns.ts'
import type { SourceChanges } from './source-changes.ts'

/** Deletes the recorded changes of sources that are deleted or moved to the trash: another version becomes the source. */
export function endSources(changes: SourceChanges): WriteStage {
  const end = untilCommit<{ readonly type: string; readonly id: number }>(async (gone, tx) => {
    for (const [type, some] of groupBy(gone, (each) => each.type)) {
      const ids = some.map(({ id }) => id)
      await changes.end(type, ids, tx)
    }
  })
  return {
    name: 'i18n: end deleted sources',
    matches: ({ type, operation }) => isLocalized(type) && operation === 'delete',
    async run(context, next) {
      const entry = await next()
      end(context.tx, { type: context.type.name, id: entry.id })
      return entry
    },
  }
}
