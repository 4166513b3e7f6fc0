import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import { fieldKindOf } from './field-kinds.ts'
import { valueKindOf } from './value-kinds.ts'

/** The initial value of a field; null if the service computes the default, such as `now`. */
export function firstValueOf(attribute: DescribedAttribute): unknown {
  const { type, default: declared } = attribute
  const hasDefault = declared !== undefined && declared !== valueKindOf(type).computedDefault
  return (hasDefault ? declared : fieldKindOf(attribute)?.empty?.(attribute)) ?? null
}
