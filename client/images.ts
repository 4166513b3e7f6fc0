import { absoluteAddress } from './file-address.ts'

/** The properties of a file that the addresses of its sizes depend on; every `MediaFile` has them. */
export interface ImageSource {
  readonly url: string
  readonly mimeType: string
  readonly width: number | null
  readonly focalX: number | string | null
  readonly focalY: number | string | null
}

/** The formats that images are made in. */
export type ImageFormat = 'avif' | 'webp' | 'jpg' | 'png'
/** How an image fills the size that is asked for: `inside` it, in a box of it (`contain`), cut to it (`cover`), or stretched (`fill`). */
export type ImageFit = 'inside' | 'contain' | 'cover' | 'fill'

/** What addresses of images depend on besides the image. */
export interface ImageAddressOptions {
  /** The address of the service, `cms.url`: for pages on another origin than that of the service. */
  readonly service?: string
}

/** An image at another size; nothing is enlarged. */
export interface ImageOptions {
  /** Pixels, 1 to 4096. */
  readonly width?: number
  readonly height?: number
  /** Into a width and a height; `cover` cuts around the focal point. Default: inside. */
  readonly fit?: ImageFit
  /** Default: webp. */
  readonly format?: ImageFormat
  /** 1 to 95. */
  readonly quality?: number
  /** Pixels, 1 to 100. */
  readonly blur?: number
  /** A preset of the service, instead of everything but the format. */
  readonly preset?: string
}

/** Widths that everybody may ask for. */
const ladder = [16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840]
const smallestOfPages = 256

const defaultQualities: Readonly<Record<ImageFormat, number>> = { avif: 50, webp: 80, jpg: 80, png: 0 }

/**
 * The address of an image at another size, and that of the file itself where it has no sizes, such as an SVG. A width alone
 * becomes the next one of the ladder. Other options must be those of a preset, as they would need a signature, which only
 * the service can make: `client.media.imageUrl`.
 */
export function imageUrl(media: ImageSource, options: ImageOptions & ImageAddressOptions): string {
  const url = absoluteAddress(media.url, (options.service ?? '').replace(/\/+$/, ''))
  return hasSizes(media) ? `${url}/${nameOf(media, options)}` : url
}

/** The last part of the address. */
function nameOf(media: ImageSource, { preset, format = 'webp', ...options }: ImageOptions): string {
  if (preset !== undefined) return `p-${preset}.${format}`
  const { width, height, quality, blur } = options
  const isPlain = height === undefined && quality === undefined && blur === undefined && format !== 'png'
  if (isPlain && width !== undefined) return `w${stepOf(width)}.${format}`
  return `${spell(media, { ...options, format })}.${format}`
}

export interface SrcsetOptions extends ImageAddressOptions {
  readonly widths?: readonly number[]
  readonly format?: ImageFormat
}

/**
 * For the `srcset` of an `<img>` or `<source>`, whose `sizes` say how wide it is shown; empty for what has no sizes.
 * `widths` are rounded up to the ladder; default: all of it from 256 pixels on, up to the width of the image.
 */
export function srcset(
  media: ImageSource,
  { widths, format = 'webp', ...address }: SrcsetOptions = {},
): string {
  if (!hasSizes(media)) return ''
  const wanted = widths ?? ladder.filter((step) => step >= smallestOfPages)
  const steps = [...new Set(wanted.map(stepOf))].sort((left, right) => left - right)
  // The first that is as wide as the image is the image; all others would be the same.
  const whole = steps.findIndex((step) => step >= media.width)
  const useful = whole === -1 ? steps : steps.slice(0, whole + 1)
  return useful
    .map((step) => `${imageUrl(media, { ...address, width: step, format })} ${Math.min(step, media.width)}w`)
    .join(', ')
}

function hasSizes<Media extends ImageSource>(media: Media): media is Media & { readonly width: number } {
  return media.mimeType.startsWith('image/') && media.mimeType !== 'image/svg+xml' && media.width !== null
}

const stepOf = (width: number) => ladder.find((step) => step >= width) ?? 3840

/** As the service spells it, which spares a redirect. */
function spell(media: ImageSource, options: ImageOptions & { readonly format: ImageFormat }): string {
  const { width, height, format, quality, blur } = options
  const fit = width === undefined || height === undefined ? 'inside' : (options.fit ?? 'inside')
  const parts = [
    width && `w${width}`,
    height && `h${height}`,
    fit !== 'inside' && fit,
    fit === 'cover' && focusOf(media),
    quality !== defaultQualities[format] && format !== 'png' && quality && `q${quality}`,
    blur && `blur${blur}`,
  ]
  return parts.filter(Boolean).join('-')
}

/** Undefined for the centre. */
function focusOf({ focalX, focalY }: ImageSource): string | undefined {
  if (focalX === null || focalY === null) return undefined
  const [x, y] = [focalX, focalY].map((share) => Math.round(Number(share) * 100))
  return x === 50 && y === 50 ? undefined : `fp${x}x${y}`
}
