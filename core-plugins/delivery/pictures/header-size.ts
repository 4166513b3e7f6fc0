import { open } from 'node:fs/promises'
import { boxesIn } from './boxes.ts'
import type { Size } from './size.ts'

/** The part of the file that contains its size. */
const inspectedBytes = 256 * 1024

/**
 * The upright size from the header of an image that cannot be decoded: JPEG XL, PSD, BMP, ICO. Undefined if it cannot be read.
 */
export async function headerSize(path: string): Promise<Size | undefined> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(inspectedBytes)
    const { bytesRead } = await file.read(buffer, 0, inspectedBytes, 0)
    const size = sizeIn(buffer.subarray(0, bytesRead))
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The header is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    await file.close()
  }
}

function sizeIn(head: Buffer): Size | undefined {
  if (head.toString('latin1', 0, 4) === '8BPS') {
    return { width: head.readUInt32BE(18), height: head.readUInt32BE(14) }
  }
  if (head.toString('latin1', 0, 2) === 'BM') return bmpSize(head)
  if (head.readUInt32BE(0) === 0x00000100) return icoSize(head)
  if (head.readUInt16BE(0) === 0xff0a) return jxlSize(head.subarray(2))
  // Without an upper bound, since the last box may end after the part that was read.
  for (const { type, content } of boxesIn(head, 0, Number.POSITIVE_INFINITY)) {
    if (type === 'jxlc') return jxlSize(head.subarray(content + 2))
    // A partial codestream begins with a number.
    if (type === 'jxlp') return jxlSize(head.subarray(content + 6))
  }
  return undefined
}

/** The first version of the header has 16 bits per side; in later ones a negative height means that the top row comes first. */
function bmpSize(head: Buffer): Size {
  return head.readUInt32LE(14) === 12
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }
}

const icoEntryBytes = 16

/** The size of the largest picture, which browsers show; 0 stands for 256. */
function icoSize(head: Buffer): Size | undefined {
  const sizes = Array.from({ length: head.readUInt16LE(4) }, (_, index) => {
    const at = 6 + icoEntryBytes * index
    return { width: head.readUInt8(at) || 256, height: head.readUInt8(at + 1) || 256 }
  })
  return sizes.sort((left, right) => right.width * right.height - left.width * left.height)[0]
}

const jxlRatios = [0, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2]
const jxlSideBits = [9, 13, 18, 30]

/** ISO/IEC 18181-1: size and orientation, read from the lowest bit upwards. */
function jxlSize(stream: Buffer): Size {
  let at = 0
  const bits = (count: number) => {
    let value = 0
    for (let index = 0; index < count; index++, at++) {
      value += ((stream.readUInt8(at >> 3) >> (at & 7)) & 1) * 2 ** index
    }
    return value
  }
  const isSmall = bits(1) === 1
  const side = () => (isSmall ? 8 * (bits(5) + 1) : bits(jxlSideBits[bits(2)] ?? 0) + 1)
  const height = side()
  const ratio = bits(3)
  const width = ratio === 0 ? side() : Math.floor(height * (jxlRatios[ratio] ?? 1))
  const isDefault = bits(1) === 1
  const orientation = !isDefault && bits(1) === 1 ? bits(3) + 1 : 1
  return orientation > 4 ? { width: height, height: width } : { width, height }
}
