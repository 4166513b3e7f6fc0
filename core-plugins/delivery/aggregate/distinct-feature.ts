import { Type } from 'typebox'
import type { ContentQueries, EntryField } from '../../entries/content/content.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { EntryReference, type GraphqlFeature } from '../graphql/graphql.ts'
import type { Aggregates, DistinctResult } from './aggregate.ts'
import { canGroup } from './aggregate-query.ts'
import { scalarOf, selectionArguments, selectionOf } from './graphql-words.ts'

/** The type names of values, equal to their scalars. */
const valueTypes = ['Int', 'BigInt', 'Decimal', 'Boolean', 'Date', 'DateTime', 'String']

const types = `
  ${valueTypes.map((name) => valuesText(name, name, '')).join(' ')}
  ${valuesText('Entry', 'Int', '"Null where it is hidden from the caller." entry: AnyEntry')}
  type DistinctInside { "As the argument has it." path: String! values: [DistinctInsideValue!]! hasMore: Boolean! }
  type DistinctInsideValue { value: JSON count: Int! "Of paths that end with a reference." entry: AnyEntry }`

/** Cannot collide, since attribute names do not begin with `_`. */
const insideField = '_inside'

function valuesText(name: string, scalar: string, more: string): string {
  return `
    type Distinct${name}Values { values: [Distinct${name}Value!]! "Whether there are more values." hasMore: Boolean! }
    type Distinct${name}Value { value: ${scalar} "The number of entries that have it." count: Int! ${more} }`
}

const takes = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
})

/** Distinct values over GraphQL, for the selected fields. */
export function distinctFeature(
  aggregates: Aggregates,
  contentQueries: ContentQueries,
  schemas: Schemas,
): GraphqlFeature {
  /** `AnyEntry` covers content types only. */
  const isEntry = ({ target }: EntryField) => target !== undefined && schemas.types.has(target)
  const shown = (found: DistinctResult, field: EntryField) =>
    isEntry(field) ? withEntries(found, field) : found[field.name]

  return {
    types,
    ofType(type, names) {
      if (type.system || type.kind !== 'collectionType') return {}
      const fields = contentQueries
        .fieldNames(type.name)
        .flatMap((name) => contentQueries.field(type.name, name) ?? [])
        .filter(canGroup)
      if (fields.length === 0) return {}
      const typeOf = (field: EntryField) => `Distinct${isEntry(field) ? 'Entry' : scalarOf(field)}Values`
      return {
        types: `type ${names.object}Distinct {
          ${fields.map((field) => `${field.name}: ${typeOf(field)}`).join(' ')}
          "The values at the paths of the argument \`inside\`." ${insideField}: [DistinctInside!]
        }`,
        attributeTypes: [`${names.object}Distinct`],
        queries: {
          [`${names.listField}Distinct`]: {
            type: `${names.object}Distinct`,
            description:
              'The values of the fields that are selected, each with the number of entries that have it',
            arguments: `${selectionArguments(type.name, names, contentQueries)}, inside: [String!], ownFilters: Boolean, sort: String, limit: Int, offset: Int`,
            access: 'permission',
            scope: 'content:read',
            policies: ['content.read'],
            isObserved: true,
            takes,
            effort: (_args, asked) => ({ statements: Object.keys(asked).length }),
            async resolve({ ownFilters, sort, limit, offset, ...args }, { asked, principal, recipient }) {
              const request = { ownFilters, sort, limit, offset } as Options
              const chosen = fields.filter(({ name }) => Object.hasOwn(asked, name))
              const paths = Object.hasOwn(asked, insideField) ? ((args.inside ?? []) as string[]) : []
              const found = await aggregates.distinctValues(
                type.name,
                {
                  ...request,
                  fields: [...chosen.map(({ name }) => name), ...paths],
                  selection: selectionOf(type.name, args, contentQueries),
                },
                principal,
                recipient,
              )
              const inside = paths.map((path) => {
                const field = contentQueries.fieldInside(type.name, path).field
                return { path, ...(field && shown(found, field)) }
              })
              return {
                ...Object.fromEntries(chosen.map((field) => [field.name, shown(found, field)])),
                [insideField]: inside,
              }
            },
          },
        },
      }
    },
  }
}

interface Options {
  readonly ownFilters: boolean | undefined
  readonly sort: string | undefined
  readonly limit: number | undefined
  readonly offset: number | undefined
}

function withEntries(found: DistinctResult, { name, target = '' }: EntryField) {
  const { values = [], hasMore = false } = found[name] ?? {}
  const shown = values.map((each) => ({
    ...each,
    entry: each.value === null ? null : new EntryReference(target, Number(each.value)),
  }))
  return { values: shown, hasMore }
}
