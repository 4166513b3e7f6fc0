import { type Box, boxesOfFile } from '../../pictures/pictures.ts'
import { type OpenFile, readPart } from '../open-file.ts'
import { publicExifOfBox } from './exif.ts'
import { patchesOfItems } from './items.ts'
import { patchesOfMovie } from './movie.ts'
import { changed, type Patch, patchesTo } from './patch.ts'
import { publicXmp } from './xmp.ts'

/** What such a file is made of. Anything else may say what it likes, also what is free. */
const kept = [
  ...['ftyp', 'styp', 'pdin', 'moof', 'mfra', 'mdat', 'imda', 'sidx', 'ssix', 'prft', 'wide'],
  ...['JXL ', 'jxlc', 'jxlp', 'jxll', 'jxli', 'jbrd'],
]

/** What it may begin with besides: without this check, a bare stream of JPEG XL would be taken for a box. */
const first = ['moov', 'free', 'skip', 'pnot', ...kept]

const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
const window = 1024 * 1024

/**
 * What has to change for a file of boxes (ISO/IEC 14496-12: AVIF, HEIC, JPEG XL, MP4, QuickTime) not to say where it was taken. It
 * may stand within another file: `from` says where.
 */
export function* patchesOfBoxes(file: OpenFile, size: number, from = 0): Generator<Patch> {
  for (const box of boxesOfFile(file, from, size)) {
    if (box.start === from && !first.includes(box.type)) return
    if (kept.includes(box.type)) continue
    if (box.type === 'meta') yield* patchesOfItems(file, box, { from, size })
    else if (box.type === 'moov') yield* patchesOfMovie(file, box, { from, size })
    // Of a photo that moves.
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

/** A box becomes empty space of the same size. */
function* freed(file: OpenFile, { type, start, content, end }: Box): Generator<Patch> {
  if (type !== 'free' && type !== 'skip') yield { at: start + 4, bytes: Buffer.from('free') }
  for (let at = content; at < end; at += window) {
    const bytes = readPart(file, at, Math.min(window, end - at))
    yield* changed(at, bytes, Buffer.alloc(bytes.length))
  }
}
