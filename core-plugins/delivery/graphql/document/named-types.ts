import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { rootMeaningOf } from '../schema/meaning.ts'
import type { GraphqlNames } from '../schema/names.ts'

/** Returns the content types that a valid document names anywhere, also in skipped parts and in other operations. */
export type NamedTypes = (document: DocumentNode) => ReadonlySet<string>

export function createNamedTypes(schema: GraphQLSchema, schemas: Schemas, names: GraphqlNames): NamedTypes {
  const owners = new Map<string, string>()
  for (const type of schemas.types.values()) {
    const { object, input, updateInput, filters, relationFilters } = names.ofType(type)
    for (const name of [object, input, updateInput, filters, relationFilters]) owners.set(name, type.name)
  }

  return (document) => {
    const found = new Set<string>()
    const typeInfo = new TypeInfo(schema)
    const meet = (type: GraphQLNamedType | null | undefined) => {
      const owner = owners.get(type?.name ?? '')
      if (owner !== undefined) found.add(owner)
    }
    const visitor = {
      NamedType: ({ name }: { readonly name: { readonly value: string } }) =>
        meet(schema.getType(name.value)),
      Field() {
        const meaning = rootMeaningOf(typeInfo.getFieldDef() ?? undefined)
        const type = meaning !== undefined && 'type' in meaning ? meaning.type : undefined
        if (type !== undefined && schemas.types.has(type)) found.add(type)
        meet(getNamedType(typeInfo.getType()))
      },
      ObjectField: () => meet(getNamedType(typeInfo.getInputType())),
    }
    visit(document, visitWithTypeInfo(typeInfo, visitor))
    return found
  }
}
