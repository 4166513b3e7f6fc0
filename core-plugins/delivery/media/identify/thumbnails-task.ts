import { writeFile } from 'node:fs/promises'
import sharp, { type CreateRaw } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import {
  headerSize,
  longestWebp,
  maxPixels,
  openPicture,
  type Picture,
  svgSize,
} from '../../pictures/pictures.ts'

export interface ImageToScale {
  readonly path: string
  /** SVGs need no thumbnails. */
  readonly isVector: boolean
  /** Widths in pixels by name. */
  readonly widths: Readonly<Record<string, number>>
  /** Where to write the thumbnails, by name. */
  readonly paths: Readonly<Record<string, string>>
}

/** The size of an image as a browser shows it (upright), and the thumbnails that were written. */
export interface ScaledImage {
  /** Pixels; null if the header cannot be read. */
  readonly width: number | null
  readonly height: number | null
  readonly thumbnails: readonly Thumbnail[]
  /** A ThumbHash in base64; null if the image is not scaled. */
  readonly placeholder: string | null
}

export interface Thumbnail {
  readonly name: string
  readonly path: string
  /** Pixels. */
  readonly width: number
  /** Bytes. */
  readonly size: number
}

const quality = 80
const decodingSeconds = 30

/** The maximum side of an image for a ThumbHash, in pixels. */
const placeholderSide = 100

const unreadable: ScaledImage = { width: null, height: null, thumbnails: [], placeholder: null }

/**
 * Measures an image and writes its thumbnails. Images that cannot be decoded get no thumbnails, and without a readable header
 * no size either.
 */
export default async function scale(image: ImageToScale): Promise<ScaledImage> {
  if (image.isVector) return { ...unreadable, ...(await svgSize(image.path)) }
  const picture = await openPicture(image.path).catch(() => undefined)
  if (picture === undefined) return { ...unreadable, ...(await headerSize(image.path)) }
  const { width, height } = picture
  const rendered =
    width * height <= maxPixels ? await render(image, picture).catch(() => undefined) : undefined
  const thumbnails: Thumbnail[] = []
  for (const { content, ...thumbnail } of rendered?.thumbnails ?? []) {
    await writeFile(thumbnail.path, content)
    thumbnails.push({ ...thumbnail, size: content.length })
  }
  return { width, height, thumbnails, placeholder: rendered?.placeholder ?? null }
}

interface RenderedThumbnail extends Omit<Thumbnail, 'size'> {
  readonly content: Buffer
}

async function render({ widths, paths }: ImageToScale, { width, height, decode }: Picture) {
  const wanted = Object.entries(widths)
    .filter(([, wantedWidth]) => wantedWidth < width && (wantedWidth / width) * height < longestWebp + 0.5)
    .sort(([, left], [, right]) => right - left)
  const largest = wanted[0]?.[1] ?? Math.min(width, placeholderSide)
  // Decoded once, then scaled down step by step, largest first, since decoding takes most of the time.
  const { data, info } = await decode()
    .resize({ width: largest })
    .timeout({ seconds: decodingSeconds })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const thumbnails: RenderedThumbnail[] = []
  for (const [name, thumbnailWidth] of wanted) {
    const { data: content, info } = await sharp(data, { raw })
      .resize({ width: thumbnailWidth })
      .webp({ quality })
      .toBuffer({ resolveWithObject: true })
    thumbnails.push({ name, path: paths[name] ?? '', width: info.width, content })
  }
  return { thumbnails: thumbnails.reverse(), placeholder: await placeholderOf(data, raw) }
}

async function placeholderOf(data: Buffer, raw: CreateRaw): Promise<string> {
  const { data: pixels, info } = await sharp(data, { raw })
    .resize({ width: placeholderSide, height: placeholderSide, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, pixels)).toString('base64')
}
