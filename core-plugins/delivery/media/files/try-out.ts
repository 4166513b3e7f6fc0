import { Readable } from 'node:stream'
import type { MediaStorage } from '../storage.ts'
import { StorageFailure } from '../storage-failure.ts'

const trial = 'A trial by Mortise, which removes this file\n'

/** Writes a small file, reads it and removes it, since a storage that responds may still not work. */
export async function tryOut(storage: MediaStorage, key: string): Promise<void> {
  const description = { mediaType: 'text/plain', size: trial.length, disposition: 'attachment' } as const
  await storage.write(key, Readable.from([trial]), description)
  try {
    const file = await storage.read(key)
    if (file === undefined || !(await holdsTrial(file))) {
      throw new StorageFailure(
        'foreign',
        `${key} was written and is not there: see whether what answers is a storage`,
      )
    }
  } finally {
    await storage.delete(key)
  }
}

/** Reads no more than necessary: a wrong server may send an endless response. */
async function holdsTrial(file: Readable): Promise<boolean> {
  let said = ''
  for await (const bytes of file) {
    said += String(bytes)
    if (said.length > trial.length) return false
  }
  return said === trial
}
