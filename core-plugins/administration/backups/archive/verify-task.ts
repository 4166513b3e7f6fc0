import { stat } from 'node:fs/promises'
import { DamagedArchive } from './damaged-archive.ts'
import { isMediaEntryName } from './entry-names.ts'
import type { ArchiveLimits } from './limits.ts'
import type { Manifest } from './manifest.ts'
import { type ArchiveEntry, type ArchiveReader, openArchive } from './read-archive.ts'
import { hashOf, verifyArchive } from './verify.ts'

/** A file to be verified as a backup. */
export interface ArchiveToVerify {
  readonly path: string
  /** SHA-256 of the whole file, if known. */
  readonly checksum: string | undefined
  readonly limits: ArchiveLimits
}

export interface VerifiedArchive {
  readonly manifest: Manifest
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the whole file. */
  readonly checksum: string
  /** All files in it except media files, which may be too many to list. */
  readonly entries: readonly ArchiveEntry[]
}

export type Verified =
  | VerifiedArchive
  /** The problem, as the continuation of "the backup …". */
  | { readonly problem: string }

/** Verifies an archive on a thread: all of its bytes, and every row. */
export default async function verify({ path, checksum, limits }: ArchiveToVerify): Promise<Verified> {
  const archive = await openArchive(path)
  try {
    const { size } = await stat(path)
    const actual = await hashOf(archive, { offset: 0, size })
    if (checksum !== undefined && checksum !== actual) throw new DamagedArchive('does not match its checksum')
    const manifest = await verifyArchive(archive, { limits, size })
    return { manifest, size, checksum: actual, entries: await entriesBesideMedia(archive) }
  } catch (error) {
    if (error instanceof DamagedArchive) return { problem: error.message }
    throw error
  } finally {
    await archive.close()
  }
}

async function entriesBesideMedia(archive: ArchiveReader): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of archive.entries()) {
    if (!isMediaEntryName(entry.name)) entries.push(entry)
  }
  return entries
}
