import { type GraphQLSchema, isObjectType } from 'graphql'
import type { MercuriusLoaders } from 'mercurius'
import { jsonBytes } from '../../../entries/content/content.ts'
import type { GraphqlField, GraphqlFieldQuery } from '../graphql.ts'
import { type Item, sourceOf } from '../plan/projection.ts'
import { meaningOf } from '../schema/meaning.ts'
import type { Execution } from './execution.ts'

/** The loaders of plugins in the format of mercurius: by type and field name. */
export function pluginLoaders(schema: GraphQLSchema): MercuriusLoaders {
  const loaders: MercuriusLoaders = {}
  eachPluginField(schema, (typeName, field, { load }) => {
    const loader = (
      queries: readonly { obj: GraphqlFieldQuery['entry']; params: object }[],
      execution: object,
    ) => {
      const { principal, recipient } = (execution as Execution).call
      const asked = queries.map(({ obj, params }) => ({ entry: obj, args: { ...params } }))
      return load(asked, { principal, recipient })
    }
    loaders[typeName] = { ...loaders[typeName], [field.name]: loader as never }
  })
  return loaders
}

/**
 * Changes the resolvers that mercurius has made of loaders, so that these get only the fields of an entry that they need,
 * which mercurius also uses to tell queries apart. Their results count towards the cost.
 */
export function bindPluginFields(schema: GraphQLSchema): void {
  eachPluginField(schema, (_typeName, field, { needs = [] }) => {
    const { resolve } = field
    if (resolve === undefined) throw new Error(`${field.name} has no loader`)
    field.resolve = async (answer, args, execution, info) => {
      const { [sourceOf]: source } = answer as { readonly [sourceOf]: Item }
      const entry = Object.fromEntries(['id', ...needs].map((name) => [name, source[name]]))
      const value = await resolve(entry, args, execution, info)
      const { call } = execution as Execution
      call.count(1, jsonBytes(value))
      return value
    }
  })
}

type SchemaField = Parameters<typeof meaningOf>[0]

function eachPluginField(
  schema: GraphQLSchema,
  visit: (typeName: string, field: SchemaField, definition: GraphqlField) => void,
): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const meaning = meaningOf(field)
      if (meaning?.kind === 'plugin') visit(type.name, field, meaning.definition)
    }
  }
}
