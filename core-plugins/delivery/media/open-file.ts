import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * The descriptor of a file that a task reads. Reads are synchronous, since a promise for each part takes several times as long
 * as the read itself, and the worker thread has nothing else to do.
 */
export type OpenFile = number

/** Larger than any part that is read at once, except in hostile files. */
const mostBytes = 64 * 1024 * 1024

const windowBytes = 64 * 1024

/** Opens a file for the duration of a callback, which also gets its size in bytes. */
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

/** Reads a part of a file; shorter at the end of the file, empty beyond it. */
export function readPart(file: OpenFile, at: number, length: number): Buffer {
  if (length <= 0 || at > Number.MAX_SAFE_INTEGER) return Buffer.alloc(0)
  const bytes = Buffer.allocUnsafe(Math.min(length, mostBytes))
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at))
}

/** Reads small parts of a file, mostly forward; buffers what follows each part. */
export interface FileWindow {
  /** Shorter at the end of the file. The result is valid until the next call; `length` is at most 64 KiB. */
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
