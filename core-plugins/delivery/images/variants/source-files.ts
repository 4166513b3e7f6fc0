import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { Database, RowOf } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { isUndecoded, mediaTable, svgType } from '../../media/media.ts'
import { maxPixels, type Size } from '../../pictures/pictures.ts'
import { focusOf } from '../address/image-addresses.ts'
import { type FocalPoint, type ImageOptions, longestSides } from '../address/image-options.ts'
import { planSize } from './geometry.ts'

/** The data of a file from which images are made. */
export type SourceFile = RowOf<typeof mediaTable>

/** Finds files by the names in addresses. */
export interface SourceFiles {
  /** @throws AppError 404 */
  find(filename: string): Promise<SourceFile>
  /** The focal point, cached for a few seconds; undefined for the centre. @throws AppError 404 */
  focusOf(filename: string): Promise<FocalPoint | undefined>
  /** Removes a file from the cache after this process has changed its record. */
  forget(filename: string): void
}

const rememberedMs = 5_000

export function createSourceFiles(database: Database): SourceFiles {
  const selection = mediaTable.on(database).find(['filename'])
  const points = new LRUCache<string, { readonly point: FocalPoint | undefined }>({
    ...upTo(5_000),
    ttl: rememberedMs,
  })

  async function find(filename: string): Promise<SourceFile> {
    const file = await selection.get({ filename })
    if (file === undefined) throw AppError.notFound('file')
    return file
  }

  return {
    find,
    async focusOf(filename) {
      const known = points.get(filename)
      if (known !== undefined) return known.point
      const point = focusOf(await find(filename))
      points.set(filename, { point })
      return point
    },
    forget: (filename) => void points.delete(filename),
  }
}

/** The size of an image from which variants can be made. @throws AppError 400 for other files */
export function assertScalable(file: Pick<SourceFile, 'mimeType' | 'width' | 'height'>): Size {
  const { mimeType, width, height } = file
  if (!mimeType.startsWith('image/')) throw unfit('is no image')
  if (mimeType === svgType) throw unfit('is an SVG, which scales by itself: use its own address')
  // Only the size of such a file can be read.
  if (isUndecoded(mimeType)) throw unfit(`is ${mimeType}, which cannot be decoded`)
  if (width === null || height === null) throw unfit('is an image that cannot be decoded')
  if (width * height > maxPixels) throw unfit('has more than 100 megapixels')
  return { width, height }
}

/** @throws AppError 400 if the image would exceed the maximum side of its format */
export function assertFits(source: Size, options: ImageOptions): void {
  const { width, height } = planSize(source, options).result
  const longest = longestSides[options.format]
  if (Math.max(width, height) <= longest) return
  const message = `would be ${width} × ${height} pixels, and .${options.format} ends at ${longest}: ask for less, or for another format`
  throw AppError.invalid([{ path: 'format', code: 'range', message }])
}

/** The error for a file from which no image can be made. */
export const unfit = (message: string): AppError =>
  AppError.invalid([{ path: 'file', code: 'image', message }])
