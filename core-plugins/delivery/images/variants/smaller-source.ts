import type { Size } from '../../pictures/pictures.ts'
import { defaultQualities, type ImageOptions } from '../address/image-options.ts'
import { parseVariant } from '../address/parse-variant.ts'
import { planSize } from './geometry.ts'
import type { VariantName } from './variant-store.ts'

/** The minimum scale of a copy relative to the result, so that its compression artefacts are invisible. */
const enough = 1.5

/**
 * The smallest existing copy of an image that can replace the original as the source, since decoding a hundred megapixels
 * takes seconds. Undefined if there is none.
 */
export function smallerSource<Made extends Pick<VariantName, 'ops'>>(
  made: readonly Made[],
  original: Size,
  options: ImageOptions,
): Made | undefined {
  // A higher quality than that of copies requires the original.
  if (options.format === 'png' || (options.quality ?? 0) > defaultQualities.webp) return undefined
  const needed = planSize(original, options).scaled.width * enough
  const widths = made.map((copy) => ({ copy, width: widthOf(copy.ops, original, options) }))
  const fit = widths.filter(({ width }) => width >= needed && width < original.width)
  return fit.sort((left, right) => left.width - right.width)[0]?.copy
}

/** The width of a copy that shows the whole image; 0 for other copies. */
function widthOf(ops: string, original: Size, { format }: ImageOptions): number {
  const parsed = parseVariant(ops)
  if (parsed.kind !== 'options') return 0
  const copy = parsed.options
  const isWhole = copy.fit === 'inside' && copy.blur === undefined && copy.quality === undefined
  // A JPEG has lost the transparency.
  if (!isWhole || (copy.format === 'jpg' && format !== 'jpg')) return 0
  return planSize(original, copy).result.width
}
