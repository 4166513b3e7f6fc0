import type { Transaction } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { changedColumns } from '../entry/waiting-conversion.ts'
import type { Change } from './change.ts'
import type { EntryStatements } from './entry-statements.ts'
import type { HiddenColumns } from './hidden-columns.ts'
import type { LinkStore } from './link-store.ts'

interface UpdateDeps {
  readonly model: EntryModel
  readonly statements: EntryStatements
  readonly links: LinkStore
  readonly hidden: HiddenColumns
  /** Announces the change; returns the changed entry. */
  readonly noteUpdate: (before: Entry, change: Change, tx: Transaction) => Entry
}

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

export interface EntryUpdates {
  /** Returns the updated entry. */
  update(before: Entry, change: Change, tx: Transaction): Promise<Entry>
  /** Writes the same change to all entries; the number of statements does not depend on the number of entries. */
  updateAlike(entries: readonly Entry[], change: Change, tx: Transaction): Promise<Entry[]>
}

export function createEntryUpdates({
  model,
  statements,
  links,
  hidden,
  noteUpdate,
}: UpdateDeps): EntryUpdates {
  const update: EntryUpdates['update'] = async (before, change, tx) => {
    const { links: newLinks = noLinks } = change
    const columns = changedColumns(model, before, change.columns)
    const statement = statements.update(Object.keys(columns))
    await tx.run(statement, { ...statements.bind(hidden.keep(before, columns)), id: before.id })
    for (const [name, ids] of newLinks) await links.replace(name, before, ids, tx)
    return noteUpdate(before, change, tx)
  }
  return {
    update,
    async updateAlike(entries, change, tx) {
      const { columns, links: newLinks = noLinks } = change
      // Entries with hidden or unconverted values of their own are updated one by one, since those values differ.
      const isOwn = (entry: Entry) =>
        hidden.isIn(entry, columns) || changedColumns(model, entry, columns) !== columns
      if (entries.some(isOwn)) {
        const updated: Entry[] = []
        for (const entry of entries) updated.push(await update(entry, structuredClone(change), tx))
        return updated
      }
      const ids = entries.map(({ id }) => id)
      await statements.updateAlike(Object.keys(columns)).run({ ...statements.stored(columns), ids }, tx)
      for (const [name, targetIds] of newLinks) await links.replaceAlike(name, entries, targetIds, tx)
      return entries.map((before) => noteUpdate(before, change, tx))
    },
  }
}
