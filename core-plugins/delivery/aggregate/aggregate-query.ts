import type { EntryField } from '../../entries/content/content.ts'
import { type ErrorDetail, parseQueryString, type QueryValue } from '../../foundation/http/http.ts'
import type { AggregateFunction, AggregateRequest } from './aggregate.ts'

/** A value to compute from the entries of a group. */
export interface Measure {
  readonly function: AggregateFunction
  /** Undefined only for a `count` of entries. */
  readonly field: EntryField | undefined
}

/** The requested aggregate, checked against the type. */
export interface AggregateQuery {
  /** One or more; groups are ordered by the first. */
  readonly measures: readonly Measure[]
  readonly groupBy: readonly EntryField[]
}

export const aggregateFunctions: readonly AggregateFunction[] = ['count', 'sum', 'avg', 'min', 'max']

/** The parameters that this module reads; all others select entries, as in lists. */
export const ownParameters = ['function', 'field', 'groupBy'] as const

/** Limited, since every field divides the groups further and the statement has to hold them all. */
const maxGroupFields = 5

/** Finds a field of the type that callers may use. */
type FindField = (name: string) => EntryField | undefined

/** Adds errors to `problems`; the result is valid only if there are none. */
export function parseAggregateQuery(
  rawQuery: string,
  findField: FindField,
  problems: ErrorDetail[],
): AggregateQuery {
  const raw = parseQueryString(rawQuery)
  const wanted = parseFunction(raw.function, problems)
  return {
    measures: [{ function: wanted ?? 'count', field: parseField(raw.field, wanted, findField, problems) }],
    groupBy: parseGroupBy(raw.groupBy, findField, problems),
  }
}

/** Like `parseAggregateQuery`, for requests without a query string. */
export function resolveAggregateQuery(
  { measures, groupBy }: AggregateRequest,
  findField: FindField,
  problems: ErrorDetail[],
): AggregateQuery {
  return {
    measures: measures.map((measure) => ({
      function: measure.function,
      field: parseField(measure.field, measure.function, findField, problems),
    })),
    groupBy: parseGroupBy([...groupBy], findField, problems),
  }
}

function parseFunction(
  value: QueryValue | undefined,
  problems: ErrorDetail[],
): AggregateFunction | undefined {
  const found = aggregateFunctions.find((name) => name === value)
  if (found !== undefined) return found
  const code = value === undefined ? 'required' : 'enum'
  problems.push({ path: 'function', code, message: `must be one of ${aggregateFunctions.join(', ')}` })
  return undefined
}

function parseField(
  value: QueryValue | undefined,
  wanted: AggregateFunction | undefined,
  findField: FindField,
  problems: ErrorDetail[],
): EntryField | undefined {
  const path = 'field'
  if (value === undefined) {
    const isNeeded = wanted !== undefined && wanted !== 'count'
    if (isNeeded) problems.push({ path, code: 'required', message: `${wanted} needs a field` })
    return undefined
  }
  const field = typeof value === 'string' ? findField(value) : undefined
  if (field === undefined) {
    problems.push({ path, code: 'unknown', message: `there is no field ${shown(value)}` })
    return undefined
  }
  const problem = wanted === undefined ? undefined : misfit(wanted, field)
  if (problem !== undefined) problems.push({ path, code: 'type', message: `${wanted} ${problem}` })
  return field
}

/** Whether a function can be applied to a field. */
export function fitsFunction(name: AggregateFunction, field: EntryField): boolean {
  return misfit(name, field) === undefined
}

/** Whether entries can be grouped by a field. */
export function canGroup(field: EntryField): boolean {
  return groupingProblem(field.name, field) === undefined
}

/** Why a function cannot be applied to a field. */
function misfit(wanted: AggregateFunction, { place, kind, name }: EntryField): string | undefined {
  if (wanted === 'count') return undefined
  if (wanted === 'sum' || wanted === 'avg') {
    const isNumeric = place === 'value' && numericKinds.has(kind)
    return isNumeric ? undefined : `needs a field of numbers, which ${name} is not`
  }
  const isOrdered = place === 'value' && !unorderedKinds.has(kind)
  return isOrdered ? undefined : `needs a field whose values have an order, which those of ${name} have not`
}

const unorderedKinds: ReadonlySet<string> = new Set(['json', 'point'])

const numericKinds: ReadonlySet<string> = new Set(['id', 'integer', 'bigint', 'decimal'])

function parseGroupBy(
  value: QueryValue | undefined,
  findField: FindField,
  problems: ErrorDetail[],
): EntryField[] {
  if (value === undefined) return []
  const names = [...new Set(namesIn(value))]
  const path = 'groupBy'
  if (names.length > maxGroupFields) {
    problems.push({ path, code: 'maxItems', message: `takes at most ${maxGroupFields} fields` })
    return []
  }
  const fields = names.flatMap((name) => {
    const field = typeof name === 'string' ? findField(name) : undefined
    const problem = groupingProblem(name, field)
    if (problem === undefined && field !== undefined) return [field]
    problems.push({ path, code: field === undefined ? 'unknown' : 'type', message: problem ?? '' })
    return []
  })
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}

/** Accepts `groupBy[]=a&groupBy[]=b` and `groupBy=a,b`. */
export function namesIn(value: QueryValue): QueryValue[] {
  if (typeof value === 'string') return value.split(',').map((name) => name.trim())
  return Array.isArray(value) ? value : [value]
}

export function groupingProblem(name: QueryValue, field: EntryField | undefined): string | undefined {
  if (field === undefined) return `there is no field ${shown(name)} to group by`
  if (unorderedKinds.has(field.kind)) return `${field.name} has no single value to group by`
  if (field.place === 'inverse') {
    return `${field.name} is the inverse side of a relation; group the entries on its other side`
  }
  return undefined
}

function shown(value: QueryValue): string {
  return typeof value === 'string' ? value.slice(0, 100) : 'of that form'
}
