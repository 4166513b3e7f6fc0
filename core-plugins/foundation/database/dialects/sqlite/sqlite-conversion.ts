import type BetterSqlite from 'better-sqlite3'
import { exactInteger } from '../../integer.ts'
import { convertValue } from '../../sync/conversion.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { sqliteDecoders, sqliteDialect } from './sqlite-dialect.ts'

/** `convert_value(value, kind, new kind, new length)`: the stored form of a value in another kind. */
export function addConversion(native: BetterSqlite.Database): void {
  native.function(
    'convert_value',
    { deterministic: true, safeIntegers: true },
    (value: unknown, from: unknown, kind: unknown, length: unknown) => {
      if (value === null) return null
      const to = { kind: kind as ColumnKind, ...(length === null ? {} : { length: Number(length) }) }
      return sqliteDialect.bind(convertValue(decode(value, from as ColumnKind), to), to.kind)
    },
  )
}

function decode(value: unknown, kind: ColumnKind): unknown {
  const plain = typeof value === 'bigint' ? exactInteger(String(value)) : value
  const decoder = sqliteDecoders[kind]
  return decoder === undefined ? plain : decoder(plain as never)
}
