import { Type } from 'typebox'
import { isPoint, type Point, stepsOf, stepsPerDegree } from '../../database/database.ts'
import { defineFieldType, type ValueAttributeBase } from '../field-type.ts'
import { operatorsAsking } from '../filter-operators.ts'
import { badDefault, compact, schemaDefault } from './options.ts'

export interface PointAttribute extends ValueAttributeBase {
  readonly type: 'point'
  readonly default?: Point
}

const closed = { additionalProperties: false } as const
const degrees = (limit: number, description: string) =>
  Type.Number({ minimum: -limit, maximum: limit, description })
const members = {
  lat: degrees(90, 'Degrees north of the equator; south of it, less than 0.'),
  lng: degrees(180, 'Degrees east of Greenwich; west of it, less than 0.'),
}

const rule = 'must be { "lat": …, "lng": … } with degrees from -90 to 90 and from -180 to 180'

const options = {
  default: Type.Optional(
    Type.Object(members, { ...closed, description: 'Place of new entries that do not set one.' }),
  ),
}

export const pointType = defineFieldType<typeof options, PointAttribute>({
  name: 'point',
  shape: 'value',
  description: 'A place on Earth: degrees of latitude and longitude (WGS 84).',
  options,
  checkOptions: ({ default: value }) =>
    value === undefined || parsePoint(value) !== undefined
      ? []
      : [badDefault(value, rule.slice('must '.length))],
  complete: ({ default: value }) => compact({ default: value && parsePoint(value) }),
  column: () => ({ kind: 'point' }),
  compileCheck: () => (value, report) => parsePoint(value) ?? report.problem('format', rule),
  normalize: (value) => parsePoint(value) ?? value,
  jsonSchema: (attribute) => Type.Object(members, { ...closed, ...schemaDefault(attribute.default) }),
  accountSchema: () => Type.Object(members, closed),
  filter: { operators: operatorsAsking('place') },
  graphql: () => ({
    ownScalar: {
      name: 'Point',
      description: 'A place on Earth: an object with `lat` and `lng`, in degrees.',
      rule: 'must be a place such as { lat: 47.3769, lng: 8.5417 }',
      takes: (value) => typeof value === 'object',
    },
  }),
  typescript: () => '{ lat: number; lng: number }',
  index: { isText: false, characters: () => 8 },
})

/** The stored form, rounded to seven digits; undefined if the value is not a point. */
function parsePoint(value: unknown): Point | undefined {
  if (!isPoint(value)) return undefined
  return { lat: rounded(value.lat), lng: rounded(value.lng) }
}

/** Adding 0 turns -0 into 0, since no database keeps its sign. */
function rounded(degrees: number): number {
  return stepsOf(degrees) / stepsPerDegree + 0
}
