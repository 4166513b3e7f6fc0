import {
  type Attribute,
  type ComponentType,
  type ContentType,
  isInverse,
  isReference,
  isToMany,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'
import type { AddedField, AddedFields } from '../content/content.ts'
import type { TypeFacts } from './content-types.ts'
import type { Reach } from './reach.ts'
import { titleFieldOf } from './title-field.ts'

export interface Describing {
  readonly schemas: Schemas
  readonly reach: Reach
  factsOf(type: ContentType): TypeFacts
  readonly addedFieldsOf: AddedFields
}

/** The description of a content type for clients, limited to what the caller may know. */
export function describeType(type: ContentType, { reach, factsOf, addedFieldsOf }: Describing) {
  const { name, pluralName, displayName, description, kind, system, plugin = null } = type
  const { i18n, workflow: _file, endsDrafts: _endsDrafts, endsTrash: _endsTrash, ...options } = type.options
  const { locales = [], defaultLocale = null, workflow = null } = factsOf(type)
  const attributes = reach.attributesOf(type)
  return {
    ...{ name, kind, system, plugin },
    info: { singularName: name, pluralName, displayName, description },
    options: { ...options, i18n: { enabled: i18n.enabled } },
    pluginOptions: type.pluginOptions,
    indexes: type.indexes.filter(({ fields }) => fields.every((field) => isKnown(field, type, attributes))),
    titleField: titleFieldOf(attributes, type.pluginOptions),
    ...{ locales, defaultLocale, workflow },
    attributes: attributes.map((attribute) => describeAttribute(attribute, attributes)),
    addedFields: addedFieldsOf(type).map(({ name, kind }) => ({ name, type: fieldTypeOf(kind) })),
    referencedBy: referencesTo(type, reach),
  }
}

/** The description of a component for clients, limited to what the caller may know. */
export function describeComponent(component: ComponentType, { reach }: Describing) {
  const { uid, category, displayName, description, icon, plugin = null } = component
  const attributes = reach.attributesOf(component)
  return {
    ...{ uid, category, plugin },
    info: { displayName, description, icon },
    titleField: titleFieldOf(attributes),
    attributes: attributes.map((attribute) => describeAttribute(attribute, attributes)),
  }
}

/** The attribute type that corresponds to the kind of an added column. */
const fieldTypeOf = (kind: AddedField['kind']) => (kind === 'id' || kind === 'reference' ? 'integer' : kind)

/** Whether the caller may know the field of an index; indexes may also cover columns that are not attributes. */
function isKnown(field: string, { attributes }: ContentType, known: readonly Attribute[]): boolean {
  return !attributes.has(field) || known.some(({ name }) => name === field)
}

/** As in the schema file, with the defaults that matter to every client. */
function describeAttribute(attribute: Attribute, known: readonly Attribute[]) {
  const { name, type, required, localized, condition, plugin } = attribute
  const { renamedFrom: _earlier, condition: _asDeclared, ...declared } = attribute.declared
  const isConditionKnown = known.some((other) => other.name === condition?.field)
  return {
    name,
    ...declared,
    ...{ type, required, localized },
    ...(isConditionKnown ? { condition } : {}),
    ...(plugin === undefined ? {} : { plugin }),
    ...(isReference(attribute)
      ? { target: targetNameOf(attribute), many: isToMany(attribute), inverse: isInverse(attribute) }
      : {}),
  }
}

/** The fields of types and components that refer to a type, without inverse sides. */
function referencesTo({ name }: ContentType, reach: Reach) {
  const pointing = (owner: ContentType | ComponentType) =>
    reach
      .attributesOf(owner)
      .filter(
        (attribute) => isReference(attribute) && !isInverse(attribute) && targetNameOf(attribute) === name,
      )
      .map((attribute) => ({ attribute: attribute.name, many: isToMany(attribute) }))
  return [
    ...[...reach.types].flatMap((type) => pointing(type).map((found) => ({ type: type.name, ...found }))),
    ...[...reach.components].flatMap((component) =>
      pointing(component).map((found) => ({ component: component.uid, ...found })),
    ),
  ]
}
