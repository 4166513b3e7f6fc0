import { type OpenFile, readPart } from '../open-file.ts'
import { type DirectoryName, directories, entryBytes, publicTags, typeSizes } from './exif.ts'
import { budgetOf, changed, type Patch } from './patch.ts'
import { publicDatasets, publicResources } from './photoshop.ts'
import { publicXmp } from './xmp.ts'

/** Tags that say how a picture is stored and shown (TIFF 6.0, its supplements, libtiff). */
const isStructure = (tag: number) =>
  (tag >= 0x00fe && tag <= 0x0214 && ![0x010f, 0x0110, 0x0131, 0x013c].includes(tag)) ||
  [0x80e3, 0x80e4, 0x80e5, 0x80e6, 0x828d, 0x828e, 0x8298, 0x8773, 0x923f, 0xa481].includes(tag) ||
  [0xc5f2, 0xc5f3, 0xc5f4, 0xc5f5].includes(tag)

/** Tags whose data is partly public, with the function that keeps that part. */
const changes: Readonly<Record<number, (data: Buffer) => Buffer>> = {
  700: publicXmp,
  33723: publicDatasets,
  34377: publicResources,
}

/** Tags that point to directories: of further pictures, Exif data, and GPS data, of which nothing is public. */
const names: Readonly<Record<number, DirectoryName | 'place'>> = {
  330: 'image',
  34853: 'place',
  ...directories,
}

/** More pages than a scanner produces. */
const mostDirectories = 10_000

interface Entry {
  readonly tag: number
  /** The entry as stored in its directory. */
  readonly bytes: Buffer
  readonly isPublic: boolean
  /** The first value, or its offset if the values take more than four bytes. */
  readonly value: number
  readonly valueBytes: number
}

/** The patches that remove the location from a TIFF. BigTIFF (more than 4 GiB) is left unchanged. */
export function* patchesOfTiff(file: OpenFile, size: number): Generator<Patch> {
  const header = readPart(file, 0, 8)
  const isLittle = header[0] === 0x49
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  if (header.length < 8 || short(header, 2) !== 42) return
  const isExpected = budgetOf(size)
  const waiting: { readonly at: number; readonly name: DirectoryName | 'place' }[] = []
  const known = new Set<number>()

  /** Visits each offset once and only within the file, since a hostile list may name millions. */
  const visitLater = (at: number, name: DirectoryName | 'place') => {
    if (at + 2 > size || known.has(at) || known.size >= mostDirectories) return
    known.add(at)
    waiting.push({ at, name })
  }

  const entryOf = (bytes: Buffer, name: DirectoryName | 'place'): Entry => {
    const tag = short(bytes, 0)
    return {
      ...{ tag, bytes, isPublic: isPublicIn(name, tag) },
      ...{ value: long(bytes, 8), valueBytes: (typeSizes[short(bytes, 2)] ?? 1) * long(bytes, 4) },
    }
  }

  /** A directory of the given length: the entries that stay, then the offset of the next picture. */
  const directoryOf = (entries: readonly Entry[], next: Buffer, length: number): Buffer => {
    const count = Buffer.alloc(2)
    if (isLittle) count.writeUInt16LE(entries.length)
    else count.writeUInt16BE(entries.length)
    const kept = [count, ...entries.map(({ bytes }) => bytes), next]
    return Buffer.concat([...kept, Buffer.alloc(length)], length)
  }

  function* patchesOfValues({ tag, isPublic, value, valueBytes }: Entry): Generator<Patch> {
    const change = changes[tag] ?? (isPublic ? undefined : (data: Buffer) => Buffer.alloc(data.length))
    const length = Math.min(valueBytes, size - value)
    if (change === undefined || valueBytes <= 4 || length <= 0 || !isExpected(length)) return
    const data = readPart(file, value, length)
    yield* changed(value, data, change(data))
  }

  /** The offsets of the directories to which an entry points. */
  function placesIn({ value, valueBytes }: Entry): number[] {
    if (valueBytes <= 4) return [value]
    const length = Math.min(valueBytes, 4 * mostDirectories)
    if (!isExpected(length)) return []
    const list = readPart(file, value, length)
    return Array.from({ length: list.length >> 2 }, (_, index) => long(list, 4 * index))
  }

  visitLater(long(header, 4), 'image')
  for (let open = waiting.shift(); open !== undefined; open = waiting.shift()) {
    const { at, name } = open
    const count = short(readPart(file, at, 2), 0)
    if (!isExpected(2 + count * entryBytes)) break
    const before = readPart(file, at, 2 + count * entryBytes + 4)
    const whole = Math.min(count, Math.floor((before.length - 2) / entryBytes))
    const entries = Array.from({ length: whole }, (_, index) =>
      entryOf(before.subarray(2 + index * entryBytes, 2 + (index + 1) * entryBytes), name),
    )
    const next = name === 'image' ? before.subarray(2 + count * entryBytes) : Buffer.alloc(0)
    const kept = entries.filter(({ isPublic }) => isPublic)
    yield* changed(at, before, directoryOf(kept, next, before.length))
    for (const entry of entries) {
      const leadsTo = names[entry.tag]
      yield* patchesOfValues(entry)
      if (leadsTo !== undefined) for (const place of placesIn(entry)) visitLater(place, leadsTo)
    }
    if (next.length === 4 && long(next, 0) > 0) visitLater(long(next, 0), name)
  }
}

function isPublicIn(name: DirectoryName | 'place', tag: number): boolean {
  if (name === 'place') return false
  const tags: readonly number[] = publicTags[name]
  return tags.includes(tag) || (name === 'image' && (isStructure(tag) || tag in changes))
}
