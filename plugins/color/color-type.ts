import { defineFieldType, Type } from 'mortise/plugin'

const pattern = '^#[0-9A-Fa-f]{6}$'
const hex = new RegExp(pattern)
const rule = 'must be a colour such as #ff8800'

/**
 * The stored form: lower case, so that equal colours are equal texts. Undefined if the text is not a colour.
 */
function parseColor(value: unknown): string | undefined {
  return typeof value === 'string' && hex.test(value) ? value.toLowerCase() : undefined
}

const options = {
  unique: Type.Optional(Type.Boolean({ description: 'No two entries may have the same colour.' })),
  default: Type.Optional(Type.String({ pattern, description: 'Colour of new entries that do not set one.' })),
}

export const colorType = defineFieldType({
  name: 'color',
  shape: 'value',
  description: 'A colour, written `#rrggbb`.',
  options,
  complete: ({ unique = false, default: value }) => ({
    unique,
    ...(value === undefined ? {} : { default: value.toLowerCase() }),
  }),
  column: () => ({ kind: 'string', length: '#rrggbb'.length }),
  compileCheck: () => (value, report) => parseColor(value) ?? report.problem('format', rule),
  normalize: (value) => parseColor(value) ?? value,
  jsonSchema: ({ default: value }) =>
    Type.String({ pattern, ...(value === undefined ? {} : { default: value }) }),
  filter: {
    operators: ['$eq', '$ne', '$in'],
    parse(value) {
      const color = parseColor(value)
      return color === undefined ? { problem: rule } : { value: color }
    },
  },
  graphql: () => ({
    ownScalar: {
      name: 'Color',
      description: 'A colour such as #ff8800.',
      rule: 'must be a colour such as "#ff8800"',
      takes: (value) => typeof value === 'string',
    },
  }),
  typescript: () => 'string',
  index: { isText: false, characters: () => '#rrggbb'.length },
  comparable: {
    isPossible: (value) => value !== undefined && value === parseColor(value),
    expected: () => 'a colour in lower case, such as #ff8800',
  },
})
