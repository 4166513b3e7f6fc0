import type { DescribedAttribute, DescribedType } from '../api/content-types.ts'
import type { ValuePath } from '../entry/store/value-path.ts'
import { panelOptionsOf } from './registry.ts'

/** What a field is called: as its schema says, else its name in words: `metaTitle` is `Meta title`. */
export function labelOf(attribute: Pick<DescribedAttribute, 'name' | 'pluginOptions'>): string {
  return panelOptionsOf(attribute).label ?? wordsOf(attribute.name)
}

/** A place in an entry, in words: `blocks.0.metaTitle` is `Blocks › 1 › Meta title`, since people count from one. */
export function wordsOfPath(path: ValuePath, { attributes }: DescribedType): string {
  const [top = '', ...rest] = path.split('.')
  const field = attributes.find(({ name }) => name === top) ?? { name: top }
  const inside = rest.map((segment) =>
    /^\d+$/.test(segment) ? String(Number(segment) + 1) : wordsOf(segment),
  )
  return [labelOf(field), ...inside].join(' › ')
}

function wordsOf(name: string): string {
  const words = name
    .replace(/_+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/\b(\p{Lu})(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
    .trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
