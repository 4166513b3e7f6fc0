import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import { defineTask, type Threads, ThreadTaskError } from '../../../foundation/threads/threads.ts'
import { longestWebp, maxPixels } from '../../pictures/pictures.ts'
import type { Spool } from '../files/spool.ts'
import { svgType } from '../identify/file-types.ts'
import type { Caller, Library } from '../library/library.ts'
import type { MediaRecord } from '../media.ts'
import type { MediaStorage } from '../storage.ts'
import { readOriginalName } from '../upload/original-name.ts'
import type { Area, ImageToCrop } from './crop-task.ts'

const cropTask = defineTask<typeof import('./crop-task.ts').default>(
  new URL('./crop-task.ts', import.meta.url),
)

const timeoutMs = 60_000

export interface CropDeps {
  readonly library: Library
  readonly spool: () => Spool
  readonly storage: () => MediaStorage
  readonly threads: Threads
}

export type CropImage = (id: number, area: Area, caller: Caller) => Promise<MediaRecord>

/**
 * Makes a new file of a part of an image, in the same folder and with the same descriptions; the original stays.
 * @throws AppError 400, 404, 415, 503
 */
export function createImageCrop({ library, spool, storage, threads }: CropDeps): CropImage {
  async function download(key: string, path: string, signal: AbortSignal) {
    const stream = await storage().read(key)
    if (stream === undefined) throw AppError.notFound('file')
    await pipeline(stream, createWriteStream(path), { signal })
  }

  async function cut(image: ImageToCrop, signal: AbortSignal): Promise<number> {
    const size = await threads.run(cropTask, image, { signal, timeoutMs }).catch((error) => {
      if (error instanceof ThreadTaskError && error.reason !== 'unloadable') return undefined
      throw error
    })
    if (size !== undefined) return size
    throw invalid('id', 'image', 'names an image that cannot be decoded')
  }

  return async (id, area, caller) => {
    const image = (await library.find(id, caller.principal)).entry as MediaRecord
    assertCroppable(image, area)
    const { format, extension } = formatOf(image.mimeType, area)
    const source = spool().newPath()
    const target = spool().newPath()
    try {
      await download(image.filename, source, caller.signal)
      const size = await cut({ source, target, area, format }, caller.signal)
      const original = readOriginalName(nameOfPart(image.originalName, extension))
      const { folder, alt, caption, tags } = image
      const received = [{ field: 'file', path: target, original, size }]
      const [part] = await library.add(received, { folder, alt, caption, tags }, caller)
      return part as MediaRecord
    } finally {
      await spool().remove([source, target])
    }
  }
}

/** JPEG and PNG keep their format. All other formats become WebP, or PNG if a side is too long for WebP. */
function formatOf(
  mimeType: string,
  { width, height }: Area,
): Pick<ImageToCrop, 'format'> & { extension: string } {
  const isLong = Math.max(width, height) > longestWebp
  if (mimeType === 'image/jpeg') return { format: 'jpeg', extension: 'jpg' }
  if (mimeType === 'image/png' || isLong) return { format: 'png', extension: 'png' }
  return { format: 'webp', extension: 'webp' }
}

const nameOfPart = (name: string, extension: string) =>
  `${name.replace(/\.[^.]{1,16}$/, '')} (crop).${extension}`

function assertCroppable({ mimeType, width, height }: MediaRecord, area: Area): void {
  if (!mimeType.startsWith('image/') || mimeType === svgType || width === null || height === null) {
    throw invalid('id', 'image', 'does not name an image of pixels')
  }
  if (width * height > maxPixels) throw invalid('id', 'image', 'names an image of more than 100 megapixels')
  const problems: ErrorDetail[] = []
  if (area.x + area.width > width) problems.push(outside('width', `the image is ${width} pixels wide`))
  if (area.y + area.height > height) problems.push(outside('height', `the image is ${height} pixels high`))
  if (problems.length > 0) throw AppError.invalid(problems)
}

const outside = (path: string, why: string): ErrorDetail => ({
  path,
  code: 'max',
  message: `reaches beyond the image: ${why}`,
})

const invalid = (path: string, code: string, message: string) => AppError.invalid([{ path, code, message }])
