import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { Value } from '../../../foundation/sections/sections.ts'
import { mapValues } from './map-values.ts'

/**
 * The references in values at any depth, by the name of the referenced type: keys in transferred values, ids in stored ones.
 * @param referenceOf returns undefined for a value that is not a reference
 */
export function referencesIn<Reference>(
  { components }: Pick<Schemas, 'components'>,
  { type, values: all }: { readonly type: ContentType; readonly values: readonly Value[] },
  referenceOf: (value: unknown) => Reference | undefined,
): Map<string, Set<Reference>> {
  const found = new Map<string, Set<Reference>>()
  const refer = (attribute: ReferenceAttribute, value: unknown) => {
    const reference = referenceOf(value)
    if (reference === undefined) return undefined
    const target = targetNameOf(attribute)
    const ofTarget = found.get(target) ?? new Set<Reference>()
    found.set(target, ofTarget.add(reference))
    return undefined
  }
  for (const values of all) mapValues(type, values, { components, refer })
  return found
}

/** The id in a stored value; undefined if it is not an id. */
export const idIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
