import {
  type ContentQueries,
  type EntryField,
  type FieldInside,
  objectParameter,
  type PageLimits,
  parseBoolean,
} from '../../entries/content/content.ts'
import { type ErrorDetail, parseQueryString, type QueryValue } from '../../foundation/http/http.ts'
import type { DistinctRequest } from './aggregate.ts'
import { groupingProblem, namesIn } from './aggregate-query.ts'

/** The requested distinct values, checked against the type. */
export interface DistinctQuery {
  readonly fields: readonly EntryField[]
  /** The types that the paths of fields traverse. */
  readonly lookedInto: readonly string[]
  readonly order: DistinctOrder
  readonly limit: number
  readonly offset: number
  /** Whether the filters on a field also restrict its own values. */
  readonly ownFilters: boolean
  /** The names of the fields whose related entries are returned. */
  readonly populated: readonly string[]
}

export interface DistinctOrder {
  readonly by: 'count' | 'value'
  readonly direction: 'asc' | 'desc'
}

/** The parameters that this module reads; all others select or populate entries, as in lists. */
export const ownDistinctParameters = ['field', 'sort', 'limit', 'offset', 'ownFilters'] as const

/** Limited, since each takes a statement that reads every entry of the selection. */
const maxFields = 10

interface Parsing {
  readonly type: string
  /** Finds the fields of the type that callers may use. */
  readonly contentQueries: Pick<ContentQueries, 'field' | 'fieldInside'>
  readonly limits: PageLimits
  readonly problems: ErrorDetail[]
}

/** Adds errors to `problems`; the result is valid only if there are none. */
export function parseDistinctQuery(rawQuery: string, parsing: Parsing): DistinctQuery {
  const raw = parseQueryString(rawQuery)
  const { problems, limits } = parsing
  const { fields, lookedInto } = parseFields(raw.field, parsing)
  return {
    fields,
    lookedInto,
    order: parseOrder(raw.sort, problems),
    limit: Math.min(parseCount(raw.limit, 'limit', problems) ?? limits.defaultLimit, limits.maxLimit),
    offset: parseCount(raw.offset, 'offset', problems) ?? 0,
    ownFilters: parseOwnFilters(raw.ownFilters, problems),
    // Other errors in `populate` are reported by the selection of entries.
    populated: parsePopulated(objectParameter({ raw, problems: [] }, 'populate'), fields, problems),
  }
}

/** Like `parseDistinctQuery`, for requests without a query string. */
export function resolveDistinctQuery(
  { fields, sort, limit, offset = 0, ownFilters = true }: DistinctRequest,
  parsing: Parsing,
): DistinctQuery {
  const { limits, problems } = parsing
  return {
    ...parseFields([...fields], parsing),
    order: parseOrder(sort, problems),
    limit: Math.min(limit ?? limits.defaultLimit, limits.maxLimit),
    offset,
    ownFilters,
    populated: [],
  }
}

function parseFields(
  value: QueryValue | undefined,
  parsing: Parsing,
): Pick<DistinctQuery, 'fields' | 'lookedInto'> {
  const { problems } = parsing
  const path = 'field'
  if (value === undefined) {
    problems.push({ path, code: 'required', message: 'names the fields whose values are wanted' })
    return { fields: [], lookedInto: [] }
  }
  const names = [...new Set(namesIn(value))]
  if (names.length > maxFields) {
    problems.push({ path, code: 'maxItems', message: `takes at most ${maxFields} fields` })
    return { fields: [], lookedInto: [] }
  }
  const found = names.map((name) => findField(name, parsing))
  for (const { problem } of found) if (problem !== undefined) problems.push({ path, ...problem })
  const fields = found.flatMap(({ field, problem }) => (field === undefined || problem ? [] : [field]))
  return {
    fields: [...new Map(fields.map((field) => [field.name, field])).values()],
    lookedInto: found.flatMap(({ lookedInto }) => lookedInto),
  }
}

/** A field of the entry itself, or a nested one: `seo.title`. */
function findField(name: QueryValue, { type, contentQueries }: Parsing): FieldInside {
  if (typeof name === 'string' && name.includes('.')) return contentQueries.fieldInside(type, name)
  const field = typeof name === 'string' ? contentQueries.field(type, name) : undefined
  const message = groupingProblem(name, field)
  if (message === undefined && field !== undefined) return { field, lookedInto: [] }
  return {
    problem: { code: field === undefined ? 'unknown' : 'type', message: message ?? '' },
    lookedInto: [],
  }
}

/** By default the most frequent values first. */
function parseOrder(value: QueryValue | undefined, problems: ErrorDetail[]): DistinctOrder {
  const text = value === undefined ? 'count' : value
  const parts = typeof text === 'string' ? /^(count|value)(?::(asc|desc))?$/.exec(text) : null
  if (parts === null)
    problems.push({ path: 'sort', code: 'enum', message: 'is count or value, with :asc or :desc if need be' })
  const by = parts?.[1] === 'value' ? 'value' : 'count'
  const usual = by === 'count' ? 'desc' : 'asc'
  return { by, direction: (parts?.[2] as 'asc' | 'desc' | undefined) ?? usual }
}

function parseCount(
  value: QueryValue | undefined,
  path: string,
  problems: ErrorDetail[],
): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  problems.push({ path, code: 'type', message: 'must be a whole number, 0 or more' })
  return undefined
}

function parseOwnFilters(value: QueryValue | undefined, problems: ErrorDetail[]): boolean {
  if (value === undefined) return true
  const parsed = parseBoolean(value)
  if ('value' in parsed) return parsed.value === true
  problems.push({ path: 'ownFilters', code: 'type', message: parsed.problem })
  return true
}

/** Other errors in it are reported by content. */
function parsePopulated(value: unknown, fields: readonly EntryField[], problems: ErrorDetail[]): string[] {
  const paths = pathsIn(value).filter((path) => typeof path === 'string')
  const names = [...new Set(paths.map((path) => path.trim().split('.')[0] ?? ''))].filter(
    (name) => name !== '',
  )
  for (const name of names) {
    if (fields.some((field) => field.name === name && field.target !== undefined)) continue
    const message = `${name.slice(0, 100)} is no relation or media field among those whose values are wanted`
    problems.push({ path: 'populate', code: 'unknown', message })
  }
  return names
}

/** Accepts `populate=a,b.c`, `populate[]=a`, or fields by name with options. */
function pathsIn(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return value.split(',')
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
