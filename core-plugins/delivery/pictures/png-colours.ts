import { crc32, deflateSync } from 'node:zlib'
import { type ColourSpace, colourSpaceOf, gamma, type Primaries, srgbPrimaries } from './colour-spaces.ts'
import { iccProfile } from './icc-profile.ts'

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** Including length, type and checksum. */
  readonly whole: Buffer
}

const signatureBytes = 8

/** The chunks that describe the colours of a PNG; libvips reads only the first kind. */
const colourChunks = ['iCCP', 'cICP', 'sRGB', 'gAMA', 'cHRM']

/** Close enough to the sRGB curve that the difference is invisible. */
const usualGamma = 1 / 2.2
const nearby = 0.02

/** Whether a PNG may need a profile, judged by its beginning. */
export function mayNeedProfile(start: Buffer): boolean {
  const { chunks, end } = chunksBeforePixels(start)
  const isWhole = start.toString('latin1', end + 4, end + 8) === 'IDAT'
  return !isWhole || colourSpaceIn(chunks) !== undefined
}

/** A PNG whose colours are described by a profile; undefined if it needs none. */
export function withProfile(png: Buffer): Buffer | undefined {
  const { chunks, end } = chunksBeforePixels(png)
  const [header] = chunks
  const space = colourSpaceIn(chunks)
  if (header?.type !== 'IHDR' || space === undefined) return undefined
  const isGrey = ((header.data[9] ?? 0) & 2) === 0
  const profile = iccProfile(space.curve, isGrey ? undefined : space.primaries)
  const kept = chunks.slice(1).filter(({ type }) => !colourChunks.includes(type))
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    header.whole,
    chunkOf('iCCP', Buffer.concat([Buffer.from('m\0\0'), deflateSync(profile)])),
    ...kept.map(({ whole }) => whole),
    png.subarray(end),
  ])
}

function chunksBeforePixels(png: Buffer) {
  const chunks: Chunk[] = []
  let at = signatureBytes
  while (at + 12 <= png.length) {
    const next = at + 12 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT' || next > png.length) break
    chunks.push({ type, data: png.subarray(at + 8, next - 4), whole: png.subarray(at, next) })
    at = next
  }
  return { chunks, end: at }
}

/** The colour space, with the precedence that browsers use; undefined for sRGB, and if there already is a profile. */
function colourSpaceIn(chunks: readonly Chunk[]): ColourSpace | undefined {
  const find = (type: string, bytes: number) =>
    chunks.find((chunk) => chunk.type === type && chunk.data.length >= bytes)?.data
  const cicp = find('cICP', 4)
  if (cicp !== undefined) return colourSpaceOf(cicp[0] ?? 0, cicp[1] ?? 0, 'png')
  if (find('iCCP', 0) !== undefined || find('sRGB', 0) !== undefined) return undefined
  const written = (find('gAMA', 4)?.readUInt32BE() ?? 0) / 100_000
  if (written <= 0) return undefined
  const primaries = primariesIn(find('cHRM', 32))
  if (primaries === undefined && Math.abs(written - usualGamma) < nearby) return undefined
  return { primaries: primaries ?? srgbPrimaries, curve: gamma(1 / written) }
}

/** Undefined for the primaries of sRGB and for invalid ones. */
function primariesIn(data: Buffer | undefined): Primaries | undefined {
  if (data === undefined) return undefined
  const point = (index: number) =>
    [data.readUInt32BE(8 * index) / 100_000, data.readUInt32BE(8 * index + 4) / 100_000] as const
  const found = { white: point(0), red: point(1), green: point(2), blue: point(3) }
  const names = ['white', 'red', 'green', 'blue'] as const
  const isPossible = names.every((name) => found[name][0] < 1 && found[name][1] > 0 && found[name][1] < 1)
  const isUsual = names.every((name) =>
    found[name].every((value, axis) => Math.abs(value - (srgbPrimaries[name][axis] ?? 0)) < nearby / 4),
  )
  return isPossible && !isUsual ? found : undefined
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
