import type { ContentQueries, EntryField } from '../content/content.ts'
import type { ColumnKind } from '../database/database.ts'
import type { GraphqlTypeNames } from '../graphql/graphql.ts'
import type { AggregateRequest } from './aggregate.ts'

const scalars: Partial<Readonly<Record<ColumnKind, string>>> = {
  integer: 'Int',
  bigint: 'BigInt',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  datetime: 'DateTime',
}

/** The type of a field's values; references are known by id. */
export function scalarOf({ place, kind }: EntryField): string {
  return place === 'value' && kind !== 'id' ? (scalars[kind] ?? 'String') : 'Int'
}

/** The arguments that say which entries count. */
export function selectionArguments(
  type: string,
  { filters }: GraphqlTypeNames,
  contentQueries: ContentQueries,
): string {
  const hasLocale = contentQueries.takes(type, 'locale')
  return `filters: ${filters}, search: String, typos: Boolean, published: Boolean${hasLocale ? ', locale: String, fallback: Boolean' : ''}`
}

/** What they say. */
export function selectionOf(args: Readonly<Record<string, unknown>>): AggregateRequest['selection'] {
  const { filters, search, typos, published, locale, fallback } = args
  const parameters = Object.entries({ locale, fallback }).filter(([, value]) => value !== undefined)
  return {
    ...(filters === undefined ? {} : { filters }),
    ...(search === undefined ? {} : { search: String(search) }),
    ...(typeof typos === 'boolean' ? { typos } : {}),
    ...(typeof published === 'boolean' ? { published } : {}),
    parameters: Object.fromEntries(parameters),
  }
}
