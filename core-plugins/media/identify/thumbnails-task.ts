import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'

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

// Several tasks run at once, each on a thread of its own, and no image is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/** Measures an image and writes its thumbnails. A broken one has no size and no thumbnails. */
export default async function scale(image: ImageToScale): Promise<ScaledImage> {
  const size = await measure(image.path)
  if (size === undefined) return { width: null, height: null, thumbnails: [] }
  const isScaled = !image.isVector && size.width * size.height <= maxPixels
  // The header may be readable and the rest broken: such an image is stored all the same (docs/media.md).
  const rendered = isScaled ? await render(image, size.width).catch(() => undefined) : []
  if (rendered === undefined) return { width: null, height: null, thumbnails: [] }
  const thumbnails: Thumbnail[] = []
  for (const { content, ...thumbnail } of rendered) {
    await writeFile(thumbnail.path, content)
    thumbnails.push({ ...thumbnail, size: content.length })
  }
  return { ...size, thumbnails }
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

async function render({ path, widths, paths }: ImageToScale, width: number): Promise<RenderedThumbnail[]> {
  const wanted = Object.entries(widths)
    .filter(([, wantedWidth]) => wantedWidth < width)
    .sort(([, left], [, right]) => right - left)
  const [largest] = wanted
  if (largest === undefined) return []
  // Decoded once, then scaled down step by step from the largest: decoding takes most of the time.
  const { data, info } = await sharp(path, { limitInputPixels: maxPixels, sequentialRead: true })
    .autoOrient()
    .resize({ width: largest[1] })
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
  return thumbnails.reverse()
}
