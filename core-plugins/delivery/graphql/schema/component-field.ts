import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'

/** The component of a block, as REST names it. */
export const componentFieldName = '__component'

/**
 * Gives the types of components a field that no introspection shows: names with two underscores are kept for GraphQL
 * itself, so nobody may declare one. Documents are validated against the outcome; callers are told of another schema.
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
