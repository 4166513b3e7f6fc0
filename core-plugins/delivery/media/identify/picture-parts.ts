import { createFileWindow, type OpenFile } from '../open-file.ts'

/** A segment or chunk: its offset and that of the next one. */
interface Part {
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

type ReadPart = (header: Buffer, start: number) => Part | undefined

const startOfScan = 0xda

/** A segment is a marker, then its length without the marker. */
const jpegSegment: ReadPart = (header, start) => {
  if (header[0] !== 0xff) return undefined
  return { start, end: start + 2 + header.readUInt16BE(2), isLast: header[1] === startOfScan }
}

/** A chunk's length excludes the length field, the type and the checksum. */
const pngChunk: ReadPart = (header, start) => ({
  ...{ start, end: start + 12 + header.readUInt32BE(0) },
  isLast: header.toString('latin1', 4, 8) === 'IEND',
})

/** How to read the parts of each format, and the offset of the first one. */
const formats: Readonly<Record<string, { readonly first: number; readonly read: ReadPart }>> = {
  'image/jpeg': { first: 2, read: jpegSegment },
  'image/png': { first: 8, read: pngChunk },
}

const headerBytes = 8
/** Limits the work for broken or hostile files. */
const mostParts = 100_000

/**
 * The offset at which the last part of a picture ends that may hold text: the scan header of a JPEG, the end of a PNG. Returns
 * the size for other types, and for truncated files.
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
