import { copyFile, type FileHandle, open } from 'node:fs/promises'
import { patchesOfPng, patchesOfWebp } from './chunks.ts'
import { patchesOfJpeg } from './jpeg.ts'
import type { Patch } from './patch.ts'
import { type EmbeddedWords, wordsIn } from './words.ts'

export interface FileToClean {
  readonly path: string
  readonly mediaType: string
  /** Where the file is copied to as it was, if anything has to be taken out. */
  readonly untouched: string
  /** Otherwise only its words are read. */
  readonly removesPrivateData: boolean
}

export interface CleanedFile {
  readonly hasChanged: boolean
  readonly words: EmbeddedWords
}

type FindPatches = (file: FileHandle, size: number) => AsyncIterable<Patch>

const finders: Readonly<Record<string, FindPatches>> = {
  'image/jpeg': patchesOfJpeg,
  'image/png': patchesOfPng,
  'image/webp': patchesOfWebp,
}

/**
 * Takes out of a file where and with what it was taken: in place, byte for byte, so that nothing moves, and no pixel is
 * encoded again.
 */
export default async function clean(file: FileToClean): Promise<CleanedFile> {
  const { path, mediaType, untouched, removesPrivateData } = file
  const words = await wordsIn(path)
  const find = removesPrivateData ? finders[mediaType] : undefined
  if (find === undefined) return { hasChanged: false, words }
  const patches = await patchesOf(path, find)
  if (patches.length === 0) return { hasChanged: false, words }
  await copyFile(path, untouched)
  await apply(path, patches)
  return { hasChanged: true, words }
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
