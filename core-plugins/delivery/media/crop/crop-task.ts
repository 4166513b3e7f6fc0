import { stat } from 'node:fs/promises'
import { openPicture } from '../../pictures/pictures.ts'

/** A rectangle in pixels of the upright image. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ImageToCrop {
  /** Path of the image. */
  readonly source: string
  /** Path to which the crop is written. */
  readonly target: string
  readonly area: Area
  readonly format: 'jpeg' | 'png' | 'webp'
}

// High, since the crop is stored and scaled down again.
const quality = 92

/** Writes a part of an image, upright and without metadata. Returns its size in bytes, or undefined if the image is broken. */
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
