import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { InitContext, Log } from '../../../../kernel/index.ts'
import { asAppError } from '../../../foundation/http/http.ts'
import { RoomWatch } from '../../../foundation/room/room.ts'
import { StorageFailure } from '../storage-failure.ts'
import type { Spool } from './spool.ts'

/** A disk with less free space than this is full: hardly an upload would fit. */
const filling = Buffer.alloc(1024 * 1024, '.')

/** Whether the disk of the files has room. */
export interface FileRoom {
  /** @throws the failure while there is none */
  assertRoom(): void
  /** Runs work that writes files, and notices if it fails for lack of room. */
  guard<T>(work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export interface FileRoomOptions {
  readonly log: Log
  readonly emit: InitContext<unknown>['emit']
  readonly spool: () => Spool
}

export function watchFileRoom({ log, emit, spool }: FileRoomOptions): FileRoom {
  const watch = new RoomWatch({
    ...{ log, emit, probe: () => fill(spool()) },
    isFull: (error) => asAppError(error).code === 'STORAGE_FULL',
    // Other processes may have their files on other machines.
    store: `files of ${hostname()}`,
    message: 'there is no room for files, and uploads are refused: make room on the disk of the uploads',
    details: { host: hostname() },
  })
  return {
    assertRoom: () => watch.assertRoom(),
    async guard(work) {
      try {
        return await work()
      } catch (error) {
        // A distant store has a watch of its own.
        if (!(error instanceof StorageFailure)) watch.failed(error)
        throw error
      }
    },
    stop: () => watch.stop(),
  }
}

async function fill(spool: Spool): Promise<void> {
  const path = spool.newPath()
  try {
    await writeFile(path, filling)
  } finally {
    await rm(path, { force: true })
  }
}
