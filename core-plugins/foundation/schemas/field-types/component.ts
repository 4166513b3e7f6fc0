import { Type } from 'typebox'
import type { AttributeBase, ComponentFieldType, OptionsOf } from '../field-type.ts'
import { exceeds } from './numbers.ts'
import { compact, count, crossed, flag } from './options.ts'

/** An attribute that holds one item of a component, or a list of them if it is `repeatable`. */
export interface ComponentAttribute extends AttributeBase {
  readonly type: 'component'
  readonly definition: ComponentFieldType
  readonly component: string
  readonly repeatable: boolean
  readonly min?: number
  readonly max?: number
}

const options = {
  component: Type.String({ description: 'Its uid: `category.name`.' }),
  repeatable: flag('True for an array.'),
  min: count('Fewest items of a repeatable one.'),
  max: count('Most items of a repeatable one.'),
}

export const componentFieldType = {
  name: 'component',
  shape: 'components',
  description: 'A component, or a list of them.',
  options,
  checkOptions({ repeatable, min, max }) {
    if (repeatable === true) return exceeds(min, max) ? [crossed('min', min, max)] : []
    const bounds = Object.entries({ min, max }).filter(([, bound]) => bound !== undefined)
    return bounds.map(([at]) => ({
      at,
      message: 'counts the items of a repeatable component, and this is a single one',
      remedy: 'remove it, or add "repeatable": true',
    }))
  },
  complete: ({ component, repeatable = false, min, max }) => compact({ component, repeatable, min, max }),
} as const satisfies ComponentFieldType<OptionsOf<typeof options>>
