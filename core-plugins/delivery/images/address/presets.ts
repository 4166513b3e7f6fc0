import { AppError } from '../../../foundation/http/http.ts'
import { type ImageFormat, type ImageOptions, imageFormats, normalise, spell } from './image-options.ts'
import { parseVariant, presetName } from './parse-variant.ts'

/** Named options defined by operators, which need no signature. */
export interface Presets {
  /** Undefined if the preset does not exist. The options have the centre as focal point. */
  find(name: string, format: ImageFormat): ImageOptions | undefined
  /** Whether the options equal those of a preset, ignoring the focal point. */
  has(options: ImageOptions): boolean
}

/** Parses `hero=w800-h450-cover-q75`. @throws AppError 400 with the problem */
export function readPreset(text: string): { readonly name: string; readonly options: ImageOptions } {
  const equals = text.indexOf('=')
  const name = text.slice(0, Math.max(equals, 0))
  const written = text.slice(equals + 1)
  if (!presetName.test(name)) {
    const message = 'must be name=options, with a name of small letters, digits and _'
    throw AppError.invalid([{ path: 'presets', code: 'format', message }])
  }
  // Parsed for two formats, since a quality that is the default of one is not the default of the other.
  const [avif, webp] = [parseVariant(`${written}.avif`), parseVariant(`${written}.webp`)]
  if (avif.kind !== 'options' || webp.kind !== 'options' || webp.signature !== undefined) {
    throw AppError.invalid([
      { path: name, code: 'format', message: 'must be options such as w800-h450-cover' },
    ])
  }
  if (webp.options.focus !== undefined) {
    const message = 'takes the focal point of each image, and none of its own'
    throw AppError.invalid([{ path: name, code: 'focus', message }])
  }
  return { name, options: { ...webp.options, quality: avif.options.quality ?? webp.options.quality } }
}

/** Expects the value of a validated setting. */
export function createPresets(written: readonly string[]): Presets {
  const options = new Map(written.map(readPreset).map((preset) => [preset.name, preset.options]))
  const inFormat = (preset: ImageOptions, format: ImageFormat) => normalise({ ...preset, format })
  const spelled = new Set(
    [...options.values()].flatMap((preset) => imageFormats.map((format) => spell(inFormat(preset, format)))),
  )
  return {
    find(name, format) {
      const preset = options.get(name)
      return preset && inFormat(preset, format)
    },
    has: (asked) => spelled.has(spell({ ...asked, focus: undefined })),
  }
}
