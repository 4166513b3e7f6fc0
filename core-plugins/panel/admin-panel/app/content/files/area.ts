import type { MediaArea, MediaFile } from '../../../../../../client/client.ts'

/** A point in an image as fractions (0 to 1) of its width and height, from the top left. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The size of an image in pixels. */
export type ImageSize = Readonly<Record<'width' | 'height', number>>

const share = (value: number) => Math.min(1, Math.max(0, value))

/** The position of a pointer within a box, clamped to its edges and rounded to a sensible precision. */
export function pointIn(
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): Point {
  const round = (value: number) => Math.round(share(value) * 10_000) / 10_000
  return { x: round((clientX - box.left) / box.width), y: round((clientY - box.top) / box.height) }
}

/** The focal point of a file; undefined if none is set. */
export function focalPointOf({ focalX, focalY }: Pick<MediaFile, 'focalX' | 'focalY'>): Point | undefined {
  return focalX === null || focalY === null ? undefined : { x: Number(focalX), y: Number(focalY) }
}

/** For `object-position`: what stays visible when the image is cut. */
export const positionOf = ({ x, y }: Point): string => `${x * 100}% ${y * 100}%`

/** The area between two points in pixels, at least one pixel wide and high. */
export function areaBetween(one: Point, other: Point, { width, height }: ImageSize): MediaArea {
  const x = Math.min(width - 1, Math.round(Math.min(one.x, other.x) * width))
  const y = Math.min(height - 1, Math.round(Math.min(one.y, other.y) * height))
  const right = Math.round(Math.max(one.x, other.x) * width)
  const bottom = Math.round(Math.max(one.y, other.y) * height)
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) }
}

/** Parses four typed numbers as an area of the image; undefined if they are not valid. */
export function readArea(
  typed: Readonly<Record<keyof MediaArea, string>>,
  { width, height }: ImageSize,
): MediaArea | undefined {
  const area = {
    x: Number(typed.x),
    y: Number(typed.y),
    width: Number(typed.width),
    height: Number(typed.height),
  }
  const isWhole = Object.entries(typed).every(([, text]) => /^\d{1,7}$/.test(text.trim()))
  const fits = area.x + area.width <= width && area.y + area.height <= height
  return isWhole && fits && area.width > 0 && area.height > 0 ? area : undefined
}
