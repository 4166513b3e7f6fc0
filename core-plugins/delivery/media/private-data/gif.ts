import { type OpenFile, readPart } from '../open-file.ts'
import { changed, type Patch, placesOf } from './patch.ts'
import { publicXmp } from './xmp.ts'

/** The beginning of an extension of an application: that of XMP, of which the packet follows as it is. */
const xmpExtension = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1')
/** Which the packet ends before, so that readers of other extensions find the end of this one. */
const trailer = Buffer.from([0x01, 0xff, 0xfe, 0xfd])
const mostBytes = 1024 * 1024

/** What has to change for a GIF not to say where it was taken. */
export function* patchesOfGif(file: OpenFile, size: number): Generator<Patch> {
  let searched = 0
  for (const found of placesOf(file, { from: 0, size }, [xmpExtension])) {
    const at = found + xmpExtension.length
    // Within the packet before it, or within what is none.
    if (at < searched) continue
    const bytes = readPart(file, at, mostBytes)
    const end = bytes.indexOf(trailer)
    searched = at + (end === -1 ? bytes.length - trailer.length : end)
    // Where the file ends within it, all that is left.
    if (end === -1 && bytes.length === mostBytes) continue
    const packet = end === -1 ? bytes : bytes.subarray(0, end)
    yield* changed(at, packet, publicXmp(packet))
  }
}
