/** Pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The most pixels of a picture that is decoded: more would need more memory than a thread should take. */
export const maxPixels = 100_000_000

/** The most pixels that a side of a WebP has. */
export const longestWebp = 16_383
