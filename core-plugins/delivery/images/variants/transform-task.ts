import { writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { nativePackageProblem } from '../../../../kernel/index.ts'
import { openPicture, type Size } from '../../pictures/pictures.ts'
import { defaultQualities, type ImageOptions } from '../address/image-options.ts'
import { planSize } from './geometry.ts'

/** A transformation of an image. */
export interface Transform {
  /** Paths of the image, and of the output. */
  readonly source: string
  readonly target: string
  /** The size of the upright original, if the source is a smaller copy of it. */
  readonly original: Size | undefined
  readonly options: ImageOptions
  /** The time limit for decoding, scaling and encoding. */
  readonly seconds: number
}

/** The size in bytes, or why nothing was written. */
export type Transformed = { readonly size: number } | { readonly problem: 'broken' | 'slow' }

/** A higher effort takes much longer and saves little. */
const avifEffort = 3

/** Writes an image upright, in sRGB and without metadata; of several pictures the first. */
export default async function transform(asked: Transform): Promise<Transformed> {
  let content: Buffer
  try {
    content = await render(asked)
  } catch (error) {
    if (nativePackageProblem(error) !== undefined) throw error
    return { problem: error instanceof Error && error.message.startsWith('timeout') ? 'slow' : 'broken' }
  }
  await writeFile(asked.target, content)
  return { size: content.length }
}

async function render({ source, original, options, seconds }: Transform): Promise<Buffer> {
  const picture = await openPicture(source)
  const { scaled, cut, result } = planSize(original ?? picture, options)
  const image = picture
    .decode()
    .timeout({ seconds })
    .resize({ ...scaled, fit: 'fill' })
  if (options.fit === 'cover') image.extract({ ...cut, ...result })
  if (options.fit === 'contain') image.extend(bars(scaled, result, options))
  if (options.blur !== undefined) image.blur(options.blur)
  if (options.format === 'jpg') image.flatten({ background: '#fff' })
  return encode(image.toColorspace('srgb'), options).toBuffer()
}

function bars(scaled: Size, result: Size, { format }: ImageOptions) {
  const [across, down] = [result.width - scaled.width, result.height - scaled.height]
  const [left, top] = [Math.floor(across / 2), Math.floor(down / 2)]
  const background = { r: 255, g: 255, b: 255, alpha: format === 'jpg' ? 1 : 0 }
  return { left, right: across - left, top, bottom: down - top, background }
}

function encode(image: Sharp, { format, quality = defaultQualities[format] }: ImageOptions): Sharp {
  if (format === 'avif') return image.avif({ quality, effort: avifEffort })
  if (format === 'webp') return image.webp({ quality })
  return format === 'jpg' ? image.jpeg({ quality }) : image.png()
}
