import type { DescribedType } from '../../ground/api/content-types.ts'
import { fieldKindOf } from '../schema/field-kinds.ts'
import { formFieldsOf } from './form/form-fields.ts'
import type { Entry } from './store/entry-store.ts'

/** What a new entry begins with. Defaults that the service computes, such as `now`, are left to it. */
export function defaultsOf(type: DescribedType): Entry {
  const values = formFieldsOf(type).map((attribute) => {
    const { name, default: declared } = attribute
    const isComputed = attribute.type === 'datetime' && declared === 'now'
    const value = declared === undefined || isComputed ? fieldKindOf(attribute)?.empty?.(attribute) : declared
    return [name, value ?? null]
  })
  return Object.fromEntries(values)
}
