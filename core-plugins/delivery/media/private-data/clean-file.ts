import { writeSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { type OpenFile, withFile } from '../open-file.ts'
import { patchesOfBoxes } from './box-files.ts'
import { patchesOfPng, patchesOfWebp } from './chunks.ts'
import type { CleanableType } from './cleanable-types.ts'
import { patchesOfGif } from './gif.ts'
import { patchesOfJpeg } from './jpeg.ts'
import type { Patch } from './patch.ts'
import { patchesOfTiff } from './tiff.ts'

type FindPatches = (file: OpenFile, size: number) => Iterable<Patch>

const finders: Readonly<Record<CleanableType, FindPatches>> = {
  'image/jpeg': patchesOfJpeg,
  'image/png': patchesOfPng,
  'image/webp': patchesOfWebp,
  'image/gif': patchesOfGif,
  'image/tiff': patchesOfTiff,
  'image/avif': patchesOfBoxes,
  'image/heic': patchesOfBoxes,
  'image/heif': patchesOfBoxes,
  'image/jxl': patchesOfBoxes,
  'audio/mp4': patchesOfBoxes,
  'video/mp4': patchesOfBoxes,
  'video/quicktime': patchesOfBoxes,
  'video/x-m4v': patchesOfBoxes,
  'video/3gpp': patchesOfBoxes,
}

/**
 * Removes location and device data from a file in place. The length stays the same, so no offset changes and no pixel is
 * encoded again. Returns whether there was such data; if so, the unchanged file was first copied to `untouched`.
 */
export async function cleanFile(path: string, mediaType: string, untouched: string): Promise<boolean> {
  const find = (finders as Readonly<Record<string, FindPatches>>)[mediaType]
  const patches = find === undefined ? [] : withFile(path, (file, size) => [...find(file, size)])
  if (patches.length === 0) return false
  await copyFile(path, untouched)
  withFile(path, (file) => apply(file, patches), 'r+')
  return true
}

function apply(file: OpenFile, patches: readonly Patch[]): void {
  for (const { at, bytes } of patches) writeSync(file, bytes, 0, bytes.length, at)
}
