import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import type { MergeConflict } from '../../schema/merged.ts'
import { isObject } from '../../schema/same-value.ts'
import { type ValuePath, valueAt } from '../../schema/value-path.ts'
import { componentOf } from '../diff/match-blocks.ts'

export interface ConflictPlace {
  readonly attributes: readonly DescribedAttribute[]
  readonly fieldsOf: (uid: string) => readonly DescribedAttribute[]
  /** The merged values; their blocks name the components. */
  readonly values: unknown
}

/**
 * The attribute of the field that a conflict is about, which may belong to a component. A conflict about a whole block gets a
 * component attribute; undefined if the attribute cannot be determined.
 */
export function attributeAt(
  conflict: MergeConflict,
  { attributes, fieldsOf, values }: ConflictPlace,
): DescribedAttribute | undefined {
  let known = attributes
  let attribute: DescribedAttribute | undefined
  let path: ValuePath = ''
  for (const segment of conflict.path.split('.')) {
    path = path === '' ? segment : `${path}.${segment}`
    if (attribute !== undefined && /^\d+$/.test(segment)) {
      const held = [valueAt(values, path), conflict.mine, conflict.theirs].find(isObject)
      const component = componentOf(held ?? {}, String(attribute.component ?? ''))
      if (component === '') return undefined
      attribute = { ...attribute, type: 'component', repeatable: false, component }
      known = fieldsOf(component)
      continue
    }
    attribute = known.find(({ name }) => name === segment)
    if (attribute === undefined) return undefined
    known = attribute.type === 'component' ? fieldsOf(String(attribute.component)) : []
  }
  return attribute
}
