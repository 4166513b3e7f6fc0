import { isDeepStrictEqual } from 'node:util'
import { openSnapshot, type Snapshot, type SnapshotSource } from '../../../foundation/database/database.ts'
import type { ArchivedTable } from '../archive/manifest.ts'
import { type ArchiveEntry, type ArchiveReader, openArchive } from '../archive/read-archive.ts'
import { archivedLines, compareKeys, parseRow } from '../archive/rows.ts'
import { keyIndexesOf } from '../archive/verify.ts'
import { alias, rowLines } from '../pack/row-lines.ts'
import type { TableToDump } from '../pack/table-to-dump.ts'

export interface Comparison {
  readonly source: SnapshotSource
  readonly path: string
  readonly entries: readonly ArchiveEntry[]
  readonly tables: readonly ComparedTable[]
}

export interface ComparedTable {
  /** Undefined if the archive does not have the table. */
  readonly archived: ArchivedTable | undefined
  readonly running: TableToDump
  /** Columns that differ after every restore. */
  readonly ignored: readonly string[]
}

/** Rows of a table. */
export interface RowChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** Computes on a thread what a restore would change, by table in the given order. */
export default async function compare(work: Comparison): Promise<RowChanges[]> {
  const archive = await openArchive(work.path)
  const entries = new Map(work.entries.map((entry) => [entry.name, entry]))
  const snapshot = await openSnapshot(work.source)
  try {
    const changes: RowChanges[] = []
    for (const table of work.tables) {
      changes.push(await compareTable(table, archivedRows(archive, entries, table), snapshot))
    }
    return changes
  } finally {
    await snapshot.close()
    await archive.close()
  }
}

interface ComparedRow {
  readonly key: readonly unknown[]
  /** In the order of the compared columns. */
  readonly values: readonly unknown[]
}

/** Both sides are ordered by key. */
async function compareTable(
  table: ComparedTable,
  archived: AsyncGenerator<ComparedRow>,
  snapshot: Snapshot,
): Promise<RowChanges> {
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }
  const present = presentRows(snapshot, table)
  let [left, right] = [await archived.next(), await present.next()]
  for (;;) {
    if (left.done && right.done) return counts
    const order = left.done ? 1 : right.done ? -1 : compareKeys(left.value.key, right.value.key)
    if (order < 0) counts.added += 1
    else if (order > 0) counts.removed += 1
    else counts[isDeepStrictEqual(left.value.values, right.value.values) ? 'unchanged' : 'changed'] += 1
    if (order <= 0) left = await archived.next()
    if (order >= 0) right = await present.next()
  }
}

/** The columns that both have, with their positions in each. */
function comparedColumns({ archived, running, ignored }: ComparedTable) {
  return running.columns.flatMap((column, present) => {
    const place = archived?.columns.findIndex(({ name }) => name === column.name) ?? -1
    return place === -1 || ignored.includes(column.name) ? [] : [{ place, present, kind: column.kind }]
  })
}

async function* archivedRows(
  archive: ArchiveReader,
  entries: ReadonlyMap<string, ArchiveEntry>,
  table: ComparedTable,
): AsyncGenerator<ComparedRow> {
  const { archived } = table
  if (archived === undefined) return
  const keyIndexes = keyIndexesOf(archived)
  const columns = comparedColumns(table)
  for await (const line of archivedLines(archive, entries, archived)) {
    const values = parseRow(line, archived)
    yield {
      key: keyIndexes.map((index) => values[index]),
      values: columns.map(({ place }) => values[place]),
    }
  }
}

async function* presentRows(snapshot: Snapshot, table: ComparedTable): AsyncGenerator<ComparedRow> {
  const columns = comparedColumns(table)
  for await (const lines of rowLines(snapshot, table.running)) {
    for (const { key, row } of lines) {
      const read = ({ present, kind }: (typeof columns)[number]) => {
        const value = row[alias(present)]
        return kind === 'json' && value !== null ? JSON.parse(String(value)) : value
      }
      yield { key, values: columns.map(read) }
    }
  }
}
