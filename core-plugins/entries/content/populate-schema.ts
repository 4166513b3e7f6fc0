import { type TSchema, Type } from 'typebox'
import {
  type Attribute,
  type ComponentsAttribute,
  type ComponentType,
  type ContentType,
  holdsComponents,
  isReference,
  isToMany,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'
import { objectOrText } from './object-or-text.ts'

/*
 * The schema of `populate` in its object form, where fields have options. As with filters, the document resolves the schemas of
 * other types; it contains only those that the caller may read.
 */

/** The fields of a type that can be populated, each with its options. */
export function populateSchema(type: ContentType, { components }: Schemas): TSchema {
  return levelSchema(type, {
    options: { $id: `${type.name}.populate`, title: `What to populate of ${type.pluralName}` },
    writer: { components, written: new Set() },
  })
}

/** Keeps track of the components that a schema already contains; the others refer to them. */
interface PopulateWriter {
  readonly components: Schemas['components']
  readonly written: Set<string>
}

interface Level {
  readonly options: { readonly $id: string; readonly title: string }
  readonly writer: PopulateWriter
}

function levelSchema({ attributes }: ContentType | ComponentType, { options, writer }: Level): TSchema {
  const fields = [...attributes.values()].flatMap((attribute): [string, TSchema][] => {
    const schema = attribute.private ? undefined : optionsSchema(attribute, writer)
    return schema === undefined ? [] : [[attribute.name, optional(Type.Boolean(), schema)]]
  })
  return Type.Object(Object.fromEntries(fields), options)
}

const optional = (...alternatives: TSchema[]) => Type.Optional(Type.Union(alternatives))

/** Undefined if the attribute has nothing to populate. */
function optionsSchema(attribute: Attribute, writer: PopulateWriter): TSchema | undefined {
  if (isReference(attribute)) return referenceOptions(attribute)
  return holdsComponents(attribute) ? componentsOptions(attribute, writer) : undefined
}

const text = (description: string) => Type.Optional(Type.String({ description }))

function referenceOptions(attribute: ReferenceAttribute): TSchema {
  const target = targetNameOf(attribute)
  const ofTarget = (name: string) =>
    Type.Object({}, { additionalProperties: true, 'x-schema': `${target}.${name}` })
  return Type.Object({
    fields: text('Separated by commas'),
    filters: Type.Optional(ofTarget('filters')),
    populate: Type.Optional(objectOrText(ofTarget('populate'))),
    ...(isToMany(attribute) ? optionsOfMany : {}),
  })
}

const optionsOfMany = {
  sort: text('As in lists, for each entry by itself'),
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  total: Type.Optional(Type.Boolean({ description: 'True: `_totals` of the entry says how many there are' })),
}

/**
 * For a zone, `on` has options for single components and `populate` options for all of them. Undefined if nothing in them can be
 * populated.
 */
function componentsOptions(attribute: ComponentsAttribute, writer: PopulateWriter): TSchema | undefined {
  if (attribute.type === 'component') return insideComponent(attribute.component, writer)
  const on = attribute.components.flatMap((uid): [string, TSchema][] => {
    const inside = insideComponent(uid, writer)
    return inside === undefined ? [] : [[uid, optional(Type.Boolean(), inside)]]
  })
  if (on.length === 0) return undefined
  return Type.Object({
    populate: Type.Optional(objectOrText(Type.Object({}, { additionalProperties: true }))),
    on: Type.Optional(Type.Object(Object.fromEntries(on))),
  })
}

function insideComponent(uid: string, writer: PopulateWriter): TSchema | undefined {
  const $id = `component.${uid}.populate`
  const component = writer.components.get(uid)
  if (component === undefined) throw new Error(`the component ${uid} is not declared`)
  if (!hasPopulated(component)) return undefined
  return Type.Object({ populate: Type.Optional(objectOrText(componentLevel(component, { $id, writer }))) })
}

function hasPopulated({ attributes }: ComponentType): boolean {
  return [...attributes.values()].some(
    (attribute) => !attribute.private && (isReference(attribute) || holdsComponents(attribute)),
  )
}

interface ComponentPlace {
  readonly $id: string
  readonly writer: PopulateWriter
}

function componentLevel(component: ComponentType, { $id, writer }: ComponentPlace): TSchema {
  if (writer.written.has(component.uid)) return Type.Ref($id)
  writer.written.add(component.uid)
  const options = { $id, title: `What to populate of ${component.displayName}` }
  return levelSchema(component, { options, writer })
}
