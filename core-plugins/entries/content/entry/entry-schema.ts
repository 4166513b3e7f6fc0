import { type TSchema, Type } from 'typebox'
import { idSchema } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  type ComponentType,
  type ContentType,
  hasUuid,
  holdsComponents,
  isInverse,
  isReference,
  isToMany,
  type ReferenceAttribute,
  relaxedSchemas,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import { draftMark } from '../drafts/draft-overlay.ts'
import { type AddedField, addedFieldSchema } from './added-fields.ts'
import { metaField, totalsField } from './entry-meta.ts'
import { momentSchema, nullable, type Purpose } from './value-schema.ts'

/*
 * Each of these schemas is self-contained. Those of types and components carry an `$id` that is unique within
 * the service. A component or a system type is written out at its first occurrence and is a `$ref` to its
 * `$id` from then on, so that repeated and recursive ones do not blow up the schema, and a document can move
 * them to one place.
 */

/**
 * An entry as the API returns it without `fields`, which omits everything it does not name. Relations and
 * media are ids or, when populated, objects.
 */
export function entrySchema(
  type: ContentType,
  schemas: Schemas,
  addedFields: readonly AddedField[] = [],
): TSchema {
  const [writer, shown] = writerOf(type, schemas, 'entry')
  return writer.entryOf(shown, addedProperties(addedFields))
}

/** The payload of a new entry. */
export function inputSchema(type: ContentType, schemas: Schemas): TSchema {
  const [writer, shown] = writerOf(type, schemas, 'input')
  return Type.Object(
    { ...writer.propertiesOf(shown), ...localeProperty(type) },
    { $id: `${type.name}.input`, title: `New ${type.displayName}` },
  )
}

/** The payload of a change: every field is optional. */
export function updateSchema(type: ContentType, schemas: Schemas): TSchema {
  const [writer, shown] = writerOf(type, schemas, 'update')
  return Type.Object(writer.propertiesOf(shown), {
    $id: `${type.name}.update`,
    title: `Change of ${type.displayName}`,
  })
}

/** Entries may be drafts, and some types require nothing of drafts. */
function writerOf(type: ContentType, schemas: Schemas, purpose: Purpose) {
  const relaxed = relaxedSchemas(schemas)
  return [createWriter(relaxed, purpose), relaxed.allTypes.get(type.name) ?? type] as const
}

type Properties = Record<string, TSchema>

const markDescription = 'Whether the entry has a pending draft; shown with drafts and in responses to writes'

const uuidSchema = Type.Optional(Type.String({ format: 'uuid', description: 'Shown with `fields=uuid`' }))

const metaSchema = Type.Optional(
  Type.Object({}, { description: 'What plugins know about the entry; shown with `meta=true`' }),
)

const totalsSchema = Type.Optional(
  Type.Record(Type.String(), Type.Integer(), {
    description: 'How many entries relations lead to; shown with `populate[<relation>][total]=true`',
  }),
)

function systemProperties(type: ContentType): Properties {
  const { draftAndPublish, draftOverlay, timestamps, softDelete, i18n } = type.options
  return {
    ...(hasUuid(type) ? { uuid: uuidSchema } : {}),
    ...(i18n.enabled ? { locale: Type.String() } : {}),
    ...(draftAndPublish ? { published_at: nullable(momentSchema) } : {}),
    ...(draftOverlay ? { [draftMark]: Type.Optional(Type.Boolean({ description: markDescription })) } : {}),
    ...(timestamps ? { created_at: momentSchema, updated_at: momentSchema } : {}),
    ...(softDelete ? { deleted_at: Type.Optional(nullable(momentSchema)) } : {}),
    [metaField]: metaSchema,
    [totalsField]: totalsSchema,
  }
}

function addedProperties(fields: readonly AddedField[]): Properties {
  return Object.fromEntries(fields.map((field) => [field.name, nullable(addedFieldSchema(field))]))
}

function localeProperty({ options }: ContentType): Properties {
  return options.i18n.enabled ? { locale: Type.Optional(Type.String()) } : {}
}

