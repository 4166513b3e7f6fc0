import { readSync } from 'node:fs'

/** A box of an ISO base media file (ISO/IEC 14496-12), such as AVIF. */
export interface Box {
  readonly type: string
  /** The offsets of the box, of its content, and of its end. */
  readonly start: number
  readonly content: number
  readonly end: number
}

/** More boxes than any picture has. */
const mostBoxes = 10_000

/** The boxes of a whole file, of which only the headers are read. If the file is truncated, the last box ends with it. */
export function* boxesOfFile(file: number, from: number, to: number): Generator<Box> {
  const head = Buffer.alloc(16)
  let start = from
  for (let count = 0; start + 8 <= to && count < mostBoxes; count++) {
    head.fill(0)
    readSync(file, head, 0, head.length, start)
    const [box] = boxesIn(head, 0, Number.POSITIVE_INFINITY)
    if (box === undefined || start + box.content > to) return
    const end = Math.min(start + box.end, to)
    yield { type: box.type, start, content: start + box.content, end }
    start = end
  }
}

/** Consecutive boxes in a range of bytes; ends at a box that exceeds the range. */
export function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  let start = from
  for (let count = 0; start + 8 <= to && count < mostBoxes; count++) {
    const size = bytes.readUInt32BE(start)
    const isLong = size === 1 && start + 16 <= to
    const length = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : size
    const end = size === 0 ? to : start + length
    const content = start + (isLong ? 16 : 8)
    if (end > to || end < content) return
    yield { type: bytes.toString('latin1', start + 4, start + 8), start, content, end }
    start = end
  }
}

/** Creates a box with the given content. */
export function boxOf(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.reduce((sum, part) => sum + part.length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}
