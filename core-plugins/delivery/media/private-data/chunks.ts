import { crc32 } from 'node:zlib'
import { createFileWindow, type OpenFile, readPart } from '../open-file.ts'
import { exifSign, publicExif } from './exif.ts'
import { changed, type Patch } from './patch.ts'
import { publicXmp } from './xmp.ts'

const mostChunks = 100_000
const xmpKeyword = 'XML:com.adobe.xmp\0'
/** Keywords of texts that hold metadata written by programs, or name a place or a device. */
const privateKeyword =
  /^(raw profile type (?!icc)|xml:com\.adobe|exif:|gps|geo|location|make|model|device|camera)/i

/** The patches that remove the location from a PNG. */
export function* patchesOfPng(file: OpenFile, size: number): Generator<Patch> {
  const window = createFileWindow(file)
  let at = 8
  for (let count = 0; count < mostChunks && at + 12 <= size; count++) {
    const header = window.read(at, 8)
    const length = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    if (['eXIf', 'iTXt', 'tEXt', 'zTXt', 'caBX'].includes(type)) {
      const chunk = readPart(file, at + 4, length + 4)
      const after = publicChunk(type, chunk)
      const isCut = chunk.length < length + 4 || at + 12 + length > size
      if (!chunk.equals(after))
        yield { at: at + 4, bytes: isCut ? after : Buffer.concat([after, sumOf(after)]) }
    }
    at += 12 + length
  }
}

function sumOf(chunk: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(chunk))
  return sum
}

/** `chunk` includes the type. */
function publicChunk(type: string, chunk: Buffer): Buffer {
  const data = chunk.subarray(4)
  const withData = (rest: Buffer) => Buffer.concat([chunk.subarray(0, 4), rest])
  if (type === 'caBX') return blankText(chunk)
  if (type === 'eXIf') {
    const kept = publicExif(data)
    return kept === undefined ? blankText(chunk) : withData(kept)
  }
  const keyword = data.toString('latin1', 0, 80)
  if (type === 'iTXt' && keyword.startsWith(xmpKeyword) && data[xmpKeyword.length] === 0) {
    const start = startOfText(data)
    return withData(Buffer.concat([data.subarray(0, start), publicXmp(data.subarray(start))]))
  }
  return privateKeyword.test(keyword) ? blankText(chunk) : chunk
}

/** The keyword is followed by two flags, the language and the translated keyword. */
function startOfText(data: Buffer): number {
  const language = data.indexOf(0, xmpKeyword.length + 2)
  return data.indexOf(0, language + 1) + 1
}

/** Replaces a text chunk of any kind by an empty text of the same length. */
function blankText(chunk: Buffer): Buffer {
  const blank = Buffer.alloc(chunk.length, ' ')
  blank.write('tEXt-\0', 'latin1')
  return blank
}

/** The patches that remove the location from a WebP. */
export function* patchesOfWebp(file: OpenFile, size: number): Generator<Patch> {
  const window = createFileWindow(file)
  let at = 12
  for (let count = 0; count < mostChunks && at + 8 <= size; count++) {
    const header = window.read(at, 8)
    const length = header.readUInt32LE(4)
    const type = header.toString('latin1', 0, 4)
    if (type === 'EXIF' || type === 'XMP ') {
      const data = readPart(file, at + 8, length)
      yield* changed(at + 8, data, type === 'XMP ' ? publicXmp(data) : publicExifWithin(data))
    }
    at += 8 + length + (length % 2)
  }
}

/** Some programs write the JPEG prefix (`Exif\0\0`) before the data. */
function publicExifWithin(data: Buffer): Buffer {
  const start = data.subarray(0, exifSign.length).equals(exifSign) ? exifSign.length : 0
  const kept = publicExif(data.subarray(start))
  return kept === undefined ? Buffer.alloc(data.length) : Buffer.concat([data.subarray(0, start), kept])
}
