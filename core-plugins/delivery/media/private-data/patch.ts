import { readSync } from 'node:fs'
import { type OpenFile, readPart } from '../open-file.ts'

/** Bytes that replace as many bytes of a file. */
export interface Patch {
  readonly at: number
  readonly bytes: Buffer
}

/** Where a file, possibly embedded in another one, begins and ends; offsets in it count from the beginning. */
export interface FilePlace {
  readonly from: number
  readonly size: number
}

/** The patches that turn `before` into `after`; none if they are equal. */
export function* changed(at: number, before: Buffer, after: Buffer): Generator<Patch> {
  if (!before.equals(after)) yield { at, bytes: after }
}

/** The patches that replace a range of a file by the result of `change`, which has the same length. */
export function* patchesTo(
  file: OpenFile,
  { content, end }: { readonly content: number; readonly end: number },
  change: (content: Buffer) => Buffer,
): Generator<Patch> {
  const before = readPart(file, content, end - content)
  yield* changed(content, before, change(before))
}

const window = 256 * 1024

/** Yields the offsets of the given signs in a range of a file, ordered within each window of the search by sign. */
export function* placesOf(
  file: OpenFile,
  { from, size }: FilePlace,
  signs: readonly Buffer[],
): Generator<number> {
  const overlap = Math.max(...signs.map(({ length }) => length)) - 1
  const buffer = Buffer.allocUnsafe(window + overlap)
  for (let at = from; at < size; at += window) {
    const length = Math.min(buffer.length, size - at)
    const bytes = buffer.subarray(0, readSync(file, buffer, 0, length, at))
    for (const sign of signs) {
      for (let found = bytes.indexOf(sign); found !== -1; found = bytes.indexOf(sign, found + 1)) {
        if (found < window) yield at + found
      }
    }
  }
}

/**
 * Limits the total bytes that are read for one file to its size, since only hostile files refer to the same data repeatedly.
 * The returned function subtracts a number of bytes and says whether the limit still holds.
 */
export function budgetOf(size: number): (bytes: number) => boolean {
  let left = size
  return (bytes) => {
    left -= bytes
    return left >= 0
  }
}
