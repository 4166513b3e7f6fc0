import { DamagedArchive } from './damaged-archive.ts'
import type { ArchivedTable, Manifest } from './manifest.ts'

/** What an archive may make of this service's memory and time; both are settings. */
export interface ArchiveLimits {
  /** Bytes of a row, unpacked. */
  readonly maxRowBytes: number
  /** How many times the archive's size all of its rows may have. */
  readonly maxCompression: number
}

/** Uncompressed, a part has so many characters, and on top of them what its last row takes. */
export const partCharacters = 2 * 1024 * 1024
const bytesOfCharacter = 3

/** So little is unpacked quickly, however well it was packed. */
const freelyUnpackedBytes = 256 * 1024 * 1024

/** Holds what an archive says about itself to the limits, before anything is unpacked. @throws DamagedArchive */
export function expectWithin(
  { maxRowBytes, maxCompression }: ArchiveLimits,
  { tables }: Pick<Manifest, 'tables'>,
  archiveBytes: number,
): void {
  let unpacked = 0
  for (const { name, bytes } of tables.flatMap(({ parts }) => parts)) {
    if (bytes > partCharacters * bytesOfCharacter + maxRowBytes) throw tooLargeRow(name, maxRowBytes)
    unpacked += bytes
  }
  if (unpacked <= Math.max(freelyUnpackedBytes, archiveBytes * maxCompression)) return
  const what = `unpacks to more than ${maxCompression} times its size`
  throw new DamagedArchive(`${what}, and backups.maxCompression allows no more`)
}

/** @throws DamagedArchive */
export function expectRowWithin({ maxRowBytes }: ArchiveLimits, line: string, table: string): void {
  if (isLargerThan(line, maxRowBytes)) throw tooLargeRow(table, maxRowBytes)
}

function tooLargeRow(where: string, maxRowBytes: number): DamagedArchive {
  const what = `holds a row of more than ${maxRowBytes} bytes in ${where}`
  return new DamagedArchive(`${what}, and backups.maxRowSize allows no more`)
}

/** Whether a text has more bytes in UTF-8; counted only where its length leaves that open. */
export function isLargerThan(text: string, bytes: number): boolean {
  if (text.length * bytesOfCharacter <= bytes) return false
  return text.length > bytes || Buffer.byteLength(text) > bytes
}

/** What packing may add where it saves nothing; a part that is larger is none. */
export function isPackedSize(packed: number, { bytes }: ArchivedTable['parts'][number]): boolean {
  return packed <= bytes + bytes / 1000 + 1024
}
