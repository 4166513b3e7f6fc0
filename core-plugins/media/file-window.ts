import type { FileHandle } from 'node:fs/promises'

const windowBytes = 64 * 1024

/** Reads small parts of a file, mostly forward: each read of the disk brings those that come next, too. */
export interface FileWindow {
  /** Shorter at the end of the file. Only good until the next call; `length` is at most 64 KiB. */
  read(at: number, length: number): Promise<Buffer>
}

export function createFileWindow(file: FileHandle): FileWindow {
  const buffer = Buffer.allocUnsafe(windowBytes)
  let [start, end] = [0, 0]
  return {
    async read(at, length) {
      if (at < start || at + length > end) {
        const { bytesRead } = await file.read(buffer, 0, windowBytes, at)
        start = at
        end = at + bytesRead
      }
      return buffer.subarray(at - start, Math.min(at + length, end) - start)
    },
  }
}
