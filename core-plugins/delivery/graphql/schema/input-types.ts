import {
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import {
  type Attribute,
  type ComponentType,
  type ContentType,
  isInverse,
  isToMany,
} from '../../../foundation/schemas/schemas.ts'
import { anyJson, stringScalar } from './scalars.ts'
import { hasLocales, isReachable, promise, type SchemaParts } from './schema-parts.ts'
import { valueType } from './value-types.ts'
import { blockType } from './zone-inputs.ts'

/** The input for a new entry, with references by id. Callers see which fields are required. */
export function inputType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { input } = parts.names.ofType(type)
  return parts.once(
    input,
    () =>
      new GraphQLInputObjectType({
        name: input,
        fields: () => ({ ...localeInput(type, parts), ...attributeInputs(type, parts, 'new') }),
      }),
  )
}

/** The input for an update: omitted fields do not change. */
export function updateInputType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { input, updateInput } = parts.names.ofType(type)
  return parts.once(
    updateInput,
    () =>
      new GraphQLInputObjectType({
        name: updateInput,
        fields: () => ({ ...localeInput(type, parts), ...attributeInputs(type, parts, 'change') }),
        extensions: { alsoTakes: input },
      }),
  )
}

function localeInput(type: ContentType, parts: SchemaParts): GraphQLInputFieldConfigMap {
  return hasLocales(type, parts) ? { locale: { type: stringScalar } } : {}
}

/** An item of a component, which is always replaced as a whole. */
function componentInput(component: ComponentType, parts: SchemaParts): GraphQLInputObjectType {
  const { input } = parts.names.ofComponent(component.uid)
  return parts.once(
    input,
    () =>
      new GraphQLInputObjectType({
        name: input,
        fields: () => ({ id: { type: anyJson }, ...attributeInputs(component, parts, 'new') }),
      }),
  )
}

function attributeInputs(
  { attributes }: { readonly attributes: ReadonlyMap<string, Attribute> },
  parts: SchemaParts,
  purpose: 'new' | 'change',
): GraphQLInputFieldConfigMap {
  const written = [...attributes.values()].filter(
    (attribute) => !attribute.private && !isInverse(attribute) && isReachable(attribute, parts),
  )
  return Object.fromEntries(
    written.map((attribute) => {
      const type = attributeInput(attribute, parts)
      const isNeeded = purpose === 'new' && parts.promised.has(attribute) && !hasDefault(attribute)
      return [
        attribute.name,
        { type: isNeeded ? promise(type, parts) : type, description: attribute.description },
      ]
    }),
  )
}

function hasDefault(attribute: Attribute): boolean {
  return 'default' in attribute && attribute.default !== undefined
}

function attributeInput(attribute: Attribute, parts: SchemaParts): GraphQLInputType {
  if (attribute.type === 'dynamicZone') {
    const blocks = attribute.components.map((uid) => ({
      uid,
      name: parts.names.ofComponent(uid).object,
      input: () => inputOfComponent(uid, parts),
    }))
    return listOf(blockType(parts.names.ofAttribute(attribute).input, blocks, parts))
  }
  if (attribute.type !== 'component') {
    const type = valueType(attribute, parts)
    return isToMany(attribute) ? listOf(type) : type
  }
  const type = inputOfComponent(attribute.component, parts)
  return attribute.repeatable ? listOf(type) : type
}

/** The inputs of all components. */
export function componentInputs(parts: SchemaParts): GraphQLInputObjectType[] {
  return [...parts.schemas.components.values()].map((component) => componentInput(component, parts))
}

function inputOfComponent(uid: string, parts: SchemaParts): GraphQLInputObjectType {
  const component = parts.schemas.components.get(uid)
  if (component === undefined) throw new Error(`no component ${uid}`)
  return componentInput(component, parts)
}

const listOf = (type: GraphQLInputType) => new GraphQLList(new GraphQLNonNull(type as GraphQLInputObjectType))
