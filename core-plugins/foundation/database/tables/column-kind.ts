/**
 * What a column holds, in the form in which the rest of the code uses its values:
 *
 * | kind | value |
 * |---|---|
 * | id, reference, integer | number (safe integer) |
 * | bigint, decimal | number where that is exact, otherwise string with all digits; bound as number, string or bigint |
 * | boolean | boolean |
 * | string, text | string, compared by code point; `string` has a `length` and can be indexed |
 * | date | `YYYY-MM-DD` |
 * | datetime | ISO 8601 in UTC with milliseconds, `2026-01-31T08:00:00.000Z` |
 * | json | any JSON value |
 * | point | `{ lat, lng }`, see `Point` |
 */
export type ColumnKind =
  | 'id'
  | 'reference'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'string'
  | 'text'
  | 'date'
  | 'datetime'
  | 'json'
  | 'point'

/** Kinds whose values are stored in the same way and mean the same. */
export function isIntegerKind(kind: ColumnKind): boolean {
  return kind === 'id' || kind === 'reference' || kind === 'integer' || kind === 'bigint'
}
