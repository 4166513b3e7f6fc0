import { stat } from 'node:fs/promises'
import { openPicture } from '../../pictures/pictures.ts'

/** In pixels of the upright image. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ImageToCrop {
  /** Path of the image. */
  readonly source: string
  /** Where the part is written. */
  readonly target: string
  readonly area: Area
  readonly format: 'jpeg' | 'png' | 'webp'
}

// The part is made to be kept and scaled down again.
const quality = 92

/** Writes a part of an image, upright and without metadata; answers its bytes, or undefined if the image is broken. */
export default async function crop({
  source,
  target,
  area,
  format,
}: ImageToCrop): Promise<number | undefined> {
  const { x: left, y: top, width, height } = area
  try {
    await (await openPicture(source))
      .decode()
      .extract({ left, top, width, height })
      .toColorspace('srgb')
      .toFormat(format, format === 'png' ? {} : { quality })
      .toFile(target)
  } catch {
    return undefined
  }
  return (await stat(target)).size
}
