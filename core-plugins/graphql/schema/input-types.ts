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
} from '../../schemas/schemas.ts'
import { anyJson, jsonScalar, stringScalar } from './scalars.ts'
import { hasLocales, type SchemaParts } from './schema-parts.ts'
import { valueType } from './value-types.ts'

/** What an entry is written with: references by id. What is required is checked as REST does, all at once. */
export function inputType(type: ContentType, parts: SchemaParts): GraphQLInputObjectType {
  const { input } = parts.names.ofType(type)
  return parts.once(
    input,
    () =>
      new GraphQLInputObjectType({
        name: input,
        fields: () => ({
          ...(hasLocales(type, parts) ? { locale: { type: stringScalar } } : {}),
          ...attributeInputs(type, parts),
        }),
      }),
  )
}

function componentInput(component: ComponentType, parts: SchemaParts): GraphQLInputObjectType {
  const { input } = parts.names.ofComponent(component.uid)
  return parts.once(
    input,
    () =>
      new GraphQLInputObjectType({
        name: input,
        fields: () => ({ id: { type: anyJson }, ...attributeInputs(component, parts) }),
      }),
  )
}

function attributeInputs(
  { attributes }: { readonly attributes: ReadonlyMap<string, Attribute> },
  parts: SchemaParts,
): GraphQLInputFieldConfigMap {
  const written = [...attributes.values()].filter((attribute) => !attribute.private && !isInverse(attribute))
  return Object.fromEntries(
    written.map((attribute) => [
      attribute.name,
      { type: attributeInput(attribute, parts), description: attribute.description },
    ]),
  )
}

function attributeInput(attribute: Attribute, parts: SchemaParts): GraphQLInputType {
  if (attribute.type === 'dynamicZone') {
    const { input } = parts.names.ofAttribute(attribute)
    const description = `A list of blocks, each with __component: ${attribute.components.join(', ')}.`
    return parts.once(input, () => jsonScalar(input, description))
  }
  if (attribute.type !== 'component') {
    const type = valueType(attribute, parts)
    return isToMany(attribute) ? new GraphQLList(new GraphQLNonNull(type)) : type
  }
  const component = parts.schemas.components.get(attribute.component)
  if (component === undefined) throw new Error(`no component ${attribute.component}`)
  const type = componentInput(component, parts)
  return attribute.repeatable ? new GraphQLList(new GraphQLNonNull(type)) : type
}
