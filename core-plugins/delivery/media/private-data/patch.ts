import { readSync } from 'node:fs'
import { type OpenFile, readPart } from '../open-file.ts'

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

/** What has to change for bytes to become others; nothing if they are the same. */
export function* changed(at: number, before: Buffer, after: Buffer): Generator<Patch> {
  if (!before.equals(after)) yield { at, bytes: after }
}

/** What has to change for the content of a part of a file to become what is made of it: as many bytes. */
export function* patchesTo(
  file: OpenFile,
  { content, end }: { readonly content: number; readonly end: number },
  change: (content: Buffer) => Buffer,
): Generator<Patch> {
  const before = readPart(file, content, end - content)
  yield* changed(content, before, change(before))
}

const window = 256 * 1024

/** Where any of some signs stands in a part of a file; those of one stretch of it in the order of the signs. */
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

/** No file says the same twice, unless it attacks: tells whether as many bytes are still to be expected of it. */
export function budgetOf(size: number): (bytes: number) => boolean {
  let left = size
  return (bytes) => {
    left -= bytes
    return left >= 0
  }
}
