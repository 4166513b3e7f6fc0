import { createHash } from 'node:crypto'
import { DamagedArchive } from './damaged-archive.ts'
import { entryNames, isMediaEntryName, schemaEntryPattern } from './entry-names.ts'
import { type ArchiveLimits, assertRowWithin, assertWithin, isPackedSize } from './limits.ts'
import { type ArchivedTable, assertReadable, type Manifest, parseObject, readManifest } from './manifest.ts'
import { mediaRowCheck } from './media-rows.ts'
import type { ArchiveEntry, ArchiveReader } from './read-archive.ts'
import { compareKeys, linesIn, parseRow, readPart } from './rows.ts'

/** The files that describe an archive's contents. */
export interface Frame {
  readonly checksums: ArchiveEntry
  readonly manifest: Manifest
}

/** All schema files are read into memory at once. */
const maxSchemaBytes = 64 * 1024 * 1024

/** Enough for more than a hundred thousand parts. */
const maxManifestBytes = 16 * 1024 * 1024

/** Reads an archive's description of itself. @throws DamagedArchive */
export async function readFrame(archive: ArchiveReader): Promise<Frame> {
  let first: ArchiveEntry | undefined
  let last: ArchiveEntry[] = []
  for await (const entry of archive.entries()) {
    first ??= entry
    if (first === entry) await checkHeader(archive, entry)
    last = [...last.slice(-2), entry]
  }
  const [checksums, manifest, seal] = last
  const names = last.map(({ name }) => name).join()
  if (
    checksums === undefined ||
    manifest === undefined ||
    seal === undefined ||
    names !== [entryNames.checksums, entryNames.manifest, entryNames.seal].join()
  ) {
    throw new DamagedArchive('is not complete: its manifest is missing')
  }
  const text = await readSmall(archive, manifest)
  if (sha256(text) !== (await readSmall(archive, seal)).toString().trim()) {
    throw new DamagedArchive('has a manifest that does not match its checksum')
  }
  return { checksums, manifest: readManifest(text.toString()) }
}

/** The first entry reveals a file of another kind, or of a later version. */
async function checkHeader(archive: ArchiveReader, entry: ArchiveEntry): Promise<void> {
  if (entry.name !== entryNames.header) throw new DamagedArchive('is not a backup of this software')
  assertReadable(parseObject((await readSmall(archive, entry)).toString()).format)
}

