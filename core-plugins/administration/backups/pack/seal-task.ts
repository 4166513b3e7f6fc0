import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { type ArchiveAppender, appendTo } from '../archive/append.ts'
import { entryNames, isMediaEntryName, schemaEntryPattern } from '../archive/entry-names.ts'
import type { Manifest } from '../archive/manifest.ts'
import { openArchive } from '../archive/read-archive.ts'
import { hashOf } from '../archive/verify.ts'

export interface ArchiveToSeal {
  /** An archive that is complete except for its end. */
  readonly path: string
  readonly manifest: Omit<Manifest, 'checksums' | 'media' | 'schemas' | 'components'>
}

export interface SealedArchive {
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the whole file. */
  readonly checksum: string
  readonly manifest: Manifest
}

/** Adds checksums and manifest to an archive, on a thread, and syncs it to disk. */
export default async function seal({ path, manifest: said }: ArchiveToSeal): Promise<SealedArchive> {
  const sumsPath = `${path}.sums`
  try {
    const found = await listSums(path, sumsPath)
    const manifest = { ...said, ...found, checksums: sha256(readFileSync(sumsPath)) }
    const archive = appendTo(path, new Date(said.createdAt))
    try {
      addFrame(archive, sumsPath, manifest)
    } finally {
      archive.close()
    }
    return { ...(await measure(path)), manifest }
  } finally {
    rmSync(sumsPath, { force: true })
  }
}

/** Writes the checksums of all files to a separate file, and returns what the archive contains. */
async function listSums(path: string, sumsPath: string) {
  const archive = await openArchive(path)
  const sums = openSync(sumsPath, 'w')
  const media = { files: 0, bytes: 0 }
  const schemas: string[] = []
  const components: string[] = []
  try {
    for await (const entry of archive.unfinishedEntries()) {
      writeSync(sums, `${await hashOf(archive, entry)}  ${entry.name}\n`)
      const [, folder, file] = schemaEntryPattern.exec(entry.name) ?? []
      if (file !== undefined) (folder === 'schemas' ? schemas : components).push(file)
      if (!isMediaEntryName(entry.name)) continue
      media.files += 1
      media.bytes += entry.size
    }
  } finally {
    closeSync(sums)
    await archive.close()
  }
  return { media, schemas, components }
}

function addFrame(archive: ArchiveAppender, sumsPath: string, manifest: Manifest): void {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  archive.addFile(entryNames.checksums, sumsPath)
  archive.add(entryNames.manifest, text)
  archive.add(entryNames.seal, Buffer.from(`${sha256(text)}\n`))
  archive.finish()
}

async function measure(path: string) {
  const { size } = statSync(path)
  const archive = await openArchive(path)
  try {
    return { size, checksum: await hashOf(archive, { offset: 0, size }) }
  } finally {
    await archive.close()
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
