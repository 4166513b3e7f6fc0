import { DamagedArchive } from './damaged-archive.ts'
import type { ArchivedTable, Manifest } from './manifest.ts'

/** How much of this service's memory and time an archive may use; both are settings. */
export interface ArchiveLimits {
  /** The size of a row in bytes, uncompressed. */
  readonly maxRowBytes: number
  /** How many times the archive's size all of its rows may take uncompressed. */
  readonly maxCompression: number
}

/** The uncompressed length of a part in characters, to which its last row may add. */
export const partCharacters = 2 * 1024 * 1024
const bytesOfCharacter = 3

/** Up to this size unpacking is fast, whatever the compression. */
const freelyUnpackedBytes = 256 * 1024 * 1024

/** Checks an archive's manifest against the limits before anything is unpacked. @throws DamagedArchive */
export function assertWithin(
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
export function assertRowWithin({ maxRowBytes }: ArchiveLimits, line: string, table: string): void {
  if (isLargerThan(line, maxRowBytes)) throw tooLargeRow(table, maxRowBytes)
}

function tooLargeRow(where: string, maxRowBytes: number): DamagedArchive {
  const what = `holds a row of more than ${maxRowBytes} bytes in ${where}`
  return new DamagedArchive(`${what}, and backups.maxRowSize allows no more`)
}

/** Whether a text has more bytes in UTF-8 than `bytes`; counted only if the length alone does not decide it. */
export function isLargerThan(text: string, bytes: number): boolean {
  if (text.length * bytesOfCharacter <= bytes) return false
  return text.length > bytes || Buffer.byteLength(text) > bytes
}

/** Allows for the overhead of incompressible data; no valid part is larger. */
export function isPackedSize(packed: number, { bytes }: ArchivedTable['parts'][number]): boolean {
  return packed <= bytes + bytes / 1000 + 1024
}
