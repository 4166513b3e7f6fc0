import { Type } from 'typebox'
import type { AttributeBase, ComponentFieldType, OptionsOf } from '../field-type.ts'

/** An attribute that holds items of several components, in any order. */
export interface DynamicZoneAttribute extends AttributeBase {
  readonly type: 'dynamicZone'
  readonly definition: ComponentFieldType
  readonly components: readonly string[]
}

const options = {
  components: Type.Array(Type.String(), { minItems: 1, uniqueItems: true, description: 'Their uids.' }),
}

export const dynamicZoneType = {
  name: 'dynamicZone',
  shape: 'components',
  description: 'A list of components of several kinds.',
  options,
  complete: ({ components }) => ({ components }),
} as const satisfies ComponentFieldType<OptionsOf<typeof options>>
