import { Type } from 'typebox'
import { nearest } from '../../../../kernel/index.ts'
import { defineFieldType, type ValueAttributeBase } from '../field-type.ts'
import { operatorsAsking, valueOperators } from '../filter-operators.ts'
import { badDefault, compact, schemaDefault, someText } from './options.ts'

export interface EnumAttribute extends ValueAttributeBase {
  readonly type: 'enum'
  readonly values: readonly string[]
  readonly default?: string
}

const options = {
  enum: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, uniqueItems: true }),
  default: someText('One of `enum`.'),
}

/** The maximum length of a value in characters. */
const maxLength = 255

export const enumType = defineFieldType<typeof options, EnumAttribute>({
  name: 'enum',
  shape: 'value',
  description: 'One of the listed texts.',
  options,
  checkOptions({ enum: values, default: value }) {
    if (value === undefined || values.includes(value)) return []
    const meant = nearest(value, values)
    const problem = badDefault(value, `be one of ${values.join(', ')}`)
    return [meant === undefined ? problem : { ...problem, remedy: `did you mean ${meant}?` }]
  },
  complete: (file) => compact({ values: file.enum, default: file.default }),
  column: () => ({ kind: 'string', length: maxLength }),
  compileCheck(attribute) {
    const values: ReadonlySet<unknown> = new Set(attribute.values)
    const message = `must be one of ${attribute.values.join(', ')}`
    return (value, report) => (values.has(value) ? value : report.problem('enum', message))
  },
  jsonSchema: (attribute) =>
    Type.Unsafe({ type: 'string', enum: attribute.values, ...schemaDefault(attribute.default) }),
  accountSchema: (attribute) => Type.Union(attribute.values.map((value) => Type.Literal(value))),
  filter: {
    operators: valueOperators,
    // Its column holds texts, so the operators for texts work.
    alsoTaken: operatorsAsking('text'),
    parse: (value, { values }) =>
      values.includes(String(value)) ? { value } : { problem: `must be one of ${values.join(', ')}` },
  },
  graphql: ({ values }) => ({ values }),
  typescript: ({ values }) => values.map((value) => JSON.stringify(value)).join(' | '),
  index: { isText: true, characters: () => maxLength },
  comparable: {
    isPossible: (value, file) => typeof value === 'string' && file.enum.includes(value),
    expected: (file) => `one of ${file.enum.join(', ')}`,
  },
})
