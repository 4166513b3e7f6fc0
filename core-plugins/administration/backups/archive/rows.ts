import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DamagedArchive } from './damaged-archive.ts'
import type { ArchivedTable } from './manifest.ts'
import type { ArchiveEntry, ArchiveReader } from './read-archive.ts'

const unpack = promisify(gunzip)

/** Reads one part of a table's rows as lines of text. @throws DamagedArchive */
export async function readPart(
  archive: ArchiveReader,
  entry: ArchiveEntry,
  part: ArchivedTable['parts'][number],
): Promise<string> {
  const text = await unpackPart(await archive.read(entry), part)
  if (text.at(-1) !== 0x0a) throw new DamagedArchive(`is damaged in ${part.name}`)
  return text.toString()
}

/** Unpacks no more than the declared size of the part. */
async function unpackPart(packed: Buffer, { name, bytes }: ArchivedTable['parts'][number]): Promise<Buffer> {
  try {
    const text = await unpack(packed, { maxOutputLength: Math.max(bytes, 1) })
    if (text.length === bytes) return text
  } catch (error) {
    throw new DamagedArchive(`is damaged in ${name}`, { cause: error })
  }
  throw new DamagedArchive(`is damaged in ${name}`)
}

/** The lines of a text that ends with a line break, one at a time. */
export function* linesIn(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end)
    start = end + 1
  }
}

/** The values of a row in the order of the table's columns. @throws DamagedArchive */
export function parseRow(
  line: string,
  { name, columns }: Pick<ArchivedTable, 'name' | 'columns'>,
): unknown[] {
  try {
    const values: unknown = JSON.parse(line)
    if (Array.isArray(values) && values.length === columns.length) return values
  } catch {}
  throw new DamagedArchive(`holds a row of ${name} that is not valid`)
}

/** By code point, as the databases order text; numbers by value. */
export function compareKeys(left: readonly unknown[], right: readonly unknown[]): number {
  for (const [index, value] of left.entries()) {
    const order = compareValues(value, right[index])
    if (order !== 0) return order
  }
  return 0
}

function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right)
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}

/** Finds the files of an archive by name. */
export type EntryIndex = ReadonlyMap<string, ArchiveEntry>

/** All rows of a table, part by part. @throws DamagedArchive */
export async function* archivedLines(
  archive: ArchiveReader,
  entries: EntryIndex,
  table: ArchivedTable,
): AsyncGenerator<string> {
  for (const part of table.parts) {
    const entry = entries.get(part.name)
    if (entry === undefined) throw new DamagedArchive(`is not complete: ${part.name} is missing`)
    yield* linesIn(await readPart(archive, entry, part))
  }
}
