import type { Picture } from './picture.ts'

export { type Box, boxesIn, boxesOfFile } from './boxes.ts'
export { headerSize } from './header-size.ts'
export type { Picture } from './picture.ts'
export { longestWebp, maxPixels, type Size } from './size.ts'
export { svgSize } from './svg-size.ts'

/**
 * Reads the header of a picture of any size. For worker threads, since only they should load sharp.
 * @throws if the header cannot be read
 */
export async function openPicture(path: string): Promise<Picture> {
  const { open } = await import('./open-picture.ts')
  return open(path)
}
