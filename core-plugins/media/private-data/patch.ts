import type { FileHandle } from 'node:fs/promises'

/** Bytes that take the place of as many others in a file. */
export interface Patch {
  readonly at: number
  readonly bytes: Buffer
}

/** Where a file begins that may stand within another one, and where it ends: places in it count from there. */
export interface FilePlace {
  readonly from: number
  readonly size: number
}

/** Larger data about a picture than any program writes. */
const mostBytes = 64 * 1024 * 1024

/** Part of a file; shorter at its end, and empty where none of it is in the file. */
export async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (length <= 0 || at > Number.MAX_SAFE_INTEGER) return Buffer.alloc(0)
  const bytes = Buffer.allocUnsafe(Math.min(length, mostBytes))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
  return bytes.subarray(0, bytesRead)
}

/** What has to change for bytes to become others; nothing if they are the same. */
export function* changed(at: number, before: Buffer, after: Buffer): Generator<Patch> {
  if (!before.equals(after)) yield { at, bytes: after }
}

/** What has to change for the content of a part of a file to become what is made of it: as many bytes. */
export async function* patchesTo(
  file: FileHandle,
  { content, end }: { readonly content: number; readonly end: number },
  change: (content: Buffer) => Buffer,
): AsyncGenerator<Patch> {
  const before = await readPart(file, content, end - content)
  yield* changed(content, before, change(before))
}

const window = 1024 * 1024

/** Where any of some signs stands in a part of a file; those of one stretch of it in the order of the signs. */
export async function* placesOf(
  file: FileHandle,
  { from, size }: FilePlace,
  signs: readonly Buffer[],
): AsyncGenerator<number> {
  const overlap = Math.max(...signs.map(({ length }) => length)) - 1
  for (let at = from; at < size; at += window) {
    const bytes = await readPart(file, at, Math.min(window + overlap, size - at))
    for (const sign of signs) {
      for (let found = bytes.indexOf(sign); found !== -1; found = bytes.indexOf(sign, found + 1)) {
        if (found < window) yield at + found
      }
    }
  }
}

/** No file says the same twice, unless it attacks: tells whether as many bytes are still to be expected of it. */
export function budgetOf(size: number): (bytes: number) => boolean {
  let left = size
  return (bytes) => {
    left -= bytes
    return left >= 0
  }
}
