import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { asAppError } from '../../../foundation/http/http.ts'
import { RoomWatch, type RoomWatchOptions } from '../../../foundation/room/room.ts'
import { StorageFailure } from '../storage-failure.ts'
import type { Spool } from './spool.ts'

/** Written as a trial: a disk with less free space counts as full, since hardly any upload would fit. */
const filling = Buffer.alloc(1024 * 1024, '.')

/** Watches whether the disk of the files has free space; a remote storage has its own watch. */
export function watchFileRoom(
  spool: () => Spool,
  options: Pick<RoomWatchOptions, 'log' | 'emit'>,
): RoomWatch {
  return new RoomWatch({
    ...options,
    probe: () => fill(spool()),
    isFull: (error) => !(error instanceof StorageFailure) && asAppError(error).code === 'STORAGE_FULL',
    // With the host name, since other processes may store their files on other machines.
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
