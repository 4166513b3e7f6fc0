import { type Box, boxesOfFile } from '../../pictures/pictures.ts'
import { type OpenFile, readPart } from '../open-file.ts'
import { publicExifOfBox } from './exif.ts'
import { patchesOfItems } from './items.ts'
import { patchesOfMovie } from './movie.ts'
import { changed, type Patch, patchesTo } from './patch.ts'
import { publicXmp } from './xmp.ts'

/** Top-level boxes of such a file that stay. All other boxes may contain anything, also `free` ones. */
const kept = [
  ...['ftyp', 'styp', 'pdin', 'moof', 'mfra', 'mdat', 'imda', 'sidx', 'ssix', 'prft', 'wide'],
  ...['JXL ', 'jxlc', 'jxlp', 'jxll', 'jxli', 'jbrd'],
]

/** Types of the first box. Without this check, a bare JPEG XL stream would be mistaken for a box. */
const first = ['moov', 'free', 'skip', 'pnot', ...kept]

const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
const window = 1024 * 1024

/**
 * The patches that remove the location from a file of boxes (ISO/IEC 14496-12: AVIF, HEIC, JPEG XL, MP4, QuickTime). The file
 * may be embedded in another one, at offset `from`.
 */
export function* patchesOfBoxes(file: OpenFile, size: number, from = 0): Generator<Patch> {
  for (const box of boxesOfFile(file, from, size)) {
    if (box.start === from && !first.includes(box.type)) return
    if (kept.includes(box.type)) continue
    if (box.type === 'meta') yield* patchesOfItems(file, box, { from, size })
    else if (box.type === 'moov') yield* patchesOfMovie(file, box, { from, size })
    // The video of a motion photo.
    else if (box.type === 'mpvd' && from === 0) yield* patchesOfBoxes(file, box.end, box.content)
    else if (box.type === 'Exif') yield* patchesTo(file, box, publicExifOfBox)
    else if (box.type === 'xml ') yield* patchesTo(file, box, publicXmp)
    else if (isXmp(file, box)) yield* patchesTo(file, { ...box, content: box.content + 16 }, publicXmp)
    else yield* freed(file, box)
  }
}

function isXmp(file: OpenFile, { type, content }: Box): boolean {
  return type === 'uuid' && readPart(file, content, xmpId.length).equals(xmpId)
}

/** Turns a box into free space of the same size. */
function* freed(file: OpenFile, { type, start, content, end }: Box): Generator<Patch> {
  if (type !== 'free' && type !== 'skip') yield { at: start + 4, bytes: Buffer.from('free') }
  for (let at = content; at < end; at += window) {
    const bytes = readPart(file, at, Math.min(window, end - at))
    yield* changed(at, bytes, Buffer.alloc(bytes.length))
  }
}
