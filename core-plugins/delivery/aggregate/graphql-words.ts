import type { ContentQueries, EntryField } from '../../entries/content/content.ts'
import { addedArgumentsText, type GraphqlTypeNames, scalarOfKind } from '../graphql/graphql.ts'
import type { AggregateRequest } from './aggregate.ts'

/** The scalar of a field's values; references are ids. */
export function scalarOf({ place, kind }: EntryField): string {
  return place === 'value' ? scalarOfKind(kind) : 'Int'
}

/** The arguments that select entries. */
export function selectionArguments(
  type: string,
  { filters }: GraphqlTypeNames,
  contentQueries: ContentQueries,
): string {
  const own = ['filters', 'search', 'typos', 'published', 'locale', 'fallback']
  const added = addedArgumentsText(contentQueries.addedParameters(type), own)
  return [
    `filters: ${filters}, search: String, typos: Boolean, published: Boolean`,
    ...(contentQueries.takes(type, 'locale') ? ['locale: String, fallback: Boolean'] : []),
    ...(added === '' ? [] : [added]),
  ].join(', ')
}

/** Turns those GraphQL arguments into a selection of entries. */
export function selectionOf(
  type: string,
  args: Readonly<Record<string, unknown>>,
  contentQueries: ContentQueries,
): AggregateRequest['selection'] {
  const { filters, search, typos, published, locale, fallback } = args
  const added = Object.keys(contentQueries.addedParameters(type)).map((name) => [name, args[name]] as const)
  const parameters = [...added, ...Object.entries({ locale, fallback })].filter(([, value]) => value != null)
  return {
    ...(filters === undefined ? {} : { filters }),
    ...(search === undefined ? {} : { search: String(search) }),
    ...(typeof typos === 'boolean' ? { typos } : {}),
    ...(typeof published === 'boolean' ? { published } : {}),
    parameters: Object.fromEntries(parameters),
  }
}
