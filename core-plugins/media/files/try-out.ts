import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { MediaStorage } from '../storage.ts'
import { StorageFailure } from '../storage-failure.ts'

const trial = 'A trial by Mortise, which removes this file\n'

/** Writes a small file, reads it and removes it: that a storage answers does not mean that it does its work. */
export async function tryOut(storage: MediaStorage, key: string): Promise<void> {
  const description = { mediaType: 'text/plain', size: trial.length, disposition: 'attachment' } as const
  await storage.write(key, Readable.from([trial]), description)
  try {
    const file = await storage.read(key)
    if (file === undefined || (await text(file)) !== trial) {
      throw new StorageFailure(
        'foreign',
        `${key} was written and is not there: see whether what answers is a storage`,
      )
    }
  } finally {
    await storage.delete(key)
  }
}
