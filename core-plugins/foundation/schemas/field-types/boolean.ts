import { Type } from 'typebox'
import { defineFieldType, type ValueAttributeBase } from '../field-type.ts'
import { valueOperators } from '../filter-operators.ts'
import { compact, flag, schemaDefault } from './options.ts'

export interface BooleanAttribute extends ValueAttributeBase {
  readonly type: 'boolean'
  readonly default?: boolean
}

const options = { default: flag('Value of new entries that bring none.') }

export const booleanType = defineFieldType<typeof options, BooleanAttribute>({
  name: 'boolean',
  shape: 'value',
  description: 'True or false.',
  options,
  complete: (file) => compact({ default: file.default }),
  column: () => ({ kind: 'boolean' }),
  compileCheck: () => (value, report) =>
    typeof value === 'boolean' ? value : report.problem('type', 'must be true or false'),
  jsonSchema: (attribute) => Type.Boolean(schemaDefault(attribute.default)),
  accountSchema: () => Type.Boolean(),
  filter: { operators: valueOperators },
  graphql: () => ({ scalar: 'Boolean' }),
  typescript: () => 'boolean',
  index: { isText: false, characters: () => 8 },
  comparable: {
    isPossible: (value) => typeof value === 'boolean',
    expected: () => 'true or false',
  },
})
