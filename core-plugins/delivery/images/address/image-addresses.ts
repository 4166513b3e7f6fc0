import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../foundation/http/http.ts'
import {
  type FocalPoint,
  type ImageFit,
  type ImageFormat,
  type ImageOptions,
  normalise,
  optionProblems,
  spell,
} from './image-options.ts'
import type { Presets } from './presets.ts'

/** Widths that are allowed without a signature. */
export const ladder: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840,
]

/** Formats that are allowed without a signature; a PNG would be as large as the original file. */
const freeFormats: readonly ImageFormat[] = ['avif', 'webp', 'jpg']

/** 96 bits. */
const signatureLength = 16

/** The image that a caller requests. */
export interface ImageRequest {
  /** Pixels, 1 to 4096. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Default: inside. */
  readonly fit?: ImageFit | undefined
  /** Default: webp. */
  readonly format?: ImageFormat | undefined
  /** 1 to 95. */
  readonly quality?: number | undefined
  /** Pixels, 1 to 100. */
  readonly blur?: number | undefined
  /** The name of a preset; replaces all other options except the format. */
  readonly preset?: string | undefined
}

/** The properties of a media record that its image addresses depend on. */
export interface AddressedFile {
  readonly filename: string
  /** As fractions of width and height; null for the centre. */
  readonly focalX: number | string | null
  readonly focalY: number | string | null
}

/**
 * What permits the options of an address: a signature (any options), a preset, or a width of the ladder; undefined if nothing
 * does.
 */
export type Permit = 'signature' | 'preset' | 'ladder' | undefined

/** Decides about addresses of images, and makes them. */
export interface ImageAddresses {
  /** @throws AppError 400 for a signature that does not belong to this file and these options */
  permitOf(file: string, options: ImageOptions, signature: string | undefined): Permit
  /** The address of options below the storage's address of the file, signed where they are not free. */
  nameOf(file: string, options: ImageOptions): string
  /** What a request stands for, for one file. @throws AppError 400 with all problems */
  optionsOf(file: AddressedFile, request: ImageRequest): ImageOptions
  /** Whether everybody may ask for it. */
  isFree(options: ImageOptions): boolean
  /** @throws AppError 400 if there is no such preset */
  presetOf(name: string, format: ImageFormat, focus: FocalPoint | undefined): ImageOptions
}

/** `presets` returns the current ones; `key` signs. */
export function createImageAddresses(key: Uint8Array, presets: () => Presets): ImageAddresses {
  const sign = (file: string, options: ImageOptions) =>
    createHmac('sha256', key)
      .update(`${file}/${spell(options)}`)
      .digest('base64url')
      .slice(0, signatureLength)

  function freedomOf(options: ImageOptions): Permit {
    if (isOfLadder(options)) return 'ladder'
    return presets().has(options) ? 'preset' : undefined
  }

  const presetOf: ImageAddresses['presetOf'] = (name, format, focus) => {
    const found = presets().find(name, format)
    if (found !== undefined) return normalise({ ...found, focus })
    throw AppError.invalid([{ path: 'preset', code: 'unknown', message: 'is none of images.presets' }])
  }

  return {
    permitOf(file, options, signature) {
      const freedom = freedomOf(options)
      if (signature === undefined || freedom === 'ladder') return freedom
      if (isEqual(sign(file, options), signature)) return 'signature'
      const message = 'is not that of this file and these options'
      throw AppError.invalid([{ path: 'signature', code: 'signature', message }])
    },
    nameOf: (file, options) =>
      spell(options, freedomOf(options) === undefined ? sign(file, options) : undefined),
    isFree: (options) => freedomOf(options) !== undefined,
    presetOf,
    optionsOf(file, { preset, format = 'webp', ...request }) {
      const focus = focusOf(file)
      if (preset === undefined) {
        const problems = optionProblems({ ...request, format })
        if (problems.length > 0) throw AppError.invalid(problems)
        return normalise({ ...request, format, focus })
      }
      if (Object.values(request).every((value) => value === undefined)) return presetOf(preset, format, focus)
      const message = 'stands for all options but the format: leave the others out'
      throw AppError.invalid([{ path: 'preset', code: 'alone', message }])
    },
  }
}

/** The focal point of a file in per cent; undefined for the centre. */
export function focusOf({
  focalX,
  focalY,
}: Pick<AddressedFile, 'focalX' | 'focalY'>): FocalPoint | undefined {
  if (focalX === null || focalY === null) return undefined
  return { x: Math.round(Number(focalX) * 100), y: Math.round(Number(focalY) * 100) }
}

function isOfLadder({ width, height, quality, blur, format }: ImageOptions): boolean {
  if (width === undefined || height !== undefined || quality !== undefined || blur !== undefined) return false
  return ladder.includes(width) && freeFormats.includes(format)
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}
