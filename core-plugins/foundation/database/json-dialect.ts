import type { SQL } from 'drizzle-orm'

/**
 * The type as which a value inside a JSON document is read. `text`, `boolean` and `double` are JSON's own types; the
 * others are numbers or texts with their digits, as components store them.
 */
export type JsonType = 'text' | 'boolean' | 'double' | 'integer' | 'decimal' | 'id'

/**
 * Reads JSON documents in SQL: columns of kind `json`, and items of arrays in them. A path is a placeholder bound to
 * the result of `path`; it leads through objects only. No expression fails, whatever the document contains.
 */
export interface JsonDialect {
  /** The form in which the keys of a path to a value are bound; see `isJsonKey`. */
  path(keys: readonly string[]): string
  /**
   * The value at a path; null if it is not of the type. Can be compared with a placeholder of the column kind for
   * such values.
   */
  value(document: SQL, path: string, as: JsonType): SQL
  /** Text with the digits of a number, for comparing with values read as `double`. */
  double(text: SQL): SQL
  /** True if the value at a path is missing or null. */
  isNull(document: SQL, path: string): SQL
  /** True if the value at a path, or of a column, is an object; false or unknown otherwise. */
  isObject(document: SQL, path: string | undefined): SQL
  /** True if a condition holds for some row of `items`, and of the tables joined to it. */
  someItem(items: SQL, condition: SQL): SQL
  /**
   * The source of a select for the items of the array at a path, or of a column that is an array; no rows if it is
   * not one. Columns are written by the service, so their first character shows their type without parsing them
   * again.
   */
  items(document: SQL, path: string | undefined, alias: string): SQL
  /** An item as a document of its own. */
  item(alias: string): SQL
  /** The id in an item; null if the item is not an id. */
  itemId(alias: string): SQL
}

const maxKeyLength = 200

/**
 * Whether all databases find the key by a path. Keys with quotes need different escapes in each, and PostgreSQL takes
 * numbers for array positions.
 */
export function isJsonKey(key: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  return key.length <= maxKeyLength && /^[^"\\\u0000-\u001f]+$/.test(key) && !/^-?\d+$/.test(key)
}
