import sharp, { type Metadata, type Sharp } from 'sharp'
import type { Picture } from './picture.ts'
import { maxPixels, type Size } from './size.ts'
import { sourceOf } from './source.ts'

/** Like browsers, decodes truncated pictures, and pictures with other errors as far as possible. */
const failOn = 'none'

// Several tasks run at once, each on its own thread, and no picture is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/** See `openPicture` in pictures.ts. */
export async function open(path: string): Promise<Picture> {
  const { input, isPremultiplied } = await sourceOf(path)
  const header = await sharp(input, { failOn, limitInputPixels: false }).metadata()
  const { width, height } = header.autoOrient
  const options = { failOn, limitInputPixels: maxPixels, sequentialRead: true } as const
  const plain = () => {
    const picture = sharp(input, options)
    // For 16 bits and a profile, sharp would convert to Display P3 and still report sRGB.
    if (header.depth === 'ushort' && header.hasProfile && !isGrey(header)) picture.pipelineColourspace('srgb')
    return picture.autoOrient()
  }
  const isSmall = width * height <= maxPixels
  const decode = isPremultiplied && isSmall ? await dividedByAlpha(plain(), { width, height }) : plain
  return { width, height, decode }
}

const isGrey = ({ channels }: Metadata) => channels < 3

/** Divides the colours of a premultiplied picture by its alpha. */
async function dividedByAlpha(picture: Sharp, { width, height }: Size): Promise<() => Sharp> {
  const create = { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
  const layer = await picture.toColorspace('srgb').ensureAlpha().raw().toBuffer()
  const raw = { width, height, channels: 4 } as const
  const input = await sharp({ create, limitInputPixels: maxPixels })
    .composite([{ input: layer, raw, premultiplied: true }])
    .raw()
    .toBuffer()
  return () => sharp(input, { raw, limitInputPixels: maxPixels })
}
