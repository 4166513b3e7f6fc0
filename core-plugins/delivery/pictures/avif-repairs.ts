import { type Box, boxesIn, boxOf } from './boxes.ts'
import { colourSpaceOf } from './colour-spaces.ts'
import { iccProfile } from './icc-profile.ts'

/** An AVIF that libvips shows as browsers do. */
export interface RepairedAvif {
  /** Undefined if no changes are needed. */
  readonly bytes: Buffer | undefined
  /** Whether its colours are premultiplied by alpha. */
  readonly isPremultiplied: boolean
}

/** Version and flags at the beginning of full boxes. */
const fullBytes = 4

/**
 * Changes an AVIF so that its colours are described by a profile instead of numbers (nclx), and an animation becomes a still
 * picture of its first frame. Nothing else moves, since the file contains offsets.
 */
export function repairAvif(avif: Buffer): RepairedAvif {
  const boxes = [...boxesIn(avif, 0, avif.length)]
  const [brand, meta, movie] = ['ftyp', 'meta', 'moov'].map((name) => boxes.find(({ type }) => type === name))
  if (brand === undefined || meta === undefined) return { bytes: undefined, isPremultiplied: false }
  const parts = [...boxesIn(avif, meta.content + fullBytes, meta.end)]
  const isPremultiplied = parts.some((part) => part.type === 'iref' && refersTo(avif, part, 'prem'))
  const profiled = withProfile(avif, meta, parts)
  if (profiled === undefined && movie === undefined) return { bytes: undefined, isPremultiplied }
  const bytes = Buffer.concat([avif, profiled ?? Buffer.alloc(0)])
  if (profiled !== undefined) bytes.write('free', meta.start + 4, 'latin1')
  if (movie !== undefined) {
    bytes.write('free', movie.start + 4, 'latin1')
    forgetMovie(bytes, brand)
  }
  return { bytes, isPremultiplied }
}

/** Removes brands of animations, with which a movie would be expected. */
function forgetMovie(bytes: Buffer, { content, end }: Box): void {
  for (let at = content; at + 4 <= end; at += 4) {
    if (['avis', 'msf1'].includes(bytes.toString('latin1', at, at + 4))) bytes.write('avif', at, 'latin1')
  }
}

const refersTo = (avif: Buffer, references: Box, kind: string) =>
  [...boxesIn(avif, references.content + fullBytes, references.end)].some(({ type }) => type === kind)

/** The box `meta` with a profile for the main picture; undefined if it needs none. */
function withProfile(avif: Buffer, meta: Box, parts: readonly Box[]): Buffer | undefined {
  const [main, properties] = ['pitm', 'iprp'].map((name) => parts.find(({ type }) => type === name))
  if (main === undefined || properties === undefined) return undefined
  const [list, links] = boxesIn(avif, properties.content, properties.end)
  if (list?.type !== 'ipco' || links?.type !== 'ipma') return undefined
  const associations = readAssociations(avif.subarray(links.content, links.end))
  const own = associations.find(({ item }) => item === mainItem(avif, main))
  const known = [...boxesIn(avif, list.content, list.end)]
  const profile = profileFor(avif, own?.properties.map((index) => known[(index & indexBits) - 1]) ?? [])
  if (own === undefined || profile === undefined) return undefined
  const added = { ...own, properties: [...own.properties, known.length + 1] }
  const repaired = boxOf(
    'iprp',
    boxOf('ipco', avif.subarray(list.content, list.end), boxOf('colr', Buffer.from('prof'), profile)),
    boxOf('ipma', writeAssociations(associations.map((each) => (each === own ? added : each)))),
  )
  const rest = parts.map((part) => (part === properties ? repaired : avif.subarray(part.start, part.end)))
  return boxOf('meta', avif.subarray(meta.content, meta.content + fullBytes), ...rest)
}

/** A profile for the properties of the main picture; undefined if they already have one or need none. */
function profileFor(avif: Buffer, properties: readonly (Box | undefined)[]): Buffer | undefined {
  const colours = properties.flatMap((box) =>
    box?.type === 'colr' ? [avif.subarray(box.content, box.end)] : [],
  )
  const [nclx, ...others] = colours
  if (nclx === undefined || others.length > 0 || nclx.length < 11) return undefined
  if (nclx.toString('latin1', 0, 4) !== 'nclx') return undefined
  const space = colourSpaceOf(nclx.readUInt16BE(4), nclx.readUInt16BE(6), 'avif')
  return space && iccProfile(space.curve, space.primaries)
}

function mainItem(avif: Buffer, { content }: Box): number {
  return avif[content] === 0 ? avif.readUInt16BE(content + fullBytes) : avif.readUInt32BE(content + fullBytes)
}

/** The properties of an item, by index from 1; the highest of 16 bits marks a property as essential. */
interface Associations {
  readonly item: number
  readonly properties: readonly number[]
}

const indexBits = 0x7fff

/** @throws RangeError if the box is truncated */
function readAssociations(box: Buffer): Associations[] {
  const [isLongItem, isLongIndex] = [box.readUInt8() > 0, (box.readUInt8(3) & 1) === 1]
  const count = box.readUInt32BE(fullBytes)
  let at = fullBytes + 4
  const read = (bytes: number) => {
    at += bytes
    return box.readUIntBE(at - bytes, bytes)
  }
  const readIndex = () => {
    if (isLongIndex) return read(2)
    const short = read(1)
    return ((short & 0x80) << 8) | (short & 0x7f)
  }
  return Array.from({ length: Math.min(count, box.length) }, () => {
    const item = read(isLongItem ? 4 : 2)
    return { item, properties: Array.from({ length: read(1) }, readIndex) }
  })
}

/** Uses the longest format, which can represent all associations. */
function writeAssociations(associations: readonly Associations[]): Buffer {
  const head = Buffer.from([1, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(associations.length, fullBytes)
  const entries = associations.map(({ item, properties }) => {
    const entry = Buffer.alloc(5 + 2 * properties.length)
    entry.writeUInt32BE(item)
    entry.writeUInt8(properties.length, 4)
    for (const [index, value] of properties.entries()) entry.writeUInt16BE(value, 5 + 2 * index)
    return entry
  })
  return Buffer.concat([head, ...entries])
}
