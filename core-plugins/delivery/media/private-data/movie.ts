import { type Box, boxesIn } from '../../pictures/pictures.ts'
import { type OpenFile, readPart } from '../open-file.ts'
import { publicKeys, publicNames, publicUserData } from './movie-words.ts'
import { budgetOf, changed, type FilePlace, type Patch } from './patch.ts'
import { samplesOf } from './samples.ts'
import { publicXmp } from './xmp.ts'

/** Boxes of a movie that stay: its tracks and what is needed to play them. */
const movieParts = ['mvhd', 'trak', 'mvex', 'iods', 'pssh', 'cmov', 'rmra', 'ctab', 'clip', 'udta', 'meta']
/** The child boxes that are searched, by parent box. */
const containers: Readonly<Record<string, string>> = { moov: 'trak', trak: 'mdia', mdia: 'minf' }
const spherical = Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex')
const idBytes = 16

/** The patches that remove the location from a movie, in its metadata and in tracks with such data. */
export function* patchesOfMovie(file: OpenFile, box: Box, { from, size }: FilePlace): Generator<Patch> {
  const before = readPart(file, box.start, box.end - box.start)
  // A truncated read would be mistaken for a truncated movie, and the rest of the box would stay as it is.
  if (before.length < box.end - box.start) throw new RangeError('a movie with too much data about it')
  const after = Buffer.from(before)
  const whole = { ...box, start: 0, content: box.content - box.start, end: before.length }
  const isExpected = budgetOf(size)
  for (const { at, length } of samplesOf(before, whole)) {
    if (!isExpected(length)) break
    const sample = readPart(file, from + at, length)
    yield* changed(from + at, sample, Buffer.alloc(sample.length))
  }
  cleanContainer(after, whole)
  yield* changed(box.start, before, after)
}

/** Changes the bytes in place, like all functions below. Blanks what is truncated or not a known box. */
function cleanContainer(bytes: Buffer, { type: container, content, end }: Box): void {
  for (const box of eachBox(bytes, content, end)) {
    if (containers[container] === box.type) cleanContainer(bytes, box)
    else if (box.type === 'udta') cleanUserData(bytes, box)
    else if (box.type === 'meta') cleanMeta(bytes, box)
    else if (box.type === 'uuid') cleanOwn(bytes, box)
    else if (container === 'moov' && !movieParts.includes(box.type)) free(bytes, box)
  }
}

/** Yields the boxes of a range; blanks the bytes after the last one. */
function* eachBox(bytes: Buffer, from: number, to: number): Generator<Box> {
  let at = from
  for (const box of boxesIn(bytes, from, to)) {
    yield box
    at = box.end
  }
  bytes.fill(0, at, to)
}

function free(bytes: Buffer, { start, content, end }: Box): void {
  bytes.write('free', start + 4, 'latin1')
  bytes.fill(0, content, end)
}

/** Blanks vendor-specific boxes, except the one that describes spherical video. */
function cleanOwn(bytes: Buffer, box: Box): void {
  const id = bytes.subarray(box.content, box.content + idBytes)
  if (!id.equals(spherical)) free(bytes, box)
}

function cleanUserData(bytes: Buffer, { content, end }: Box): void {
  for (const box of eachBox(bytes, content, end)) {
    if (box.type === 'meta') cleanMeta(bytes, box)
    else if (box.type === 'XMP_') publicXmp(bytes.subarray(box.content, box.end)).copy(bytes, box.content)
    else if (!publicUserData.includes(box.type)) free(bytes, box)
  }
}

/** In QuickTime files, this box has no version before its children. */
function cleanMeta(bytes: Buffer, { content, end }: Box): void {
  const isPlain = bytes.toString('latin1', content + 4, content + 8) === 'hdlr'
  let keys: readonly string[] | undefined
  for (const box of eachBox(bytes, isPlain ? content : Math.min(content + 4, end), end)) {
    if (box.type === 'keys') keys = keysIn(bytes, box)
    else if (box.type === 'ilst') cleanList(bytes, box, keys)
    else if (box.type === 'xml ') publicXmp(bytes.subarray(box.content, box.end)).copy(bytes, box.content)
    else if (box.type !== 'hdlr') free(bytes, box)
  }
}

/** The names in a list of keys: a version and a count, then for each key its length, a namespace and a name. */
const keysIn = (bytes: Buffer, { content, end }: Box): readonly string[] =>
  [...boxesIn(bytes, content + 8, end)].map((key) => bytes.toString('latin1', key.content, key.end))

/** Items are named by their types or, if there are keys, by the number of a key, from 1. */
function cleanList(bytes: Buffer, { content, end }: Box, keys: readonly string[] | undefined): void {
  for (const item of eachBox(bytes, content, end)) {
    const isPublic =
      keys === undefined
        ? publicNames.includes(item.type)
        : publicKeys.test(keys[bytes.readUInt32BE(item.start + 4) - 1] ?? '')
    if (!isPublic) blankItem(bytes, item)
  }
}

const textOfItem = 1

/**
 * Blanks the value of an item, a text with spaces and other values with zeros. The item stays, since its type may be a key
 * number.
 */
function blankItem(bytes: Buffer, item: Box): void {
  for (const { type, content, end } of eachBox(bytes, item.content, item.end)) {
    const isText = type === 'data' && end - content >= 8 && bytes.readUInt32BE(content) === textOfItem
    bytes.fill(isText ? ' ' : 0, type === 'data' ? Math.min(content + 8, end) : content, end)
  }
}
