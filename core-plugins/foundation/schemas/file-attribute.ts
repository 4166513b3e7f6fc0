import { type TSchema, Type } from 'typebox'
import type { ContributedTypeName } from './attribute.ts'
import type { FieldType, FieldTypes, OptionsOf } from './field-type.ts'
import type { BuiltInTypes } from './field-types/built-in.ts'
import { flag } from './field-types/options.ts'

/** Attribute names are used in column names, GraphQL and TypeScript, so only characters that all of them allow. */
export const attributeNamePattern = '^[A-Za-z][A-Za-z0-9_]{0,62}$'

export const attributeNameRemedy = 'begin with a letter; use letters, digits and _, at most 63 of them'

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
  description: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What it is for: shown to editors, in API documents and types.',
    }),
  ),
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

/** Options that only attributes of accounts have. */
const accountOptions = {
  private: flag(
    'In `user.extension.json`: only those who manage accounts see it, and it is no part of content.',
  ),
}

type CommonOptions = OptionsOf<typeof common> & OptionsOf<typeof accountOptions>

/** An attribute as a schema file declares it. */
export type AttributeFile =
  | { [Name in keyof BuiltInTypes]: BuiltInFile<Name> }[keyof BuiltInTypes]
  | (CommonOptions & { type: ContributedTypeName })

type BuiltInFile<Name extends keyof BuiltInTypes> = { type: Name } & CommonOptions &
  OptionsOf<BuiltInTypes[Name]['options']>

export type AttributeFileOf<Name extends AttributeFile['type']> = Extract<AttributeFile, { type: Name }>

/** The field type of an attribute whose `type` is known to exist. */
export function fieldTypeOf({ type }: AttributeFile, fieldTypes: FieldTypes): FieldType {
  const found = fieldTypes.get(type)
  if (found === undefined) throw new Error(`there is no field type ${type}`)
  return found
}

/** The schema of the attributes of one field type. */
export function attributeSchema({ name, description, options }: FieldType): TSchema {
  return Type.Object(
    { type: Type.Literal(name), ...common, ...options },
    { additionalProperties: false, description },
  )
}

/** The schema of the attributes of one field type, for attributes added to accounts. */
export function accountAttributeSchema({ options, ...type }: FieldType): TSchema {
  return attributeSchema({ ...type, options: { ...accountOptions, ...options } })
}

/** Any attribute, for editors; discriminated by `type`. */
export function anyAttributeSchema(fieldTypes: FieldTypes, schemaOf: (type: FieldType) => TSchema): TSchema {
  return Type.Unsafe<AttributeFile>({ oneOf: [...fieldTypes.values()].map(schemaOf) })
}

/** True if the attribute's values are an array of ids. */
export function isToMany(file: AttributeFile): boolean {
  if (file.type === 'media') return file.multiple === true
  return file.type === 'relation' && (file.relation === 'oneToMany' || file.relation === 'manyToMany')
}

/** True for the inverse side of a relation. */
function isInverse(file: AttributeFile): boolean {
  return file.type === 'relation' && file.mappedBy !== undefined
}

/** True if the attribute's column holds an id. */
export function isReference(file: AttributeFile): boolean {
  const isPointer = file.type === 'media' || file.type === 'relation'
  return isPointer && !isToMany(file) && !isInverse(file)
}

/** True if the attribute's values are ids in a link table. */
export function hasLinks(file: AttributeFile): boolean {
  return isToMany(file) && !isInverse(file)
}