async function readSmall(archive: ArchiveReader, entry: ArchiveEntry): Promise<Buffer> {
  if (entry.size > maxManifestBytes) throw new DamagedArchive(`has a ${entry.name} that is too large`)
  return archive.read(entry)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Verifies every byte and every row of an archive. @throws DamagedArchive */
export async function verifyArchive(
  archive: ArchiveReader,
  { limits, size }: { readonly limits: ArchiveLimits; readonly size: number },
): Promise<Manifest> {
  const frame = await readFrame(archive)
  const { manifest, checksums } = frame
  assertWithin(limits, manifest, size)
  if ((await hashOf(archive, checksums)) !== manifest.checksums) {
    throw new DamagedArchive('has a list of checksums that was changed')
  }
  await new Verification(archive, frame, limits).run()
  return manifest
}

/** SHA-256 of a file in an archive. */
export async function hashOf(
  archive: ArchiveReader,
  entry: Pick<ArchiveEntry, 'offset' | 'size'>,
): Promise<string> {
  const hash = createHash('sha256')
  await archive.eachPiece(entry, (piece) => hash.update(piece))
  return hash.digest('hex')
}

class Verification {
  readonly #archive: ArchiveReader
  readonly #frame: Frame
  readonly #limits: ArchiveLimits
  readonly #parts: Map<string, ExpectedPart>
  readonly #lastKeys = new Map<ArchivedTable, readonly unknown[]>()
  readonly #schemas: Record<string, string[]> = { schemas: [], components: [] }
  readonly #media = { files: 0, bytes: 0 }
  #schemaBytes = 0

  constructor(archive: ArchiveReader, frame: Frame, limits: ArchiveLimits) {
    this.#archive = archive
    this.#frame = frame
    this.#limits = limits
    this.#parts = expectedParts(frame.manifest)
  }

  async run(): Promise<void> {
    const { checksums } = this.#frame
    let checked = 0
    for await (const entry of this.#archive.entries()) {
      if (entry.name === entryNames.checksums) break
      const line = Buffer.from(`${await hashOf(this.#archive, entry)}  ${entry.name}\n`)
      if (!line.equals(await this.#checksumAt(checked, line.length))) {
        throw new DamagedArchive(`is damaged in ${entry.name}`)
      }
      checked += line.length
      await this.#check(entry)
    }
    if (checked !== checksums.size) throw new DamagedArchive('is not complete')
    this.#checkCounts()
  }

  /** Buffers this much of the list of checksums; no more is held in memory. */
  #checksumAt(start: number, length: number): Promise<Buffer> {
    const { checksums } = this.#frame
    const size = Math.min(length, checksums.size - start)
    return this.#archive.read({ offset: checksums.offset + start, size })
  }

  async #check(entry: ArchiveEntry): Promise<void> {
    const [, folder, file] = schemaEntryPattern.exec(entry.name) ?? []
    if (folder !== undefined && file !== undefined) {
      this.#takeSchemaFile(folder, file, entry.size)
    } else if (isMediaEntryName(entry.name)) {
      this.#media.files += 1
      this.#media.bytes += entry.size
    } else if (entry.name.startsWith('tables/')) await this.#checkPart(entry)
  }

  #takeSchemaFile(folder: string, file: string, size: number): void {
    this.#schemaBytes += size
    if (this.#schemaBytes > maxSchemaBytes) throw new DamagedArchive('holds schema files that are too large')
    this.#schemas[folder]?.push(file)
  }

  async #checkPart(entry: ArchiveEntry): Promise<void> {
    const expected = this.#parts.get(entry.name)
    if (expected === undefined)
      throw new DamagedArchive(`holds ${entry.name}, which its manifest does not name`)
    this.#parts.delete(entry.name)
    const { table, part } = expected
    if (!isPackedSize(entry.size, part)) throw new DamagedArchive(`is damaged in ${part.name}`)
    const text = await readPart(this.#archive, entry, part)
    const keyIndexes = keyIndexesOf(table)
    const checkMedia = mediaRowCheck(table)
    let rows = 0
    for (const line of linesIn(text)) {
      rows += 1
      assertRowWithin(this.#limits, line, table.name)
      const values = parseRow(line, table)
      checkMedia?.(values)
      this.#checkOrder(
        table,
        keyIndexes.map((index) => values[index]),
      )
    }
    if (rows !== part.rows)
      throw new DamagedArchive(`holds ${rows} rows in ${part.name} instead of ${part.rows}`)
  }

  #checkOrder(table: ArchivedTable, key: readonly unknown[]): void {
    const last = this.#lastKeys.get(table)
    if (key.includes(null) || (last !== undefined && compareKeys(last, key) >= 0)) {
      throw new DamagedArchive(`holds rows of ${table.name} that are out of order`)
    }
    this.#lastKeys.set(table, key)
  }

  #checkCounts(): void {
    const { manifest } = this.#frame
    const [missing] = this.#parts.keys()
    if (missing !== undefined) throw new DamagedArchive(`is not complete: ${missing} is missing`)
    const found = { ...this.#schemas, media: this.#media }
    const said = { schemas: manifest.schemas, components: manifest.components, media: manifest.media }
    if (JSON.stringify(found) !== JSON.stringify(said)) {
      throw new DamagedArchive('holds other files than its manifest says')
    }
  }
}

interface ExpectedPart {
  readonly table: ArchivedTable
  readonly part: ArchivedTable['parts'][number]
}

function expectedParts({ tables }: Manifest): Map<string, ExpectedPart> {
  const parts = new Map<string, ExpectedPart>()
  const names = new Set<string>()
  for (const table of tables) {
    if (names.has(table.name)) throw new DamagedArchive(`describes ${table.name} twice`)
    names.add(table.name)
    if (table.parts.reduce((sum, { rows }) => sum + rows, 0) !== table.rows) {
      throw new DamagedArchive(`has counts of ${table.name} that contradict each other`)
    }
    for (const part of table.parts) {
      if (parts.has(part.name)) throw new DamagedArchive(`describes ${part.name} twice`)
      parts.set(part.name, { table, part })
    }
  }
  return parts
}

/** The positions of the key's columns in a row. @throws DamagedArchive */
export function keyIndexesOf({
  name,
  key,
  columns,
}: Pick<ArchivedTable, 'name' | 'key' | 'columns'>): number[] {
  return key.map((column) => {
    const index = columns.findIndex((each) => each.name === column)
    if (index === -1) throw new DamagedArchive(`has no column ${column} in ${name}`)
    return index
  })
}
