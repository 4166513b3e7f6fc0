import { type FileHandle, open } from 'node:fs/promises'
import { isMediaKey, type MediaFile, type MediaStorage } from '../../../delivery/media/media.ts'
import { mediaEntryName } from '../archive/entry-names.ts'
import { encodeHeader, paddingOf } from '../archive/tar.ts'

export interface MediaToAppend {
  /** The archive. */
  readonly path: string
  readonly files: AsyncIterable<MediaFile>
  readonly storage: MediaStorage
  readonly signal: AbortSignal
}

/** Appends media files to an archive; returns the keys that the storage does not have, up to 100. */
export async function appendMedia({ path, files, storage, signal }: MediaToAppend) {
  const archive = await open(path, 'a')
  const missing: string[] = []
  let missingCount = 0
  try {
    for await (const { key } of files) {
      signal.throwIfAborted()
      if (await appendFile(archive, key, storage)) continue
      missingCount += 1
      if (missing.length < 100) missing.push(key)
    }
  } finally {
    await archive.close()
  }
  return { missing, missingCount }
}

async function appendFile(archive: FileHandle, key: string, storage: MediaStorage): Promise<boolean> {
  if (!isMediaKey(key))
    throw new Error(`a media record names ${JSON.stringify(key)}, which is not a valid key`)
  const name = mediaEntryName(key)
  const found = await storage.stat(key)
  const source = found === undefined ? undefined : await storage.read(key)
  if (found === undefined || source === undefined) return false
  await archive.write(encodeHeader({ name, size: found.size }, new Date()))
  let size = 0
  for await (const chunk of source) {
    await writeAll(archive, chunk)
    size += chunk.length
  }
  if (size !== found.size)
    throw new Error(`the storage gave ${size} bytes of ${key} instead of ${found.size}`)
  await writeAll(archive, Buffer.alloc(paddingOf(size)))
  return true
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten
  }
}
