import { type TSchema, Type } from 'typebox'
import type { Attribute, ComponentType, ContentType, Schemas } from '../schemas/schemas.ts'
import { draftMark } from './draft-overlay.ts'
import { idSchema, momentSchema, nullable, type Purpose, valueSchema } from './value-schema.ts'

/*
 * Each of these schemas holds all that it refers to. Those of types and components carry an `$id`, unique in
 * the service. A component stands in full where it first comes and as a `$ref` to its `$id` after that: so
 * one that comes many times, or holds itself, does no harm, and a document can move them to one place.
 */

/** An entry as the API answers it; relations and media are ids or, when populated, objects. */
export function entrySchema(type: ContentType, schemas: Schemas): TSchema {
  const properties = createWriter(schemas, 'entry').propertiesOf(type)
  // Nothing is said of further properties: plugins may add to what is read.
  return Type.Object(
    { id: idSchema, ...properties, ...systemProperties(type) },
    { $id: type.name, title: type.displayName },
  )
}

/** The payload of a new entry. */
export function inputSchema(type: ContentType, schemas: Schemas): TSchema {
  return Type.Object(
    { ...createWriter(schemas, 'input').propertiesOf(type), ...localeProperty(type) },
    { $id: `${type.name}.input`, title: `New ${type.displayName}` },
  )
}

/** The payload of a change: nothing has to be sent. */
export function updateSchema(type: ContentType, schemas: Schemas): TSchema {
  return Type.Object(createWriter(schemas, 'update').propertiesOf(type), {
    $id: `${type.name}.update`,
    title: `Change of ${type.displayName}`,
  })
}

type Properties = Record<string, TSchema>

const markDescription = 'Whether a draft waits beside the entry; shown with drafts and in answers to writes'

function systemProperties(type: ContentType): Properties {
  const { draftAndPublish, draftOverlay, timestamps, softDelete } = type.options
  return {
    ...localeProperty(type),
    ...(draftAndPublish ? { published_at: Type.Optional(nullable(momentSchema)) } : {}),
    ...(draftOverlay ? { [draftMark]: Type.Optional(Type.Boolean({ description: markDescription })) } : {}),
    ...(timestamps
      ? { created_at: Type.Optional(momentSchema), updated_at: Type.Optional(momentSchema) }
      : {}),
    ...(softDelete ? { deleted_at: Type.Optional(nullable(momentSchema)) } : {}),
  }
}

function localeProperty({ options }: ContentType): Properties {
  return options.i18n.enabled ? { locale: Type.Optional(Type.String()) } : {}
}

/** Writes the schemas of attributes; keeps which components stand in the schema already. */
function createWriter(schemas: Schemas, purpose: Purpose) {
  const written = new Set<string>()

  function propertiesOf({ attributes }: ContentType | ComponentType, within = purpose): Properties {
    const properties: Properties = {}
    for (const attribute of attributes.values()) {
      if (attribute.private || (purpose !== 'entry' && isInverse(attribute))) continue
      const schema = schemaOf(attribute)
      const value = mayBeNull(attribute, purpose) ? nullable(schema) : schema
      properties[attribute.name] = mustBeSent(attribute, within) ? value : Type.Optional(value)
    }
    return properties
  }

  function schemaOf(attribute: Attribute): TSchema {
    if (attribute.type === 'dynamicZone') return Type.Array(Type.Union(attribute.components.map(blockOf)))
    if (attribute.type !== 'component') return valueSchema(attribute, purpose)
    const { min, max } = attribute
    return attribute.repeatable
      ? Type.Array(componentOf(attribute.component), {
          ...(min === undefined ? {} : { minItems: min }),
          ...(max === undefined ? {} : { maxItems: max }),
        })
      : componentOf(attribute.component)
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
    // A component is replaced as a whole, so a change of an entry holds whole new components.
    const properties = propertiesOf(component, purpose === 'entry' ? 'entry' : 'input')
    const id = Type.Optional(Type.Union([Type.Integer(), Type.String()]))
    return Type.Object({ id, ...properties }, { $id, title: component.displayName })
  }

  return { propertiesOf }
}

function isInverse(attribute: Attribute): boolean {
  return attribute.type === 'relation' && attribute.side === 'inverse'
}

/** `condition` waives `required` while it does not hold, so such a field may have no value. */
function isAlwaysRequired({ required, condition }: Attribute): boolean {
  return required && condition === undefined
}

/** Entries of before a field became required may have nothing in it. */
function mayBeNull(attribute: Attribute, purpose: Purpose): boolean {
  return purpose === 'entry' || !isAlwaysRequired(attribute)
}

function mustBeSent(attribute: Attribute, purpose: Purpose): boolean {
  const hasDefault = 'default' in attribute && attribute.default !== undefined
  return purpose === 'input' && isAlwaysRequired(attribute) && !hasDefault && !isInverse(attribute)
}
