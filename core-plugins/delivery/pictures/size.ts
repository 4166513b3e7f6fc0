/** A size in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The maximum number of pixels that are decoded, since more would use too much memory per thread. */
export const maxPixels = 100_000_000

/** The maximum side of a WebP in pixels. */
export const longestWebp = 16_383
