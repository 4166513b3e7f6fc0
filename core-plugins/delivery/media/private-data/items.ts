import { type Box, boxesIn } from '../../pictures/pictures.ts'
import { type OpenFile, readPart } from '../open-file.ts'
import { publicExifOfBox } from './exif.ts'
import { budgetOf, changed, type FilePlace, type Patch } from './patch.ts'
import { publicXmp } from './xmp.ts'

/** Version and flags at the beginning of full boxes. */
const fullBytes = 4

interface Part {
  readonly at: number
  readonly length: number
}

type Change = (data: Buffer) => Buffer

const blank: Change = (data) => Buffer.alloc(data.length)

/** Changes of boxes other than items. */
const boxChanges: Readonly<Record<string, Change>> = {
  'xml ': publicXmp,
  uuid: blank,
  free: blank,
  skip: blank,
}

/** The patches that remove the location from the items of an AVIF or HEIC (ISO/IEC 23008-12). */
export function* patchesOfItems(file: OpenFile, meta: Box, place: FilePlace): Generator<Patch> {
  const bytes = readPart(file, meta.start, meta.end - meta.start)
  const content = meta.content - meta.start + fullBytes
  const boxes = [...boxesIn(bytes, content, bytes.length)]
  const find = (type: string) => boxes.find((box) => box.type === type)
  const [names, places, data] = [find('iinf'), find('iloc'), find('idat')]
  for (const box of boxes) {
    const change = boxChanges[box.type]
    const before = bytes.subarray(box.content, box.end)
    if (change !== undefined) yield* changed(meta.start + box.content, before, change(before))
  }
  if (names === undefined || places === undefined) return
  const changes = changesOf(bytes, names)
  const dataAt = data && meta.start + data.content
  const isExpected = budgetOf(place.size)
  for (const { item, parts } of partsOf(bytes.subarray(places.content, places.end), place, dataAt)) {
    const change = changes.get(item)
    if (change === undefined) continue
    if (!isExpected(parts.reduce((sum, { length }) => sum + length, 0))) return
    yield* patchesOfItem(file, parts, change)
  }
}

/** An item may consist of several parts, whose contents follow each other. */
function* patchesOfItem(file: OpenFile, parts: readonly Part[], change: Change): Generator<Patch> {
  const before: Buffer[] = []
  for (const { at, length } of parts) before.push(readPart(file, at, length))
  const after = change(Buffer.concat(before))
  let start = 0
  for (const [index, bytes] of before.entries()) {
    yield* changed(parts[index]?.at ?? 0, bytes, after.subarray(start, start + bytes.length))
    start += bytes.length
  }
}

/** The changes of items that are not pictures, by item id. */
function changesOf(bytes: Buffer, names: Box): ReadonlyMap<number, Change> {
  const countBytes = bytes[names.content] === 0 ? 2 : 4
  const changes = new Map<number, Change>()
  for (const { type, content, end } of boxesIn(bytes, names.content + fullBytes + countBytes, names.end)) {
    const version = bytes[content] ?? 0
    if (type !== 'infe' || version < 2 || end - content < 12) continue
    const idBytes = version === 2 ? 2 : 4
    const rest = content + fullBytes + idBytes + 2
    const change = changeOf(bytes.toString('latin1', rest, end))
    if (change !== undefined) changes.set(bytes.readUIntBE(content + fullBytes, idBytes), change)
  }
  return changes
}

/** The change of an item by its description: its kind, then a name, and for some kinds a media type. */
function changeOf(said: string): Change | undefined {
  const kind = said.slice(0, 4)
  if (kind === 'Exif') return publicExifOfBox
  if (kind === 'uri ' || kind === 'jumb') return blank
  if (kind !== 'mime') return undefined
  const [, mediaType = ''] = said.slice(4).split('\0')
  if (mediaType.startsWith('image/')) return undefined
  return mediaType === 'application/rdf+xml' ? publicXmp : blank
}

/** The parts of each item; ends where the box is truncated. */
function* partsOf(iloc: Buffer, { from, size }: FilePlace, dataAt: number | undefined) {
  let at = fullBytes
  const read = (count: number) => {
    at += count
    if (count === 8) return Number(iloc.readBigUInt64BE(at - 8))
    return count === 0 ? 0 : iloc.readUIntBE(at - count, count)
  }
  try {
    const version = iloc.readUInt8(0)
    const [sizes, moreSizes] = [read(1), read(1)]
    const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, moreSizes >> 4]
    const indexBytes = version === 0 ? 0 : moreSizes & 15
    const partBytes = indexBytes + offsetBytes + lengthBytes
    const count = read(version < 2 ? 2 : 4)
    for (let index = 0; index < count; index++) {
      const item = read(version < 2 ? 2 : 4)
      const isInside = version > 0 && (read(2) & 15) === 1
      read(2)
      const base = read(baseBytes) + (isInside ? (dataAt ?? size) : from)
      const partCount = read(2)
      // Parts with no data about them are all the same, so one is enough, however many a hostile file claims.
      const length = partBytes === 0 ? Math.min(partCount, 1) : partCount
      const parts = Array.from({ length }, () => {
        read(indexBytes)
        const start = Math.min(base + read(offsetBytes), size)
        const said = read(lengthBytes)
        return { at: start, length: Math.min(said === 0 ? size : said, size - start) }
      })
      yield { item, parts }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}
