import type { Components } from '../../ground/api/components.ts'
import type { DescribedAttribute, DescribedType } from '../../ground/api/content-types.ts'
import { labelOf } from './label.ts'
import { joinPath, type ValuePath, valueAt } from './value-path.ts'

/** What is needed to name fields and blocks inside components. */
export interface InsideOfEntry {
  readonly components: Components
  /** The entry's values; its blocks name their components. */
  readonly values: unknown
}

/**
 * Describes a path in words: `blocks.0.metaTitle` is `Blocks › Teaser 1 › Meta title`; positions count from one. Without
 * `inside`, blocks are numbered and their fields named by their attribute names.
 */
export function wordsOfPath(path: ValuePath, { attributes }: DescribedType, inside?: InsideOfEntry): string {
  let known = attributes
  let field: DescribedAttribute | undefined
  let at: ValuePath = ''
  const words = path.split('.').map((segment) => {
    at = joinPath(at, segment)
    if (/^\d+$/.test(segment)) {
      const block = valueAt(inside?.values, at) as { readonly __component?: string } | null | undefined
      const component = inside?.components.get(String(block?.__component ?? field?.component))
      known = component?.attributes ?? []
      return [component?.info.displayName, Number(segment) + 1].filter(Boolean).join(' ')
    }
    field = known.find(({ name }) => name === segment)
    known = inside?.components.get(String(field?.component))?.attributes ?? []
    return labelOf(field ?? { name: segment })
  })
  return words.join(' › ')
}
