import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** Attribute names go into column names, GraphQL and TypeScript: the letters that all of them take. */
export const attributeNamePattern = '^[A-Za-z][A-Za-z0-9_]{0,62}$'

export const attributeNameRemedy = 'begin with a letter; use letters, digits and _, at most 63 of them'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const wholeNumber = (description: string) => Type.Optional(Type.Integer({ description }))
const numeral = (pattern: string, description: string) =>
  Type.Optional(
    Type.Unsafe<number | string>({
      type: ['number', 'string'],
      pattern,
      description: `${description} ${quoting}`,
    }),
  )
const quoting = 'As a string where a double would not be exact.'
const wholeNumeral = '^-?[0-9]+$'
const decimalNumeral = '^-?[0-9]+(\\.[0-9]+)?$'

const condition = Type.Object(
  {
    field: Type.String({ description: 'Another attribute of the same type or component.' }),
    operator: Type.Enum(['eq', 'neq', 'in', 'notIn', 'exists', 'empty']),
    value: Type.Optional(
      Type.Unknown({
        description: 'An array for `in` and `notIn`; true (or false) for `exists` and `empty`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Shows this field only while it holds; a hidden field is not required.',
  },
)

const common = {
  required: flag('An entry cannot be written without a value.'),
  condition: Type.Optional(condition),
  renamedFrom: Type.Optional(
    Type.String({
      pattern: attributeNamePattern,
      description: 'The earlier name of this attribute, whose data it takes over at the next start.',
    }),
  ),
  pluginOptions: Type.Optional(
    Type.Object(
      {
        i18n: Type.Optional(
          Type.Object(
            { localized: flag('Each locale has a value of its own; otherwise all locales share one.') },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: { type: 'object' }, description: 'Options of plugins, by plugin name.' },
    ),
  ),
}

function attribute<Name extends string, Properties extends TProperties>(
  type: Name,
  description: string,
  properties: Properties,
) {
  return Type.Object(
    { type: Type.Literal(type), ...common, ...properties },
    { additionalProperties: false, description },
  )
}

const unique = flag('No two entries may have the same value (per locale on localised types).')
const lengths = {
  minLength: count('Fewest characters.'),
  maxLength: count('Most characters.'),
}

const kinds = {
  string: attribute('string', 'A short text; at most 255 characters unless `maxLength` says otherwise.', {
    ...lengths,
    unique,
    default: Type.Optional(Type.String()),
  }),
  email: attribute('email', 'An e-mail address.', {
    ...lengths,
    unique,
    default: Type.Optional(Type.String()),
  }),
  text: attribute('text', 'A long plain text.', { ...lengths, default: Type.Optional(Type.String()) }),
  richtext: attribute('richtext', 'HTML or structured text.', { default: Type.Optional(Type.String()) }),
  integer: attribute('integer', 'A whole number that a double holds exactly.', {
    unique,
    min: wholeNumber('Least value.'),
    max: wholeNumber('Greatest value.'),
    default: wholeNumber('Value of new entries that bring none.'),
  }),
  bigint: attribute('bigint', 'A whole number of 64 bits.', {
    min: numeral(wholeNumeral, 'Least value.'),
    max: numeral(wholeNumeral, 'Greatest value.'),
    default: numeral(wholeNumeral, 'Value of new entries that bring none.'),
  }),
  decimal: attribute('decimal', 'A number that keeps its digits.', {
    min: numeral(decimalNumeral, 'Least value.'),
    max: numeral(decimalNumeral, 'Greatest value.'),
    default: numeral(decimalNumeral, 'Value of new entries that bring none.'),
  }),
  boolean: attribute('boolean', 'True or false.', { default: flag('Value of new entries that bring none.') }),
  date: attribute('date', 'A date without a time.', { default: text('`YYYY-MM-DD`.') }),
  datetime: attribute('datetime', 'A date and time.', {
    default: text('ISO 8601, or `now` for the moment of the write.'),
  }),
  json: attribute('json', 'Any JSON value.', { default: Type.Optional(Type.Unknown()) }),
  enum: attribute('enum', 'One of the listed texts.', {
    enum: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, uniqueItems: true }),
    default: text('One of `enum`.'),
  }),
  media: attribute('media', 'A file of the media library, or several.', {
    multiple: flag('True for an array of files.'),
    allowedTypes: Type.Optional(
      Type.Array(Type.Enum(['images', 'videos', 'audios', 'files']), {
        minItems: 1,
        uniqueItems: true,
        description: 'Left out: any.',
      }),
    ),
  }),
  relation: attribute('relation', 'Other entries.', {
    relation: Type.Enum(['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany']),
    target: Type.String({
      description: 'Singular name of a content type, or user, media, media-folder, role.',
    }),
    mappedBy: text('On the inverse side: the attribute of the target that owns the relation.'),
    inversedBy: text('On the owning side: the attribute of the target that shows the relation from there.'),
    onDelete: Type.Optional(
      Type.Enum(['CASCADE', 'SET NULL', 'RESTRICT'], {
        description:
          'What happens here when the related entry is deleted. SET NULL, or RESTRICT where a value is required.',
      }),
    ),
  }),
  component: attribute('component', 'A component, or a list of them.', {
    component: Type.String({ description: 'Its uid: `category.name`.' }),
    repeatable: flag('True for an array.'),
    min: count('Fewest items of a repeatable one.'),
    max: count('Most items of a repeatable one.'),
  }),
  dynamicZone: attribute('dynamicZone', 'A list of components of several kinds.', {
    components: Type.Array(Type.String(), { minItems: 1, uniqueItems: true, description: 'Their uids.' }),
  }),
}

/** An attribute as a schema file declares it. */
export type AttributeFile = { [Kind in keyof typeof kinds]: Static<(typeof kinds)[Kind]> }[keyof typeof kinds]

export type AttributeFileOf<Kind extends AttributeFile['type']> = Extract<AttributeFile, { type: Kind }>

/** What `type` of an attribute may be. */
export const attributeTypes: readonly string[] = Object.keys(kinds)

/** The schema of the attributes of one type, if there is such a type. */
export function schemaOfAttribute(type: unknown): TSchema | undefined {
  return typeof type === 'string' && Object.hasOwn(kinds, type)
    ? kinds[type as keyof typeof kinds]
    : undefined
}

/** Any attribute, for editors; told apart by `type`. */
export const anyAttribute: TSchema = Type.Unsafe<AttributeFile>({ oneOf: Object.values(kinds) })
