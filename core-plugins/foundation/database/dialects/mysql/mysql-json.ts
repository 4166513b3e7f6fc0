import { type SQL, sql } from 'drizzle-orm'
import type { JsonDialect, JsonType } from '../../json-dialect.ts'

const found = (document: SQL, path: string) => sql`json_extract(${document}, ${sql.placeholder(path)})`

const numberTypes = sql.raw("('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')")

/** @param collation the collation in which texts are compared */
export function createMysqlJson(collation: string): JsonDialect {
  const collate = sql.raw(`collate ${collation}`)
  // MySQL 9.7 compares type names, in a collation of their own, with none of our texts; MariaDB has them in utf8mb3.
  const typeOf = (json: SQL) => sql`convert(json_type(${json}) using utf8mb4) ${collate}`
  const textOf = (json: SQL) => sql`json_unquote(${json}) ${collate}`

  function value(document: SQL, path: string, as: JsonType): SQL {
    const json = found(document, path)
    const text = textOf(json)
    switch (as) {
      case 'text':
        return sql`case when ${typeOf(json)} = 'STRING' then ${text} end`
      case 'boolean':
        return sql`case when ${typeOf(json)} = 'BOOLEAN' then ${text} = 'true' end`
      case 'double':
        return sql`case when ${typeOf(json)} in ${numberTypes} then cast(${text} as double) end`
      default:
        return numberIn(text, as)
    }
  }

  return {
    path: (keys) => `$${keys.map((key) => `."${key}"`).join('')}`,
    value,
    double: (text) => sql`cast(${text} as double)`,
    isNull: (document, path) => sql`coalesce(${typeOf(found(document, path))}, 'NULL') = 'NULL'`,
    isObject: (document, path) =>
      path === undefined ? sql`${document} like '{%'` : sql`${typeOf(found(document, path))} = 'OBJECT'`,
    items(document, path, alias) {
      const array =
        path === undefined
          ? sql`case when ${document} like '[%' then ${document} end`
          : sql`case when ${typeOf(found(document, path))} = 'ARRAY' then ${found(document, path)} end`
      return sql`json_table(${array}, '$[*]' columns (value json path '$')) ${sql.identifier(alias)}`
    },
    item: (alias) => sql`${sql.identifier(alias)}.value`,
    // As a semijoin, MySQL 9.7 would mistake the items of one row for the items of all rows.
    someItem: (items, condition) =>
      sql`exists (select /*+ no_semijoin() */ 1 from ${items} where ${condition})`,
    itemId: (alias) => numberIn(textOf(sql`${sql.identifier(alias)}.value`), 'id'),
  }
}

/** A cast turns any other text into 0, so the pattern is checked first. */
const numbers = {
  id: { pattern: '^[0-9]{1,15}$', type: 'signed' },
  integer: { pattern: '^-?[0-9]{1,19}$', type: 'signed' },
  decimal: { pattern: '^-?[0-9]{1,35}([.][0-9]{1,30})?(e-?[0-9]{1,2})?$', type: 'decimal(65,30)' },
} as const

function numberIn(text: SQL, as: keyof typeof numbers): SQL {
  const { pattern, type } = numbers[as]
  return sql`case when ${text} regexp ${sql.raw(`'${pattern}'`)} then cast(${text} as ${sql.raw(type)}) end`
}
