import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type FocalPoint,
  type ImageFit,
  type ImageFormat,
  type ImageOptions,
  imageFits,
  imageFormats,
  type LooseOptions,
  normalise,
  optionProblems,
} from './image-options.ts'

/** The parsed last segment of an image's address. */
export type ParsedVariant =
  | { readonly kind: 'preset'; readonly name: string; readonly format: ImageFormat }
  | {
      readonly kind: 'options'
      readonly options: ImageOptions
      /** Not yet verified; undefined if there is none. */
      readonly signature: string | undefined
    }

/** Longer than a text with all options. */
const maxLength = 120

export const presetName = /^[a-z][a-z0-9_]{0,31}$/

const signaturePart = /(?:^|-)s([\w-]{16})$/
const presetPart = /^p-(.*)$/
const numberPart = /^(w|h|q|blur)([1-9]\d{0,9})$/
const focusPart = /^fp(0|[1-9]\d{0,9})x(0|[1-9]\d{0,9})$/

const numberNames = { w: 'width', h: 'height', q: 'quality', blur: 'blur' } as const

/** Parses `w640.webp`, `p-hero.avif` or `w800-h450-cover-s….jpg`. @throws AppError 400 with all problems */
export function parseVariant(text: string): ParsedVariant {
  const dot = text.lastIndexOf('.')
  const format = formatOf(dot === -1 ? '' : text.slice(dot + 1))
  const stem = text.slice(0, Math.max(dot, 0))
  if (text.length > maxLength) throw invalid([{ ...unknown(text), message: 'is too long for an image' }])
  const preset = presetPart.exec(stem)?.[1]
  if (preset !== undefined && format !== undefined) return { kind: 'preset', name: preset, format }
  const signature = signaturePart.exec(stem)?.[1]
  const parts = stem.replace(signaturePart, '').split('-')
  const problems: ErrorDetail[] = []
  if (format === undefined) {
    const message = `must end in one of ${imageFormats.map((each) => `.${each}`).join(', ')}`
    problems.push({ path: 'format', code: 'format', message })
  }
  const asked = { ...readParts(parts, problems), format: format ?? 'webp' }
  if (problems.length === 0) problems.push(...optionProblems(asked))
  if (problems.length > 0) throw invalid(problems)
  return { kind: 'options', options: normalise(asked), signature }
}

function formatOf(extension: string): ImageFormat | undefined {
  if (extension === 'jpeg') return 'jpg'
  return imageFormats.find((format) => format === extension)
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }
type Options = Mutable<Omit<LooseOptions, 'format'>>

function readParts(parts: readonly string[], problems: ErrorDetail[]): Options {
  const options: Options = {}
  for (const part of parts) {
    const found = readPart(part)
    if (found === undefined) problems.push(unknown(part))
    else if (Object.hasOwn(options, found.name))
      problems.push({ path: found.name, code: 'twice', message: 'is there twice' })
    else Object.assign(options, { [found.name]: found.value })
  }
  return options
}

function readPart(
  part: string,
): { readonly name: keyof Options; readonly value: number | ImageFit | FocalPoint } | undefined {
  const [, letter, digits] = numberPart.exec(part) ?? []
  if (letter !== undefined) {
    return { name: numberNames[letter as keyof typeof numberNames], value: Number(digits) }
  }
  const [, x, y] = focusPart.exec(part) ?? []
  if (x !== undefined) return { name: 'focus', value: { x: Number(x), y: Number(y) } }
  const fit = imageFits.find((each) => each === part)
  return fit === undefined ? undefined : { name: 'fit', value: fit }
}

const unknown = (part: string): ErrorDetail => ({
  path: 'options',
  code: 'unknown',
  message: `has ${JSON.stringify(part.slice(0, 40))}, which is no option of an image`,
})

function invalid(problems: readonly ErrorDetail[]): AppError {
  return AppError.invalid(problems.slice(0, 10))
}
