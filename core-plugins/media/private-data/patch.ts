import type { FileHandle } from 'node:fs/promises'

/** Bytes that take the place of as many others in a file. */
export interface Patch {
  readonly at: number
  readonly bytes: Buffer
}

/** Larger data about a picture than any program writes. */
const mostBytes = 64 * 1024 * 1024

/** Part of a file; shorter at its end. */
export async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(length, mostBytes))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
  return bytes.subarray(0, bytesRead)
}

/** What has to change for bytes to become others; nothing if they are the same. */
export function* changed(at: number, before: Buffer, after: Buffer): Generator<Patch> {
  if (!before.equals(after)) yield { at, bytes: after }
}
