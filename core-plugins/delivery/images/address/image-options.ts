import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { longestWebp } from '../../pictures/pictures.ts'

/** The formats in which images can be made, which are also the extensions of their addresses. */
export const imageFormats = ['avif', 'webp', 'jpg', 'png'] as const
/** The formats that images are made in. */
export type ImageFormat = (typeof imageFormats)[number]

/**
 * How an image fits into a width and a height: `inside` them with its own aspect ratio; `contain`ed, with bars; `cover`ing
 * them, cropped around its focal point; or stretched to `fill` them.
 */
export const imageFits = ['inside', 'contain', 'cover', 'fill'] as const
/**
 * How an image fills the requested size: `inside` it, in a box of that size (`contain`), cropped to it (`cover`), or stretched
 * (`fill`).
 */
export type ImageFit = (typeof imageFits)[number]

/** In per cent of the upright image, from its left and top edge. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** Normalised options of an image: defaults and options without effect are left out, so that equal options mean equal images. */
export interface ImageOptions {
  /** Pixels. */
  readonly width: number | undefined
  readonly height: number | undefined
  readonly fit: ImageFit
  /** Undefined: the centre. */
  readonly focus: FocalPoint | undefined
  /** Undefined: the default of the format. */
  readonly quality: number | undefined
  /** The standard deviation, in pixels of the result. */
  readonly blur: number | undefined
  readonly format: ImageFormat
}

/** Requested options before validation. */
export type LooseOptions = Partial<{
  readonly [Name in keyof ImageOptions]: ImageOptions[Name] | undefined
}> &
  Pick<ImageOptions, 'format'>

export const defaultQualities: Readonly<Record<ImageFormat, number>> = { avif: 50, webp: 80, jpg: 80, png: 0 }

/** The minimum and maximum of each number. */
export const limits = {
  width: [1, 4_096],
  height: [1, 4_096],
  quality: [1, 95],
  blur: [1, 100],
} as const

/** The maximum side in pixels for each format, limited by the format or by the library that writes it. */
export const longestSides: Readonly<Record<ImageFormat, number>> = {
  avif: 16_384,
  webp: longestWebp,
  jpg: 65_500,
  png: 1_000_000,
}

/** All problems of the requested options, by option name. */
export function optionProblems(asked: LooseOptions): ErrorDetail[] {
  const problems: ErrorDetail[] = []
  for (const name of ['width', 'height', 'quality', 'blur'] as const) {
    const value = asked[name]
    const [least, most] = limits[name]
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue
    problems.push({ path: name, code: 'range', message: `must be a whole number from ${least} to ${most}` })
  }
  if (asked.focus !== undefined && !isPoint(asked.focus)) {
    problems.push({ path: 'focus', code: 'range', message: 'must be two whole numbers from 0 to 100' })
  }
  if (asked.width === undefined && asked.height === undefined) {
    problems.push({ path: 'width', code: 'required', message: 'is missing: give a width, a height or both' })
  }
  return problems
}

const isPoint = ({ x, y }: FocalPoint) =>
  [x, y].every((value) => Number.isInteger(value) && value >= 0 && value <= 100)

/** Removes options without effect; expects options without problems. */
export function normalise(asked: LooseOptions): ImageOptions {
  const { width, height, format, blur } = asked
  const fit = width === undefined || height === undefined ? 'inside' : (asked.fit ?? 'inside')
  const isCentre = asked.focus?.x === 50 && asked.focus.y === 50
  const hasQuality = format !== 'png' && asked.quality !== defaultQualities[format]
  return {
    ...{ width, height, fit, format, blur },
    focus: fit === 'cover' && !isCentre ? asked.focus : undefined,
    quality: hasQuality ? asked.quality : undefined,
  }
}

/** The canonical text of options, optionally with a signature: `w800-h450-cover-fp50x30-q75.avif`. */
export function spell(options: ImageOptions, signature?: string): string {
  const { width, height, fit, focus, quality, blur, format } = options
  const parts = [
    width && `w${width}`,
    height && `h${height}`,
    fit !== 'inside' && fit,
    focus && `fp${focus.x}x${focus.y}`,
    quality && `q${quality}`,
    blur && `blur${blur}`,
    signature && `s${signature}`,
  ]
  return `${parts.filter(Boolean).join('-')}.${format}`
}
