import type { Size } from '../../pictures/pictures.ts'
import type { FocalPoint, ImageFit } from '../address/image-options.ts'

/** The requested size. If one side is missing, it follows from the other. */
export interface WantedSize {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly fit: ImageFit
  readonly focus: FocalPoint | undefined
}

/** How an image is transformed to its size: scaled, then cropped or centred in an empty area. */
export interface Geometry {
  readonly scaled: Size
  /** The offset of the result in the scaled image. */
  readonly cut: { readonly left: number; readonly top: number }
  readonly result: Size
}

/** Plans the transformation. Images are never enlarged: if the image is too small, the requested size shrinks proportionally. */
export function planSize(source: Size, { width, height, fit, focus }: WantedSize): Geometry {
  const byWidth = (width ?? Number.POSITIVE_INFINITY) / source.width
  const byHeight = (height ?? Number.POSITIVE_INFINITY) / source.height
  const keepsAll = fit === 'inside' || fit === 'contain'
  const wanted = keepsAll ? Math.min(byWidth, byHeight) : Math.max(byWidth, byHeight)
  const scale = Math.min(wanted, 1)
  const whole = sized(source.width * scale, source.height * scale)
  if (width === undefined || height === undefined || fit === 'inside') return plain(whole)
  const box = sized((width * scale) / wanted, (height * scale) / wanted)
  if (fit === 'fill') return plain(box)
  if (fit === 'contain') return { scaled: atMost(whole, box), cut: { left: 0, top: 0 }, result: box }
  const scaled = { width: Math.max(whole.width, box.width), height: Math.max(whole.height, box.height) }
  const { x, y } = focus ?? { x: 50, y: 50 }
  const cut = {
    left: startOf(scaled.width, box.width, x),
    top: startOf(scaled.height, box.height, y),
  }
  return { scaled, cut, result: box }
}

const plain = (size: Size): Geometry => ({ scaled: size, cut: { left: 0, top: 0 }, result: size })

const sized = (width: number, height: number): Size => ({
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})

const atMost = (size: Size, box: Size): Size => ({
  width: Math.min(size.width, box.width),
  height: Math.min(size.height, box.height),
})

/** The start of a part whose middle is as close to a point as possible. */
function startOf(whole: number, part: number, percent: number): number {
  const wanted = Math.round((whole * percent) / 100 - part / 2)
  return Math.min(Math.max(wanted, 0), whole - part)
}
