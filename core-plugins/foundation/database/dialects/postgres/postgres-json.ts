import { type SQL, sql } from 'drizzle-orm'
import type { JsonDialect, JsonType } from '../../json-dialect.ts'

/** Columns of kind `json` are stored as text, hence the cast. */
const found = (document: SQL, path: string) => sql`(${document}::jsonb #> ${sql.placeholder(path)}::text[])`
const textOf = (json: SQL) => sql`(${json} #>> '{}')`

export const postgresJson: JsonDialect = {
  path: (keys) => `{${keys.map((key) => `"${key}"`).join(',')}}`,
  value,
  double: (text) => sql`(${text})::float8`,
  isNull: (document, path) => sql`coalesce(jsonb_typeof${found(document, path)}, 'null') = 'null'`,
  isObject: (document, path) =>
    path === undefined ? sql`${document} like '{%'` : sql`jsonb_typeof${found(document, path)} = 'object'`,
  items(document, path, alias) {
    const array =
      path === undefined
        ? sql`case when ${document} like '[%' then ${document}::jsonb end`
        : sql`case when jsonb_typeof${found(document, path)} = 'array' then ${found(document, path)} end`
    const items = sql`jsonb_array_elements(${array})`
    return sql`${items} ${sql.identifier(alias)}(value)`
  },
  item: (alias) => sql`${sql.identifier(alias)}.value`,
  someItem: (items, condition) => sql`exists (select 1 from ${items} where ${condition})`,
  itemId: (alias) => numberIn(textOf(sql`${sql.identifier(alias)}.value`), 'id'),
}

function value(document: SQL, path: string, as: JsonType): SQL {
  const json = found(document, path)
  const text = textOf(json)
  const isOf = (type: 'string' | 'boolean' | 'number') => sql`jsonb_typeof${json} = ${sql.raw(`'${type}'`)}`
  switch (as) {
    case 'text':
      return sql`(case when ${isOf('string')} then ${text} end collate "C")`
    case 'boolean':
      return sql`case when ${isOf('boolean')} then ${text}::boolean end`
    case 'double':
      return sql`case when ${isOf('number')} then ${text}::float8 end`
    default:
      return numberIn(text, as)
  }
}

/**
 * A cast fails for any other text, so the pattern is checked first. As a bigint, an id can use the index on ids;
 * other numbers are compared as numeric.
 */
const numbers = {
  id: { pattern: '^[0-9]{1,15}$', type: 'bigint' },
  integer: { pattern: '^-?[0-9]{1,19}$', type: 'numeric' },
  decimal: { pattern: '^-?[0-9]{1,50}(\\.[0-9]{1,50})?$', type: 'numeric' },
} as const

function numberIn(text: SQL, as: keyof typeof numbers): SQL {
  const { pattern, type } = numbers[as]
  return sql`case when ${text} ~ ${sql.raw(`'${pattern}'`)} then ${text}::${sql.raw(type)} end`
}
