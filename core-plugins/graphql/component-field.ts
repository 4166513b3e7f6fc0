import {
  type FieldNode,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'

export const componentFieldName = '__component'

/**
 * The component of a block, as REST names it. Names with two underscores are kept for GraphQL itself, so no schema can
 * declare this one: it can be asked for everywhere, like `__typename`, and stands in no introspection.
 */
const componentField = {
  name: componentFieldName,
  description: 'The uid of the component.',
  type: new GraphQLNonNull(GraphQLString),
  args: [],
  deprecationReason: undefined,
  extensions: {},
  astNode: undefined,
} as GraphQLField<unknown, unknown>

/** The field that a node names in a type. */
export function fieldDefinition(
  schema: GraphQLSchema,
  parentType: GraphQLType,
  { name: { value: name } }: Pick<FieldNode, 'name'>,
): GraphQLField<unknown, unknown> | undefined {
  const isQuery = schema.getQueryType() === parentType
  if (name === SchemaMetaFieldDef.name && isQuery) return SchemaMetaFieldDef
  if (name === TypeMetaFieldDef.name && isQuery) return TypeMetaFieldDef
  if (name === TypeNameMetaFieldDef.name && isCompositeType(parentType)) return TypeNameMetaFieldDef
  if (name === componentFieldName && isComponent(parentType)) return componentField
  if (isObjectType(parentType) || isInterfaceType(parentType)) return parentType.getFields()[name]
  return undefined
}

/** Unions are those of zones; the object types of components say so. */
function isComponent(type: GraphQLType): boolean {
  if (!isCompositeType(type)) return false
  return !isObjectType(type) || typeof type.extensions.uid === 'string'
}
