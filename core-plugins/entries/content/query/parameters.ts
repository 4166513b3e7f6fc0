import { type ErrorDetail, parseQueryString } from '../../../foundation/http/http.ts'
import type { EntryQuery } from '../entry-query.ts'
import { parseBoolean } from './filter-value.ts'

/** The parameters of a query, and the problems found in them so far. */
export interface ParameterReader {
  /** By name, as sent. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly problems: ErrorDetail[]
}

/** The parameters of a query string, or those that another plugin passes, except the ones named in `unread`. */
export function parametersOf(
  source: string | EntryQuery,
  unread: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (typeof source === 'string') {
    const sent = parseQueryString(source)
    return unread.length === 0
      ? sent
      : Object.fromEntries(Object.entries(sent).filter(([name]) => !unread.includes(name)))
  }
  const { populate: _populate, showsIds: _showsIds, parameters = {}, ...own } = source
  return Object.fromEntries(
    Object.entries({ ...own, ...parameters }).filter(([, value]) => value !== undefined),
  )
}

/** Reports the parameters that the query does not take. */
export function reportUnknown({ raw, problems }: ParameterReader, allowed: ReadonlySet<string>): void {
  for (const path of Object.keys(raw)) {
    if (allowed.has(path)) continue
    problems.push({ path, code: 'unknown', message: `is not one of ${[...allowed].join(', ')}` })
  }
}

/** A parameter as text; undefined if it is missing or wrong. */
export function textParameter({ raw, problems }: ParameterReader, path: string): string | undefined {
  const value = raw[path]
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  problems.push({ path, code: 'type', message: 'must be text' })
  return undefined
}

/** A parameter as a boolean; undefined if it is missing or wrong. */
export function booleanParameter(reader: ParameterReader, path: string): boolean | undefined {
  const text = textParameter(reader, path)
  if (text === undefined) return undefined
  const parsed = parseBoolean(text)
  if ('value' in parsed) return parsed.value === true
  reader.problems.push({ path, code: 'type', message: parsed.problem })
  return undefined
}

/** A parameter as a count; undefined if it is missing or wrong. */
export function countParameter(reader: ParameterReader, path: string): number | undefined {
  const text = textParameter(reader, path)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  reader.problems.push({ path, code: 'type', message: 'must be a whole number, 0 or more' })
  return undefined
}
