import { type OpenFile, readPart } from '../open-file.ts'
import { changed, type Patch, placesOf } from './patch.ts'
import { publicXmp } from './xmp.ts'

/** The application extension of XMP up to its packet, which is not divided into sub-blocks. */
const xmpExtension = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1')
/** The bytes that follow the packet, so that readers of other extensions find the end of this one. */
const trailer = Buffer.from([0x01, 0xff, 0xfe, 0xfd])
const mostBytes = 1024 * 1024

/** The patches that remove the location from a GIF. */
export function* patchesOfGif(file: OpenFile, size: number): Generator<Patch> {
  let searched = 0
  for (const found of placesOf(file, { from: 0, size }, [xmpExtension])) {
    const at = found + xmpExtension.length
    // A match within the data that was already searched.
    if (at < searched) continue
    const bytes = readPart(file, at, mostBytes)
    const end = bytes.indexOf(trailer)
    searched = at + (end === -1 ? bytes.length - trailer.length : end)
    // Without a trailer, the rest of the file is taken if it is short enough.
    if (end === -1 && bytes.length === mostBytes) continue
    const packet = end === -1 ? bytes : bytes.subarray(0, end)
    yield* changed(at, packet, publicXmp(packet))
  }
}
