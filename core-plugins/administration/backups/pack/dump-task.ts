import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { openSnapshot, type Snapshot, type SnapshotSource } from '../../../foundation/database/database.ts'
import { type ArchiveAppender, appendTo } from '../archive/append.ts'
import { entryNames, rowsEntryName } from '../archive/entry-names.ts'
import { isLargerThan, partCharacters } from '../archive/limits.ts'
import type { ArchivedTable, Manifest } from '../archive/manifest.ts'
import { alias, type RowLine, rowLines } from './row-lines.ts'
import type { TableToDump } from './table-to-dump.ts'

/** The first file of an archive, which identifies it to people and tools. */
export type ArchiveHeader = Pick<Manifest, 'format' | 'service' | 'database' | 'name' | 'sections'>

export interface Dump {
  readonly source: SnapshotSource
  /** The archive, still empty. */
  readonly path: string
  readonly header: ArchiveHeader
  readonly tables: readonly TableToDump[]
  /** Files of the schemas directory by their names in the archive. */
  readonly schemaFiles: readonly { readonly name: string; readonly path: string }[]
  /** In bytes: a larger row could not be restored. */
  readonly maxRowBytes: number
}

export interface DumpResult {
  /** The moment of the archive's snapshot. */
  readonly createdAt: string
  readonly tables: ArchivedTable[]
}

/** About three times as fast as the default level, for files that are a tenth larger. */
const compressionLevel = 3

/** Writes schema files and all rows of one snapshot to an archive. */
export default async function dump(work: Dump): Promise<DumpResult> {
  const snapshot = await openSnapshot(work.source)
  const now = new Date()
  const archive = appendTo(work.path, now)
  try {
    const createdAt = now.toISOString()
    archive.add(entryNames.header, Buffer.from(`${JSON.stringify({ ...work.header, createdAt }, null, 2)}\n`))
    for (const { name, path } of work.schemaFiles) archive.add(name, readFileSync(path))
    const tables: ArchivedTable[] = []
    for (const [index, table] of work.tables.entries()) {
      const place = { index, archive, maxRowBytes: work.maxRowBytes }
      tables.push(await new TableDump(table, place).run(snapshot))
    }
    return { createdAt, tables }
  } finally {
    archive.close()
    await snapshot.close()
  }
}

interface DumpPlace {
  /** The table's index among all tables. */
  readonly index: number
  readonly archive: ArchiveAppender
  readonly maxRowBytes: number
}

class TableDump {
  readonly #table: TableToDump
  readonly #place: DumpPlace
  readonly #filled: Set<number> = new Set()
  readonly #parts: { name: string; rows: number; bytes: number }[] = []
  #lines: string[] = []
  #characters = 0

  constructor(table: TableToDump, place: DumpPlace) {
    this.#table = table
    this.#place = place
  }

  async run(snapshot: Snapshot): Promise<ArchivedTable> {
    for await (const lines of rowLines(snapshot, this.#table)) {
      for (const line of lines) this.#take(line)
    }
    this.#endPart()
    const { name, section, type, columns, key } = this.#table
    return {
      ...{ name, section, type, key: [...key] },
      columns: columns.map((column) => ({ ...column })),
      rows: this.#parts.reduce((sum, { rows }) => sum + rows, 0),
      filled: columns.filter((_, index) => this.#filled.has(index)).map((column) => column.name),
      parts: this.#parts,
    }
  }

  #take({ text, row }: RowLine): void {
    const { maxRowBytes } = this.#place
    if (isLargerThan(text, maxRowBytes)) {
      const what = `a row of ${this.#table.name} has more than ${maxRowBytes} bytes`
      throw new Error(`${what}, and backups.maxRowSize allows no more: raise it, or make the row smaller`)
    }
    if (this.#filled.size < this.#table.columns.length) {
      this.#table.columns.forEach((_, index) => {
        if (row[alias(index)] !== null) this.#filled.add(index)
      })
    }
    this.#lines.push(text)
    this.#characters += text.length + 1
    if (this.#characters >= partCharacters) this.#endPart()
  }

  #endPart(): void {
    if (this.#lines.length === 0) return
    const content = Buffer.from(`${this.#lines.join('\n')}\n`)
    const { index, archive } = this.#place
    const name = rowsEntryName(index, this.#table.name, this.#parts.length)
    archive.add(name, gzipSync(content, { level: compressionLevel }))
    this.#parts.push({ name, rows: this.#lines.length, bytes: content.length })
    this.#lines = []
    this.#characters = 0
  }
}
