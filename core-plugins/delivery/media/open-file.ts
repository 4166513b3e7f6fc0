import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * The descriptor of a file that a task looks through. It is read without a promise for each part, which takes several times as
 * long as the part itself: a thread of its own has nothing else to do meanwhile.
 */
export type OpenFile = number

/** Larger than any part that is read at once, unless a file attacks. */
const mostBytes = 64 * 1024 * 1024

const windowBytes = 64 * 1024

/** Opens a file while something is done with it, which gets its size in bytes, too. */
export function withFile<T>(
  path: string,
  work: (file: OpenFile, size: number) => T,
  flags: 'r' | 'r+' = 'r',
): T {
  const file = openSync(path, flags)
  try {
    return work(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

/** Part of a file; shorter at its end, and empty where none of it is in the file. */
export function readPart(file: OpenFile, at: number, length: number): Buffer {
  if (length <= 0 || at > Number.MAX_SAFE_INTEGER) return Buffer.alloc(0)
  const bytes = Buffer.allocUnsafe(Math.min(length, mostBytes))
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at))
}

/** Reads small parts of a file, mostly forward: each read of the disk brings those that come next, too. */
export interface FileWindow {
  /** Shorter at the end of the file. Only good until the next call; `length` is at most 64 KiB. */
  read(at: number, length: number): Buffer
}

export function createFileWindow(file: OpenFile): FileWindow {
  const buffer = Buffer.allocUnsafe(windowBytes)
  let [start, end] = [0, 0]
  return {
    read(at, length) {
      if (at < start || at + length > end) {
        start = at
        end = at + readSync(file, buffer, 0, windowBytes, at)
      }
      return buffer.subarray(at - start, Math.min(at + length, end) - start)
    },
  }
}
