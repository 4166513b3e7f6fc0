import { type SQL, sql } from 'drizzle-orm'
import type { EntryField, SelectionSql } from '../content/content.ts'
import type { Database, Statement } from '../database/database.ts'
import type { AggregateValue } from './aggregate.ts'
import type { DistinctOrder } from './distinct-query.ts'

/** A value, and how many entries have it. */
export interface CountedValue {
  readonly value: AggregateValue
  readonly count: number
}

export const limitSlot = 'limit'
export const offsetSlot = 'offset'

/** Differs from the selected columns, because SQLite would order by a column of the same name. */
const key = sql.identifier('key0')
const amount = sql.identifier('amount')

/** The values of a field over a selection, each with the number of entries that have it. */
export function distinctStatement(
  database: Database,
  { field, order }: { readonly field: EntryField; readonly order: DistinctOrder },
  selection: SelectionSql,
): Statement<CountedValue & Record<string, unknown>> {
  const { dialect } = database
  const { from, total } = countedBy(field, selection)
  const byValue = (direction: 'asc' | 'desc') => dialect.orderBy(sql`${key}`, direction, true)
  const orders =
    order.by === 'value'
      ? [byValue(order.direction)]
      : [dialect.orderBy(total, order.direction, false), byValue('asc')]
  const value = dialect.select(sql`${key}`, field.kind)
  const text = sql`select ${value} as ${sql.identifier('value')}, ${total} as ${sql.identifier('count')}
    from (${from}) picked group by ${key} order by ${sql.join(orders, sql`, `)}
    limit ${dialect.rowCount(limitSlot)} offset ${dialect.rowCount(offsetSlot)}`
  // It reads every entry of the selection.
  return database.prepare(text, { value: field.kind, count: 'integer' }, { isCostly: true })
}

/** Rows with a key, and how many entries those with the same key stand for. */
function countedBy(field: EntryField, selection: SelectionSql): { readonly from: SQL; readonly total: SQL } {
  const each = sql`count(*)`
  if (field.place === 'links') {
    const { join, id } = selection.links(field)
    return {
      from: sql`select ${id} as ${key} from ${selection.from}${join} where ${selection.where}`,
      total: each,
    }
  }
  if (field.place !== 'reference') {
    return {
      from: sql`select ${selection.value(field)} as ${key} from ${selection.from} where ${selection.where}`,
      total: each,
    }
  }
  // What the caller sees of an id is looked up once for all entries that refer to it.
  const { stored, shown } = selection.reference(field)
  const id = sql.identifier('stored')
  const grouped = sql`select ${stored} as ${id}, ${each} as ${amount} from ${selection.from}
    where ${selection.where} group by ${stored}`
  const { join, id: visible } = shown(sql`grouped.${id}`)
  return {
    from: sql`select ${visible} as ${key}, ${amount} from (${grouped}) grouped${join}`,
    total: sql`sum(${amount})`,
  }
}
