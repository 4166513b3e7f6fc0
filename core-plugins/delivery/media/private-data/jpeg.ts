import { createFileWindow, type OpenFile, readPart } from '../open-file.ts'
import { patchesOfBoxes } from './box-files.ts'
import { publicExif } from './exif.ts'
import { changed, type Patch, placesOf } from './patch.ts'
import { publicResources } from './photoshop.ts'
import { publicXmp } from './xmp.ts'

const startOfScan = 0xda
const exif = 'Exif\0\0'
const photoshop = 'Photoshop 3.0\0'
const xmp = ['http://ns.adobe.com/xap/1.0/\0', 'http://ns.adobe.com/xmp/extension/\0']

/** Application segments that stay: JFIF, ICC profiles, multi-picture, gain maps, Adobe's transform, Ducky. */
const kept: readonly (readonly [number, string])[] = [
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xe2, 'MPF\0'],
  [0xe2, 'urn:iso:std:iso:ts:21496'],
  [0xec, 'Ducky'],
  [0xee, 'Adobe'],
]

/** More segments and pictures than any program writes. */
const mostSegments = 2_000
const mostPictures = 50
/** The beginning of a further picture in the file, such as a gain map or a preview. Scan data never contains these bytes. */
const pictureSigns = [Buffer.from([0xff, 0xd8, 0xff, 0xe1]), Buffer.from([0xff, 0xd8, 0xff, 0xe2])]

/** The type of the first box of an embedded video (motion photo). */
const movieSign = Buffer.from('ftyp')
const movieBrand = /^(mp4|iso|qt {2}|avc|M4V|3gp|MSNV)/

/** The patches that remove the location from a JPEG, including all pictures and a video embedded in it. */
export function* patchesOfJpeg(file: OpenFile, size: number): Generator<Patch> {
  const scan = yield* patchesOfPicture(file, 0, size)
  let left = mostPictures
  for (const at of placesOf(file, { from: scan, size }, [...pictureSigns, movieSign])) {
    left -= 1
    if (left < 0) return
    if (isPicture(file, at)) yield* patchesOfPicture(file, at, size)
    // The type is preceded by the length of its box.
    else if (isMovie(file, at)) yield* patchesOfBoxes(file, size, at - 4)
  }
}

function isMovie(file: OpenFile, at: number): boolean {
  const head = readPart(file, at - 4, 12)
  return head.readUInt16BE(0) === 0 && movieBrand.test(head.toString('latin1', 8, 12))
}

function isPicture(file: OpenFile, at: number): boolean {
  const text = readPart(file, at + 6, 40).toString('latin1')
  return [exif, ...xmp, 'MPF\0', 'ICC_PROFILE\0', 'urn:iso'].some((sign) => text.startsWith(sign))
}

/** Returns the offset of the scan. */
function* patchesOfPicture(file: OpenFile, start: number, size: number): Generator<Patch, number> {
  const window = createFileWindow(file)
  let at = start + 2
  for (let count = 0; count < mostSegments && at + 4 <= size; count++) {
    const header = window.read(at, 4)
    const [sign, marker = 0] = header
    if (sign !== 0xff) return at
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = header.readUInt16BE(2)
    if (length < 2 || marker === startOfScan) return at + 2 + length
    if (marker >= 0xe0 && marker <= 0xef) {
      const data = readPart(file, at + 4, length - 2)
      yield* changed(at + 4, data, publicSegment(marker, data))
    }
    at += 2 + length
  }
  return Math.min(at, size)
}

function publicSegment(marker: number, data: Buffer): Buffer {
  const text = data.toString('latin1', 0, 40)
  const after = (sign: string, change: (rest: Buffer) => Buffer | undefined) => {
    const rest = change(data.subarray(sign.length))
    return rest === undefined
      ? Buffer.alloc(data.length)
      : Buffer.concat([data.subarray(0, sign.length), rest])
  }
  if (marker === 0xe1 && text.startsWith(exif)) return after(exif, publicExif)
  const [packet = ''] = xmp
  if (marker === 0xe1 && text.startsWith(packet)) return after(packet, publicXmp)
  if (marker === 0xed && text.startsWith(photoshop)) return after(photoshop, publicResources)
  return kept.some(([of, sign]) => marker === of && text.startsWith(sign)) ? data : Buffer.alloc(data.length)
}
