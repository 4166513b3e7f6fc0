import { copyFile, type FileHandle, open } from 'node:fs/promises'
import { patchesOfBoxes } from './box-files.ts'
import { patchesOfPng, patchesOfWebp } from './chunks.ts'
import { patchesOfGif } from './gif.ts'
import { patchesOfJpeg } from './jpeg.ts'
import type { Patch } from './patch.ts'
import { patchesOfTiff } from './tiff.ts'

type FindPatches = (file: FileHandle, size: number) => AsyncIterable<Patch>

const finders: Readonly<Record<string, FindPatches>> = {
  'image/jpeg': patchesOfJpeg,
  'image/png': patchesOfPng,
  'image/webp': patchesOfWebp,
  'image/gif': patchesOfGif,
  'image/tiff': patchesOfTiff,
  ...Object.fromEntries(
    [
      ...['image/avif', 'image/heic', 'image/heif', 'image/jxl', 'audio/mp4'],
      ...['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp'],
    ].map((type) => [type, patchesOfBoxes]),
  ),
}

/** The types of files out of which places and devices can be taken. */
export const cleanableTypes: readonly string[] = Object.keys(finders)

/**
 * Takes out of a file where and with what it was taken: in place, byte for byte, so that nothing moves, and no pixel is
 * encoded again. Answers whether there was anything; then the file as it was has been copied to `untouched` before.
 */
export async function cleanFile(path: string, mediaType: string, untouched: string): Promise<boolean> {
  const find = finders[mediaType]
  const patches = find === undefined ? [] : await patchesOf(path, find)
  if (patches.length === 0) return false
  await copyFile(path, untouched)
  await apply(path, patches)
  return true
}

async function patchesOf(path: string, find: FindPatches): Promise<Patch[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const patches: Patch[] = []
    for await (const patch of find(file, size)) patches.push(patch)
    return patches
  } finally {
    await file.close()
  }
}

async function apply(path: string, patches: readonly Patch[]): Promise<void> {
  const file = await open(path, 'r+')
  try {
    for (const { at, bytes } of patches) await file.write(bytes, 0, bytes.length, at)
  } finally {
    await file.close()
  }
}
