import { writeFile } from 'node:fs/promises'
import sharp, { type CreateRaw } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

export interface ImageToScale {
  readonly path: string
  /** SVGs scale by themselves. */
  readonly isVector: boolean
  /** Widths in pixels by name. */
  readonly widths: Readonly<Record<string, number>>
  /** Where to write the thumbnails, by name. */
  readonly paths: Readonly<Record<string, string>>
}

/** An image as a browser shows it, upright, and the thumbnails that were written. */
export interface ScaledImage {
  /** Pixels; null if the image is broken. */
  readonly width: number | null
  readonly height: number | null
  readonly thumbnails: readonly Thumbnail[]
  /** A ThumbHash in base64; null for what is not scaled. */
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

/** Larger images are stored without formats; see docs/media.md. */
const maxPixels = 100_000_000

const quality = 80
const decodingSeconds = 30

/** The most that a ThumbHash takes, in pixels. */
const placeholderSide = 100

const broken: ScaledImage = { width: null, height: null, thumbnails: [], placeholder: null }

// Several tasks run at once, each on a thread of its own, and no image is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/** Measures an image and writes its thumbnails. A broken one has no size and no thumbnails. */
export default async function scale(image: ImageToScale): Promise<ScaledImage> {
  const size = await measure(image.path)
  if (size === undefined) return broken
  const isScaled = !image.isVector && size.width * size.height <= maxPixels
  // The header may be readable and the rest broken: such an image is stored all the same (docs/media.md).
  if (!isScaled) return { ...size, thumbnails: [], placeholder: null }
  const rendered = await render(image, size.width).catch(() => undefined)
  if (rendered === undefined) return broken
  const thumbnails: Thumbnail[] = []
  for (const { content, ...thumbnail } of rendered.thumbnails) {
    await writeFile(thumbnail.path, content)
    thumbnails.push({ ...thumbnail, size: content.length })
  }
  return { ...size, thumbnails, placeholder: rendered.placeholder }
}

async function measure(path: string) {
  try {
    // Only the header is read here, however many pixels it declares.
    const { autoOrient } = await sharp(path, { limitInputPixels: false }).metadata()
    return { width: autoOrient.width, height: autoOrient.height }
  } catch {
    return undefined
  }
}

interface RenderedThumbnail extends Omit<Thumbnail, 'size'> {
  readonly content: Buffer
}

async function render({ path, widths, paths }: ImageToScale, width: number) {
  const wanted = Object.entries(widths)
    .filter(([, wantedWidth]) => wantedWidth < width)
    .sort(([, left], [, right]) => right - left)
  const largest = wanted[0]?.[1] ?? Math.min(width, placeholderSide)
  // Decoded once, then scaled down step by step from the largest: decoding takes most of the time.
  const { data, info } = await sharp(path, { limitInputPixels: maxPixels, sequentialRead: true })
    .autoOrient()
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
