import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import { panelOptionsOf } from './field-kinds.ts'

/** The label of a field: from its schema, else its name in words: `metaTitle` is `Meta title`. */
export function labelOf(attribute: Pick<DescribedAttribute, 'name' | 'pluginOptions'>): string {
  return panelOptionsOf(attribute).label ?? wordsOf(attribute.name)
}

function wordsOf(name: string): string {
  const words = name
    .replace(/_+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/\b(\p{Lu})(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
    .trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
