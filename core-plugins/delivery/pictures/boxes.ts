import { readSync } from 'node:fs'

/** A part of an ISO base media file (ISO/IEC 14496-12), such as AVIF. */
export interface Box {
  readonly type: string
  /** Where it begins, where its content does, and where it ends. */
  readonly start: number
  readonly content: number
  readonly end: number
}

/** More than any picture has in one another. */
const mostBoxes = 10_000

/** The boxes of a whole file, of which only the heads are read; the last one ends with the file where that is cut. */
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

/** The boxes one after another in a part of a file; what does not fit into that part ends the list. */
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

/** A box with some content. */
export function boxOf(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.reduce((sum, part) => sum + part.length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}