/** Writes the schemas of attributes; keeps track of the components that the schema already contains. */
function createWriter(schemas: Schemas, purpose: Purpose) {
  const written = new Set<string>()

  function propertiesOf({ attributes }: ContentType | ComponentType, within: Purpose = purpose): Properties {
    const properties: Properties = {}
    for (const attribute of attributes.values()) {
      if (attribute.private || (purpose !== 'entry' && isInverse(attribute))) continue
      const schema = schemaOf(attribute)
      const value = described(mayBeNull(attribute, purpose) ? nullable(schema) : schema, attribute)
      properties[attribute.name] = isAlwaysThere(attribute, within) ? value : Type.Optional(value)
    }
    return properties
  }

  function schemaOf(attribute: Attribute): TSchema {
    if (isReference(attribute)) return referenceOf(attribute)
    if (!holdsComponents(attribute)) return attribute.definition.jsonSchema(attribute)
    if (attribute.type === 'dynamicZone') return Type.Array(Type.Union(attribute.components.map(blockOf)))
    const { min, max } = attribute
    return attribute.repeatable
      ? Type.Array(componentOf(attribute.component), {
          ...(min === undefined ? {} : { minItems: min }),
          ...(max === undefined ? {} : { maxItems: max }),
        })
      : componentOf(attribute.component)
  }

  function referenceOf(attribute: ReferenceAttribute): TSchema {
    const target = targetNameOf(attribute)
    const one = purpose === 'entry' ? Type.Union([idSchema, populatedOf(target)]) : idSchema
    const description = attribute.type === 'media' ? 'media by id' : `${target} by id`
    return isToMany(attribute) ? Type.Array(one, { description }) : { ...one, description }
  }

  /**
   * Callers without access to a content type may not see its fields, so the document resolves `x-schema`
   * itself.
   */
  function populatedOf(target: string): TSchema {
    const type = schemas.allTypes.get(target)
    if (type?.system) return entryOf(type)
    return Type.Object({ id: idSchema }, { description: `the ${target}, when populated`, 'x-schema': target })
  }

  function entryOf(type: ContentType, added: Properties = {}): TSchema {
    const $id = type.name
    if (written.has($id)) return Type.Ref($id)
    written.add($id)
    // Does not forbid further properties: middleware of plugins may add fields to what is read.
    return Type.Object(
      { id: idSchema, ...propertiesOf(type), ...added, ...systemProperties(type) },
      { $id, title: type.displayName, ...textOf(type) },
    )
  }

  function blockOf(uid: string): TSchema {
    return Type.Intersect([Type.Object({ __component: Type.Literal(uid) }), componentOf(uid)])
  }

  function componentOf(uid: string): TSchema {
    const $id = purpose === 'entry' ? `component.${uid}` : `component.${uid}.input`
    if (written.has($id)) return Type.Ref($id)
    written.add($id)
    const component = schemas.components.get(uid)
    if (component === undefined) throw new Error(`the component ${uid} is not declared`)
    // A component is replaced as a whole, so a change to an entry contains complete new components.
    const properties = propertiesOf(component, purpose === 'entry' ? 'entry' : 'input')
    const id = Type.Optional(Type.Union([Type.Integer(), Type.String()]))
    return Type.Object({ id, ...properties }, { $id, title: component.displayName, ...textOf(component) })
  }

  return { propertiesOf, entryOf }
}

function textOf({ description }: ContentType | ComponentType) {
  return description === '' ? {} : { description }
}

/**
 * A schema with an `$id` may be moved elsewhere in a document and keeps its own description, so the field's description goes into
 * a wrapper.
 */
function described(schema: TSchema & { $id?: string; description?: string }, attribute: Attribute): TSchema {
  if (attribute.description === undefined) return schema
  if (schema.$id !== undefined) return Type.Intersect([schema], { description: attribute.description })
  const texts = [
    attribute.description,
    ...(schema.description === undefined ? [] : [`(${schema.description})`]),
  ]
  return { ...schema, description: texts.join(' ') }
}

/** A field with a `condition` is not required while the condition is not met, so it may be empty. */
function isAlwaysRequired({ required, condition }: Attribute): boolean {
  return required && condition === undefined
}

function mayBeNull(attribute: Attribute, purpose: Purpose): boolean {
  if (!isAlwaysRequired(attribute)) return !isToMany(attribute) || purpose !== 'entry'
  // The referenced entry may be deleted, or hidden from the caller.
  return purpose === 'entry' && !isToMany(attribute) && isReference(attribute)
}

function isAlwaysThere(attribute: Attribute, within: Purpose): boolean {
  if (isInverse(attribute) || within === 'update') return false
  if (within === 'entry') return true
  const hasDefault = 'default' in attribute && attribute.default !== undefined
  return isAlwaysRequired(attribute) && !hasDefault
}
