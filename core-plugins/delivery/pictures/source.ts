import { open, readFile } from 'node:fs/promises'
import { type RepairedAvif, repairAvif } from './avif-repairs.ts'
import { mayNeedProfile, withProfile } from './png-colours.ts'
import { hasExif, withoutExif } from './webp-orientation.ts'

/** The data to decode for a file. */
export interface Source {
  readonly input: string | Buffer
  /** Whether its colours are premultiplied by alpha. */
  readonly isPremultiplied: boolean
}

/** Larger files are decoded unchanged, since changing one requires all of it in memory. */
const maxBytes = 128 * 1024 * 1024

/** How much of a file shows whether it needs changes; most need none. The chunks before the pixels of a PNG are rarely longer. */
const startBytes = 64 * 1024

/** Rewrites information that browsers use and libvips ignores, in a form that libvips uses. */
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

/** Invalid AVIFs are left to the decoder. */
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
