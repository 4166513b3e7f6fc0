import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'

/** The name of the field that holds the component of a block, as in REST. */
export const componentFieldName = '__component'

/**
 * Adds a field to the types of components that introspection does not show: GraphQL reserves names with two underscores, so a
 * schema may not declare one. Documents are validated against the result; callers see a schema without the field.
 */
export function withComponentField(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || typeof type.extensions.uid !== 'string') continue
    type.getFields()[componentFieldName] = {
      name: componentFieldName,
      description: 'The uid of the component.',
      type: new GraphQLNonNull(GraphQLString),
      args: [],
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    }
  }
  return new GraphQLSchema({ ...schema.toConfig(), assumeValid: true })
}
