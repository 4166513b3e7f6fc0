import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { DamagedArchive } from '../archive/damaged-archive.ts'
import { type ArchiveEntry, type ArchiveReader, openArchive } from '../archive/read-archive.ts'
import { archivedLines, type EntryIndex } from '../archive/rows.ts'
import { type LongValue, rowCheck, type TableToCheck } from './row-values.ts'

export interface RowsToCheck {
  readonly path: string
  readonly entries: readonly ArchiveEntry[]
  readonly tables: readonly TableToCheck[]
}

export type CheckedRows =
  /** The values that are too long for this service's columns. */
  | { readonly problems: readonly ErrorDetail[] }
  /** The problem of the archive, as the continuation of "the backup …". */
  | { readonly problem: string }

/** Checks on a thread whether all values of an archive fit their columns. */
export default async function checkRows({ path, entries, tables }: RowsToCheck): Promise<CheckedRows> {
  const archive = await openArchive(path)
  const index = new Map(entries.map((entry) => [entry.name, entry]))
  try {
    const long = new Map<string, LongValue>()
    for (const table of tables) await findLong(table, { archive, index }, long)
    return { problems: [...long.values()].map(presentLong) }
  } catch (error) {
    if (error instanceof DamagedArchive) return { problem: error.message }
    throw error
  } finally {
    await archive.close()
  }
}

/** Adds the columns with values that are too long, each once. */
async function findLong(
  table: TableToCheck,
  { archive, index }: { archive: ArchiveReader; index: EntryIndex },
  long: Map<string, LongValue>,
): Promise<void> {
  const check = rowCheck(table)
  for await (const line of archivedLines(archive, index, table.archived)) {
    const found = check(line)
    if (found !== undefined) long.set(found.path, found)
  }
}

function presentLong({ path, length }: LongValue): ErrorDetail {
  const message = `the backup has a value of more than the ${length} characters that ${path} may have here`
  return { path, code: 'maxLength', message }
}
