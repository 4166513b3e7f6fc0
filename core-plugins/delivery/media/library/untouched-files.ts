import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { mediaTable } from '../system-tables.ts'
import type { PreparedFile } from '../upload/prepare-file.ts'

/** Keeps track of the files as they were uploaded, for records whose public file had private data removed. */
export interface UntouchedFiles {
  /** Stores the key of the uploaded file of a record, or removes it if the public file is the uploaded one. */
  note(id: number, prepared: PreparedFile, tx: Transaction): Promise<void>
  /** The keys of the given records, which are locked. */
  keysOf(ids: readonly number[], tx: Transaction): Promise<string[]>
  /** Undefined if the record has none. */
  find(id: number): Promise<string | undefined>
}

export function createUntouchedFiles(database: Database): UntouchedFiles {
  const rows = mediaTable.on(database)
  const { id: idColumn } = mediaTable.columns
  const change = rows.update(['untouched'], ['id'])
  const one = rows.find(['id'], { pick: ['untouched'] })
  const some = rows.find((_, inList) => inList(idColumn, 'ids'), { pick: ['untouched'] })
  return {
    async note(id, { untouched }, tx) {
      await change.run({ id, untouched }, tx)
    },
    keysOf: async (ids, tx) => (await some.all({ ids }, tx)).flatMap(({ untouched }) => untouched ?? []),
    find: async (id) => (await one.get({ id }))?.untouched ?? undefined,
  }
}
