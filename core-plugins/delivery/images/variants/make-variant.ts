import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { AppError, asAppError } from '../../../foundation/http/http.ts'
import { defineTask, type Threads, ThreadTaskError } from '../../../foundation/threads/threads.ts'
import { type Media, variantKey } from '../../media/media.ts'
import { type ImageFormat, type ImageOptions, spell } from '../address/image-options.ts'
import { smallerSource } from './smaller-source.ts'
import { assertScalable, type SourceFile, unfit } from './source-files.ts'
import type { Transform } from './transform-task.ts'
import type { VariantStore } from './variant-store.ts'

const transformTask = defineTask<typeof import('./transform-task.ts').default>(
  new URL('./transform-task.ts', import.meta.url),
)

export const mediaTypes: Readonly<Record<ImageFormat, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
}

export interface MakeVariantDeps {
  readonly media: Pick<Media, 'storage' | 'scratch'>
  readonly store: VariantStore
}

/** Where an image is made, and the time limit. */
export interface Making {
  readonly run: Threads['run']
  readonly seconds: number
}

/** 503: making the image takes too long, so retrying will not help. */
export class ImageTooSlow extends AppError {
  constructor(seconds: number) {
    super('UNAVAILABLE', `this image could not be made within ${seconds} seconds`, {
      reason: 'file_too_slow',
      headers: { 'retry-after': '600' },
    })
  }
}

/** The thread is terminated this long after the work should have stopped by itself. */
const graceMs = 1_000

/**
 * Makes one image and puts it into the storage; returns its size in bytes.
 * @throws AppError 400 for a broken image, 404 if its file no longer exists; ImageTooSlow
 */
export type MakeVariant = (file: SourceFile, options: ImageOptions, making: Making) => Promise<number>

export function createMakeVariant({ media, store }: MakeVariantDeps): MakeVariant {
  /** Returns false if the file does not exist. */
  async function download(key: string, path: string): Promise<boolean> {
    const stream = await media.storage.read(key)
    if (stream === undefined) return false
    await pipeline(stream, createWriteStream(path))
    return true
  }

  /** Returns the original size of the image if a smaller copy was downloaded instead. */
  async function downloadSource(file: SourceFile, options: ImageOptions, path: string) {
    const size = assertScalable(file)
    const copy = smallerSource(await store.ofFiles([file.filename]), size, options)
    // The copy may have just been removed to free space.
    if (copy !== undefined && (await download(variantKey(file.filename, copy.ops), path))) return size
    if (!(await download(file.filename, path))) throw AppError.notFound('file')
    return undefined
  }

  async function render(
    image: Pick<Transform, 'source' | 'target' | 'original' | 'options'>,
    { run, seconds }: Making,
  ) {
    const timeoutMs = seconds * 1_000 + graceMs
    const result = await run(transformTask, { ...image, seconds }, { timeoutMs }).catch((error) => {
      if (!(error instanceof ThreadTaskError) || asAppError(error).code === 'STORAGE_FULL') throw error
      if (error.reason === 'unloadable') throw error
      return { problem: 'slow' } as const
    })
    if ('size' in result) return result.size
    if (result.problem === 'broken') throw unfit('is an image that cannot be decoded')
    throw new ImageTooSlow(seconds)
  }

  async function keep(file: string, options: ImageOptions, made: { target: string; size: number }) {
    const variant = { file, ops: spell(options) }
    const key = variantKey(file, variant.ops)
    const description = {
      mediaType: mediaTypes[options.format],
      size: made.size,
      disposition: 'inline',
    } as const
    await media.storage.adopt(key, made.target, description)
    if (await store.confirm(variant, made.size)) return
    await media.storage.delete(key)
    await store.forget(variant)
    throw AppError.notFound('file')
  }

  return async (file, options, making) => {
    const { filename } = file
    const [source, target] = [media.scratch.newPath(), media.scratch.newPath()]
    try {
      const original = await downloadSource(file, options, source)
      const size = await render({ source, target, original, options }, making)
      // Before the first byte is written, so that every file in the storage is listed.
      await store.announce({ file: filename, ops: spell(options) })
      await keep(filename, options, { target, size })
      return size
    } finally {
      await media.scratch.remove([source, target])
    }
  }
}
