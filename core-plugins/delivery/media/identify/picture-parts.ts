import { createFileWindow, type OpenFile } from '../open-file.ts'

/** A segment or chunk: where it begins, and where the next one does. */
interface Part {
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

type ReadPart = (header: Buffer, start: number) => Part | undefined

const startOfScan = 0xda

/** Marker, then the length without it. */
const jpegSegment: ReadPart = (header, start) => {
  if (header[0] !== 0xff) return undefined
  return { start, end: start + 2 + header.readUInt16BE(2), isLast: header[1] === startOfScan }
}

/** Length without itself, the type and the sum. */
const pngChunk: ReadPart = (header, start) => ({
  ...{ start, end: start + 12 + header.readUInt32BE(0) },
  isLast: header.toString('latin1', 4, 8) === 'IEND',
})

/** How parts are read, and where the first one begins. */
const formats: Readonly<Record<string, { readonly first: number; readonly read: ReadPart }>> = {
  'image/jpeg': { first: 2, read: jpegSegment },
  'image/png': { first: 8, read: pngChunk },
}

const headerBytes = 8
/** A broken or hostile file has no end of parts. */
const mostParts = 100_000

/**
 * Where the last part of a picture ends that may hold texts: the header of the scan in a JPEG, all of a PNG. The size for
 * other types, and for files that end before.
 */
export function endOfMetadata(file: OpenFile, mediaType: string, size: number): number {
  const format = formats[mediaType]
  if (format === undefined) return size
  const window = createFileWindow(file)
  let next = format.first
  for (let count = 0; count < mostParts && next + headerBytes <= size; count++) {
    const part = format.read(window.read(next, headerBytes), next)
    if (part === undefined) return next
    if (part.isLast) return part.end
    next = part.end
  }
  return size
}
