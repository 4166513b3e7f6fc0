import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { asAppError } from '../../../foundation/http/http.ts'
import { RoomWatch, type RoomWatchOptions } from '../../../foundation/room/room.ts'
import { StorageFailure } from '../storage-failure.ts'
import type { Spool } from './spool.ts'

/** A disk with less free space than this is full: hardly an upload would fit. */
const filling = Buffer.alloc(1024 * 1024, '.')

/** Watches whether the disk of the files has room; a distant store has a watch of its own. */
export function watchFileRoom(
  spool: () => Spool,
  options: Pick<RoomWatchOptions, 'log' | 'emit'>,
): RoomWatch {
  return new RoomWatch({
    ...options,
    probe: () => fill(spool()),
    isFull: (error) => !(error instanceof StorageFailure) && asAppError(error).code === 'STORAGE_FULL',
    // Other processes may have their files on other machines.
    store: `files of ${hostname()}`,
    message: 'there is no room for files, and uploads are refused: make room on the disk of the uploads',
    details: { host: hostname() },
  })
}

async function fill(spool: Spool): Promise<void> {
  const path = spool.newPath()
  try {
    await writeFile(path, filling)
  } finally {
    await rm(path, { force: true })
  }
}
