import { open, readFile } from 'node:fs/promises'
import { type RepairedAvif, repairAvif } from './avif-repairs.ts'
import { mayNeedProfile, withProfile } from './png-colours.ts'
import { hasExif, withoutExif } from './webp-orientation.ts'

/** What is decoded in the place of a file, and how. */
export interface Source {
  readonly input: string | Buffer
  /** Its colours are multiplied by its transparency. */
  readonly isPremultiplied: boolean
}

/** Larger files are decoded as they are: to change one, it has to be in memory. */
const maxBytes = 128 * 1024 * 1024

/** Most files need no change, which their beginnings tell: what stands before the pixels of a PNG is rarely longer. */
const startBytes = 64 * 1024

/** Looks for what browsers heed in a file and libvips does not, and says it in a way that libvips heeds. */
export async function sourceOf(path: string): Promise<Source> {
  const { start, size } = await readStart(path)
  const plain = { input: path, isPremultiplied: false }
  if (size > maxBytes) return plain
  const signature = start.toString('latin1', 0, 12)
  if (signature.endsWith('WEBP'))
    return hasExif(start) ? { ...plain, input: withoutExif(await readFile(path)) } : plain
  if (signature.startsWith('\x89PNG'))
    return mayNeedProfile(start) ? { ...plain, input: withProfile(await readFile(path)) ?? path } : plain
  if (!signature.includes('ftyp')) return plain
  const { bytes, isPremultiplied } = repaired(await readFile(path))
  return { ...plain, input: bytes ?? path, isPremultiplied }
}

/** What is no AVIF as it should be is left to the decoder. */
function repaired(avif: Buffer): RepairedAvif {
  try {
    return repairAvif(avif)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { bytes: undefined, isPremultiplied: false }
  }
}

async function readStart(path: string) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0)
    return { start: buffer.subarray(0, bytesRead), size: (await file.stat()).size }
  } finally {
    await file.close()
  }
}
