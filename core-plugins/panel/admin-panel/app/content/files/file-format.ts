import type { MediaFile } from '../../../../../../client/client.ts'

/** `1600 × 900`; empty for what is not an image. */
export function formatDimensions({ width, height }: Pick<MediaFile, 'width' | 'height'>): string {
  return width === null || height === null ? '' : `${width} × ${height}`
}

/** `PNG`: the ending of the name, which says more to people than the media type. */
export function endingOf(name: string): string {
  const ending = /\.([^.]{1,8})$/.exec(name)?.[1]
  return ending === undefined ? '' : ending.toUpperCase()
}
