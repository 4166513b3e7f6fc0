import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  isUnionType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
} from 'graphql'

/** Each locale version of an entry is an entity of its own, with its own id and UUID. */
const keys = ['id', 'uuid'].map(
  (name): ConstDirectiveNode => ({
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: 'key' },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'fields' },
        value: { kind: Kind.STRING, value: name },
      },
    ],
  }),
)

/** The union of the types with keys. */
export const entityName = '_Entity'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])'

const kept = new WeakMap<GraphQLSchema, string>()

/** The schema text from which a supergraph is composed: with the keys of entries, without the federation fields themselves. */
export function subgraphText(schema: GraphQLSchema): string {
  const present = kept.get(schema)
  if (present !== undefined) return present
  const entities = schema.getType(entityName)
  const names = new Set(isUnionType(entities) ? entities.getTypes().map(({ name }) => name) : [])
  const definitions = parse(printSchema(schema), { noLocation: true }).definitions.flatMap((each) =>
    isOfFederation(each) ? [] : [forSubgraph(each, names)],
  )
  const text = `${link}\n\n${print({ kind: Kind.DOCUMENT, definitions })}\n`
  kept.set(schema, text)
  return text
}

function isOfFederation(definition: DefinitionNode): boolean {
  return 'name' in definition && definition.name?.value.startsWith('_') === true
}

function forSubgraph(definition: DefinitionNode, entities: ReadonlySet<string>): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition
  if (definition.name.value === 'Query') return withoutFederation(definition)
  return entities.has(definition.name.value) ? { ...definition, directives: keys } : definition
}

function withoutFederation(query: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  return { ...query, fields: query.fields?.filter(({ name }) => !name.value.startsWith('_')) ?? [] }
}
