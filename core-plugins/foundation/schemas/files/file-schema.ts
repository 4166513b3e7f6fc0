import { type Static, type TProperties, Type } from 'typebox'
import type { FieldTypes } from '../field-type.ts'
import {
  type AttributeFile,
  accountAttributeSchema,
  anyAttributeSchema,
  attributeNamePattern,
  attributeSchema,
} from '../file-attribute.ts'

/** Type names are used in URLs, file names, table names and GraphQL. */
export const typeNamePattern = '^[A-Za-z][A-Za-z0-9_-]{0,40}$'

export const componentUidPattern = '^[A-Za-z][A-Za-z0-9_-]*\\.[A-Za-z][A-Za-z0-9_-]*$'

const closed = { additionalProperties: false }

/**
 * Each attribute is checked against the schema of its own type, because errors of a union of all types are less
 * clear.
 */
const attributes = Type.Unsafe<Record<string, AttributeFile>>({ type: 'object' })

const attributesForEditors = {
  type: 'object',
  description: 'The fields, by name.',
  propertyNames: { pattern: attributeNamePattern },
  additionalProperties: { $ref: '#/definitions/attribute' },
}

const workflow = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    initialState: Type.Optional(Type.String()),
    states: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1 }),
            label: Type.Optional(Type.String()),
            color: Type.Optional(Type.String()),
            publishable: Type.Optional(
              Type.Boolean({
                description: 'Entries may be published in this state; if no state says so, in all.',
              }),
            ),
          },
          closed,
        ),
      ),
    ),
    transitions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.String(),
            to: Type.String(),
            label: Type.Optional(Type.String()),
            roles: Type.Optional(Type.Array(Type.String(), { description: 'Left out: any permitted user.' })),
          },
          closed,
        ),
      ),
    ),
  },
  { ...closed, description: 'An approval workflow.' },
)

const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000, description: `In seconds. ${description}` }))

const cache = Type.Object(
  {
    maxAge: seconds('How long browsers may use an answer without asking again.'),
    sMaxAge: seconds('How long a CDN may; it is told what to forget when something changes.'),
    staleWhileRevalidate: seconds('How long an old answer may be sent while a new one is fetched.'),
    staleIfError: seconds('How long an old answer may be sent while the service fails.'),
  },
  { ...closed, description: 'What caches between the service and its readers may keep.' },
)

const pagination = Type.Object(
  {
    defaultLimit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description:
          'How many entries a page has if a request sets no limit. Left out: `api.pagination.defaultLimit`.',
      }),
    ),
  },
  { ...closed, description: 'The pages of lists.' },
)

const options = Type.Object(
  {
    draftAndPublish: Type.Optional(Type.Boolean({ description: 'Entries are drafts until published.' })),
    draftOverlay: Type.Optional(
      Type.Boolean({
        description: 'Changes of a published entry wait in a draft beside it until that is published.',
      }),
    ),
    incompleteDrafts: Type.Optional(
      Type.Boolean({
        description: 'Drafts may lack what is required, and stay below minima, until they are published.',
      }),
    ),
    timestamps: Type.Optional(
      Type.Boolean({ description: 'Entries show created_at and updated_at. On unless told otherwise.' }),
    ),
    softDelete: Type.Optional(Type.Boolean({ description: 'A deleted entry is kept and can be restored.' })),
    i18n: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(Type.Boolean()),
          locales: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              minItems: 1,
              uniqueItems: true,
              description: 'Left out: all of the system.',
            }),
          ),
          defaultLocale: Type.Optional(Type.String({ minLength: 1 })),
        },
        { ...closed, description: 'An entry may have a version in each of several locales.' },
      ),
    ),
    workflow: Type.Optional(workflow),
    cache: Type.Optional(cache),
    pagination: Type.Optional(pagination),
  },
  closed,
)

const indexes = Type.Array(
  Type.Object(
    {
      fields: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
      type: Type.Enum(['unique', 'fulltext', 'index']),
    },
    closed,
  ),
)

const pluginOptions = Type.Optional(
  Type.Unsafe<Record<string, object>>({
    type: 'object',
    additionalProperties: { type: 'object' },
    description: 'Options of plugins, by plugin name.',
  }),
)

const schemaReference = Type.Optional(
  Type.String({ description: 'Where editors find the schema of this file.' }),
)

function file<Properties extends TProperties>(title: string, properties: Properties) {
  return Type.Object({ $schema: schemaReference, ...properties, attributes }, { title, ...closed })
}

const contentType = file('A content type of Mortise', {
  kind: Type.Enum(['collectionType', 'singleType'], { description: 'Many entries, or exactly one.' }),
  info: Type.Object(
    {
      singularName: Type.String({
        pattern: typeNamePattern,
        description: 'The name in URLs, and of this file: `<singularName>.json`.',
      }),
      pluralName: Type.String({ pattern: typeNamePattern, description: 'The name of a list.' }),
      displayName: Type.String({ minLength: 1, description: 'The name that people read.' }),
      description: Type.Optional(Type.String()),
    },
    closed,
  ),
  options: Type.Optional(options),
  indexes: Type.Optional(indexes),
  pluginOptions,
})

const component = file('A component of Mortise', {
  uid: Type.String({ pattern: componentUidPattern, description: '`category.name`, as this file is named.' }),
  category: Type.String({ description: 'The part of `uid` before the dot.' }),
  info: Type.Object(
    {
      displayName: Type.String({ minLength: 1 }),
      description: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
    },
    closed,
  ),
})

const extension = file('An extension of a content type of Mortise', {})

const componentExtension = file('An extension of a component of Mortise', {})

export type ContentTypeFile = Static<typeof contentType>
export type ComponentFile = Static<typeof component>

/** What a file in the schemas directory declares. */
export type FileKind = 'content-type' | 'component' | 'extension' | 'component-extension'

/** The schemas of the files, except for their attributes. */
export const fileSchemas = {
  'content-type': contentType,
  component,
  extension,
  'component-extension': componentExtension,
} as const

/** The complete JSON Schema of a kind of file, for editors. */
export function editorSchema(kind: FileKind, fieldTypes: FieldTypes): object {
  const { properties, ...rest } = fileSchemas[kind]
  // One schema serves all extensions, including those of accounts.
  const schemaOf = kind === 'extension' ? accountAttributeSchema : attributeSchema
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: { ...properties, attributes: attributesForEditors },
    definitions: { attribute: anyAttributeSchema(fieldTypes, schemaOf) },
  }
}
