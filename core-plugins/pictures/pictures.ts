import sharp, { type Sharp } from 'sharp'
import type { Size } from './size.ts'

export { svgSize } from './svg-size.ts'

/** A picture as a browser shows it. Its size is that of the upright picture, as its header says. */
export interface Picture extends Size {
  /** Its pixels, upright; of several pictures the first. Where a file ends too early, as far as they are there. */
  decode(): Sharp
}

/** Larger ones would need more memory than a thread should take. */
export const maxPixels = 100_000_000

// Several tasks run at once, each on a thread of its own, and no picture is decoded twice.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Reads the header of a picture, however many pixels it declares; for worker threads.
 * @throws where that cannot be read
 */
export async function openPicture(path: string): Promise<Picture> {
  // Browsers show a picture that lacks its end, and one that breaks a rule without need.
  const failOn = 'none'
  const { width, height } = (await sharp(path, { failOn, limitInputPixels: false }).metadata()).autoOrient
  const input = { failOn, limitInputPixels: maxPixels, sequentialRead: true } as const
  return { width, height, decode: () => sharp(path, input).autoOrient() }
}
