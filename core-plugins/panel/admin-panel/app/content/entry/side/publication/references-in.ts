import type { DescribedAttribute } from '../../../../../../../../client/admin.ts'
import { isObject } from '../../../schema/same-value.ts'
import type { FieldsOfComponent, Values } from '../../diff/diff-entry.ts'
import { idsIn } from '../../diff/diff-references.ts'

/** Entry ids by type name. */
export type References = ReadonlyMap<string, readonly number[]>

/** The entries that an entry refers to, in its components as well; files are not entries. */
export function referencesIn(
  attributes: readonly DescribedAttribute[],
  values: Values,
  fieldsOf: FieldsOfComponent,
): References {
  const found = new Map<string, Set<number>>()

  function collect(fields: readonly DescribedAttribute[], from: Values) {
    for (const { name, type, target, inverse, component } of fields) {
      const value = from[name]
      if (type === 'relation' && inverse !== true && target !== undefined) {
        const ids = found.get(target) ?? new Set()
        for (const id of idsIn(value)) ids.add(id)
        if (ids.size > 0) found.set(target, ids)
      } else if (type === 'component' || type === 'dynamicZone') {
        for (const item of [value].flat().filter(isObject)) {
          collect(fieldsOf(String(item.__component ?? component)), item)
        }
      }
    }
  }

  collect(attributes, values)
  return new Map([...found].map(([target, ids]) => [target, [...ids]]))
}
