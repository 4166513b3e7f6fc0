import type { ContentQueries, EntryField } from '../content/content.ts'
import type { ColumnKind } from '../database/database.ts'
import type { AskedFields, GraphqlFeature } from '../graphql/graphql.ts'
import { AppError } from '../http/http.ts'
import type { AggregateFunction, AggregateRequest, Aggregates, MeasuredGroup } from './aggregate.ts'
import { canGroup, fitsFunction } from './aggregate-query.ts'

/** Each is one more column for the database to work out. */
const maxMeasures = 50

const inFields: readonly AggregateFunction[] = ['sum', 'avg', 'min', 'max']

/** Aggregates over GraphQL: all that is asked of one field is worked out by one statement. */
export function aggregateFeature(aggregates: Aggregates, contentQueries: ContentQueries): GraphqlFeature {
  return {
    ofType(type, names) {
      if (type.system || type.kind !== 'collectionType') return {}
      const fields = contentQueries
        .fieldNames(type.name)
        .flatMap((name) => contentQueries.field(type.name, name) ?? [])
      const hasLocale = contentQueries.takes(type.name, 'locale')
      const groups = fields.filter((field) => canGroup(field) && isEnumValue(field.name))
      return {
        types: typesText(names.object, fields, groups),
        queries: {
          [`${names.listField}Aggregate`]: {
            type: `${names.object}Aggregates`,
            description:
              'Counts, sums, averages, smallest and largest values, of all entries or of groups of them',
            arguments: [
              `filters: ${names.filters}, search: String, published: Boolean`,
              ...(groups.length > 0 ? [`groupBy: [${names.object}GroupField!]`] : []),
              ...(hasLocale ? ['locale: String, fallback: Boolean'] : []),
            ].join(', '),
            access: 'permission',
            scope: 'content:read',
            policies: ['content.read'],
            async resolve(args, { asked, principal, recipient }) {
              const request = requestOf(args, asked.data ?? {})
              const found = await aggregates.measure(type.name, request, principal, recipient)
              return { data: found.map((group) => present(group, request)) }
            },
          },
        },
      }
    },
  }
}

/** Values that GraphQL keeps for itself. */
const isEnumValue = (name: string) => !['true', 'false', 'null'].includes(name)

function typesText(object: string, fields: readonly EntryField[], groups: readonly EntryField[]): string {
  const part = (name: string, of: readonly EntryField[], typeOf: (field: EntryField) => string) =>
    of.length === 0
      ? ''
      : `type ${object}${name} { ${of.map((field) => `${field.name}: ${typeOf(field)}`).join(' ')} }`
  const numbers = fields.filter((field) => fitsFunction('sum', field))
  const ordered = fields.filter((field) => fitsFunction('min', field))
  const members = [
    ...(groups.length === 0 ? [] : [`"What the entries of a group have in common." group: ${object}Group`]),
    '"The number of entries." count: Int!',
    `"The number of entries that have a value." counts: ${object}Counts`,
    ...(numbers.length === 0 ? [] : [`sum: ${object}Numbers avg: ${object}Numbers`]),
    ...(ordered.length === 0 ? [] : [`min: ${object}Extremes max: ${object}Extremes`]),
  ]
  return `
    type ${object}Aggregates { "The largest first; at most 1,000 groups." data: [${object}Aggregate!]! }
    type ${object}Aggregate { ${members.join(' ')} }
    ${part('Group', groups, scalarOf)}
    ${part('Counts', fields, () => 'Int!')}
    ${part('Numbers', numbers, () => 'Decimal')}
    ${part('Extremes', ordered, scalarOf)}
    ${groups.length === 0 ? '' : `enum ${object}GroupField { ${groups.map(({ name }) => name).join(' ')} }`}`
}

const scalars: Partial<Readonly<Record<ColumnKind, string>>> = {
  integer: 'Int',
  bigint: 'BigInt',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  datetime: 'DateTime',
}

/** References are grouped by id. */
function scalarOf({ place, kind }: EntryField): string {
  return place === 'value' && kind !== 'id' ? (scalars[kind] ?? 'String') : 'Int'
}

function requestOf(args: Readonly<Record<string, unknown>>, asked: AskedFields): AggregateRequest {
  const { groupBy = [], filters, search, published, locale, fallback } = args
  const parameters = Object.entries({ locale, fallback }).filter(([, value]) => value !== undefined)
  const measures: AggregateRequest['measures'] = [
    { function: 'count' },
    ...Object.keys(asked.counts ?? {}).map((field) => ({ function: 'count' as const, field })),
    ...inFields.flatMap((name) => Object.keys(asked[name] ?? {}).map((field) => ({ function: name, field }))),
  ]
  if (measures.length > maxMeasures) {
    const message = `takes at most ${maxMeasures} values of a group`
    throw AppError.invalid([{ path: 'query', code: 'maxItems', message }])
  }
  return {
    measures: ordered(measures, asked),
    groupBy: groupBy as readonly string[],
    selection: {
      ...(filters === undefined ? {} : { filters }),
      ...(search === undefined ? {} : { search: String(search) }),
      ...(typeof published === 'boolean' ? { published } : {}),
      parameters: Object.fromEntries(parameters),
    },
  }
}

/** Groups are ordered by what is asked for first; the number of entries counts only where it is asked for. */
function ordered(measures: AggregateRequest['measures'], asked: AskedFields): AggregateRequest['measures'] {
  const names = Object.keys(asked)
  const placeOf = ({ function: name, field }: AggregateRequest['measures'][number]) => {
    const place = names.indexOf(name === 'count' && field !== undefined ? 'counts' : name)
    return place === -1 ? names.length : place
  }
  return measures.toSorted((left, right) => placeOf(left) - placeOf(right))
}

function present({ group, values }: MeasuredGroup, { measures }: AggregateRequest) {
  const answer: Record<string, unknown> = { group }
  for (const [index, { function: name, field }] of measures.entries()) {
    const value = values[index] ?? null
    if (field === undefined) answer[name] = value
    else {
      const key = name === 'count' ? 'counts' : name
      answer[key] = { ...(answer[key] as object | undefined), [field]: value }
    }
  }
  return answer
}
