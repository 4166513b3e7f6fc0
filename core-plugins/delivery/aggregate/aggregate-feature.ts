import type { ContentQueries, EntryField } from '../../entries/content/content.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type AskedFields, type GraphqlFeature, isEnumValue } from '../graphql/graphql.ts'
import type { AggregateFunction, AggregateRequest, Aggregates, MeasuredGroup } from './aggregate.ts'
import { canGroup, fitsFunction } from './aggregate-query.ts'
import { scalarOf, selectionArguments, selectionOf } from './graphql-words.ts'

/** Limited, since the database computes one more column for each. */
const maxMeasures = 50

const inFields: readonly AggregateFunction[] = ['sum', 'avg', 'min', 'max']

/** Aggregates over GraphQL; one statement computes everything requested within one field. */
export function aggregateFeature(aggregates: Aggregates, contentQueries: ContentQueries): GraphqlFeature {
  return {
    ofType(type, names) {
      if (type.system || type.kind !== 'collectionType') return {}
      const fields = contentQueries
        .fieldNames(type.name)
        .flatMap((name) => contentQueries.field(type.name, name) ?? [])
      const groups = fields.filter((field) => canGroup(field) && isEnumValue(field.name))
      return {
        types: typesText(names.object, fields, groups),
        attributeTypes: ['Group', 'Counts', 'Numbers', 'Extremes', 'GroupField'].map(
          (each) => `${names.object}${each}`,
        ),
        queries: {
          [`${names.listField}Aggregate`]: {
            type: `${names.object}Aggregates`,
            description:
              'Counts, sums, averages, smallest and largest values, of all entries or of groups of them',
            arguments: [
              selectionArguments(type.name, names, contentQueries),
              ...(groups.length > 0 ? [`groupBy: [${names.object}GroupField!]`] : []),
            ].join(', '),
            access: 'permission',
            scope: 'content:read',
            policies: ['content.read'],
            isObserved: true,
            async resolve(args, { asked, principal, recipient }) {
              const selection = selectionOf(type.name, args, contentQueries)
              const request = requestOf(args, asked.data ?? {}, selection)
              const found = await aggregates.measure(type.name, request, principal, recipient)
              return { data: found.map((group) => present(group, request)) }
            },
          },
        },
      }
    },
  }
}

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

function requestOf(
  args: Readonly<Record<string, unknown>>,
  asked: AskedFields,
  selection: AggregateRequest['selection'],
): AggregateRequest {
  const { groupBy = [] } = args
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
    selection,
  }
}

/** Sorts measures as requested, since groups are ordered by the first one; the number of entries comes last unless requested. */
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
