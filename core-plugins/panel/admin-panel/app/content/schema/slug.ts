import type { DescribedAttribute, DescribedType } from '../../ground/api/content-types.ts'
import type { Derived } from './derived.ts'
import { isSlug } from './field-kinds.ts'

/** Letters that Unicode does not decompose into a base letter and a mark. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
}

/** Makes a slug: `Über uns!` becomes `uber-uns`. Letters of other scripts stay. */
export function slugify(text: unknown): string {
  if (typeof text !== 'string') return ''
  return text
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => spelledOut[letter] ?? letter)
    .normalize('NFKD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}

/** The field that a slug is derived from: `pluginOptions.panel.from`, else the title field. */
export function slugSourceOf({ pluginOptions }: DescribedAttribute, titleField: string): string {
  const { from } = (pluginOptions?.panel ?? {}) as { readonly from?: unknown }
  return typeof from === 'string' ? from : titleField
}

/** The slug fields of a type, which are derived in new entries. */
export const slugsOf = ({ attributes, titleField }: DescribedType): readonly Derived[] =>
  attributes
    .filter(isSlug)
    .map((attribute) => ({
      source: slugSourceOf(attribute, titleField),
      target: attribute.name,
      derive: slugify,
    }))
    .filter(({ source, target }) => source !== target)
