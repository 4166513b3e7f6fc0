import type { SQL } from 'drizzle-orm'

/**
 * What a value inside a JSON document is read as. `text`, `boolean` and `double` are those of JSON; the others are numbers
 * or texts with their digits, as components hold them.
 */
export type JsonType = 'text' | 'boolean' | 'double' | 'integer' | 'decimal' | 'id'

/**
 * Reads JSON documents in SQL: columns of kind `json`, and items of arrays in them. A path is a placeholder that is bound to
 * what `path` makes; it leads through objects only. Nothing here fails, whatever a document holds.
 */
export interface JsonDialect {
  /** The form in which the keys that lead to a value are bound; see `isJsonKey`. */
  path(keys: readonly string[]): string
  /** The value at a path; null if it is not of the type. Compares with a placeholder of the column kind that holds such values. */
  value(document: SQL, path: string, as: JsonType): SQL
  /** Text with the digits of a number, for comparing with values read as `double`. */
  double(text: SQL): SQL
  /** True if there is nothing at a path, or null. */
  isNull(document: SQL, path: string): SQL
  /** True if there is an object at a path, or a column is one; false or unknown otherwise. */
  isObject(document: SQL, path: string | undefined): SQL
  /** True if a condition holds for some row of what `items` answers, and of what is joined to it. */
  someItem(items: SQL, condition: SQL): SQL
  /**
   * What to select from for the items of the array at a path, or of a column that is one; nothing if there is none. Columns are
   * as the service writes them, so their first character tells what they are, without parsing them once more.
   */
  items(document: SQL, path: string | undefined, alias: string): SQL
  /** An item as a document of its own. */
  item(alias: string): SQL
  /** An item that is an id; null otherwise. */
  itemId(alias: string): SQL
}

const maxKeyLength = 200

/**
 * Whether all databases find a key by a path. Those with quotes need escapes that differ, and PostgreSQL takes numbers
 * for places in arrays.
 */
export function isJsonKey(key: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  return key.length <= maxKeyLength && /^[^"\\\u0000-\u001f]+$/.test(key) && !/^-?\d+$/.test(key)
}
