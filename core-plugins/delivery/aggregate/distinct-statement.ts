import { type SQL, sql } from 'drizzle-orm'
import type { EntryField, SelectionSql } from '../../entries/content/content.ts'
import type { ColumnKind, Database, Statement } from '../../foundation/database/database.ts'
import type { AggregateValue } from './aggregate.ts'
import type { DistinctOrder } from './distinct-query.ts'

/** A value, in at most one of the columns, and the number of entries that have it. */
export interface CountedValue {
  readonly count: number
  readonly [column: `value${number}`]: AggregateValue
}

/** The value of a row. */
export function valueIn(row: CountedValue): AggregateValue {
  return row.value0 ?? row.value1 ?? row.value2 ?? null
}

export const limitSlot = 'limit'
export const offsetSlot = 'offset'

/** Differs from the names of selected columns, since SQLite would order by a column of the same name. */
const keyAt = (index: number) => sql.identifier(`key${index}`)
const amount = sql.identifier('amount')

/** The values of a field over a selection, each with the number of entries that have it. */
export function distinctStatement(
  database: Database,
  { field, order }: { readonly field: EntryField; readonly order: DistinctOrder },
  selection: SelectionSql,
): Statement<CountedValue & Record<string, unknown>> {
  const { dialect } = database
  const { from, total, kinds } = countedBy(field, selection)
  const keys = kinds.map((_, index) => sql`${keyAt(index)}`)
  const byValue = (direction: 'asc' | 'desc') => keys.map((key) => dialect.orderBy(key, direction, true))
  const orders =
    order.by === 'value'
      ? byValue(order.direction)
      : [dialect.orderBy(total, order.direction, false), ...byValue('asc')]
  const values = kinds.map(
    (kind, index) => sql`${dialect.select(sql`${keyAt(index)}`, kind)} as ${sql.identifier(`value${index}`)}`,
  )
  const text = sql`select ${sql.join(values, sql`, `)}, ${total} as ${sql.identifier('count')}
    from (${from}) picked group by ${sql.join(keys, sql`, `)} order by ${sql.join(orders, sql`, `)}
    limit ${dialect.rowCount(limitSlot)} offset ${dialect.rowCount(offsetSlot)}`
  const valueKinds = Object.fromEntries(kinds.map((kind, index) => [`value${index}`, kind]))
  // Costly, since it reads every entry of the selection.
  return database.prepare(text, { ...valueKinds, count: 'integer' }, { isCostly: true })
}

interface Counted {
  readonly from: SQL
  /** The number of entries for the rows with a key. */
  readonly total: SQL
  /** The kinds of the keys. */
  readonly kinds: readonly ColumnKind[]
}

/** The rows to count, with their keys. */
function countedBy(field: EntryField, selection: SelectionSql): Counted {
  if (field.place === 'inside') return countedInside(field, selection)
  const total = sql`count(*)`
  const key = keyAt(0)
  const kinds = [field.kind]
  const { from, where } = selection
  if (field.place === 'links') {
    const { join, id } = selection.links(field)
    return { from: sql`select ${id} as ${key} from ${from}${join} where ${where}`, total, kinds }
  }
  if (field.place !== 'reference') {
    return { from: sql`select ${selection.value(field)} as ${key} from ${from} where ${where}`, total, kinds }
  }
  // Whether the caller may see an id is looked up once for all entries that refer to it.
  const { stored, shown } = selection.reference(field)
  const id = sql.identifier('stored')
  const grouped = sql`select ${stored} as ${id}, ${total} as ${amount} from ${from}
    where ${where} group by ${stored}`
  const { join, id: visible } = shown(sql`grouped.${id}`)
  return {
    from: sql`select ${visible} as ${key}, ${amount} from (${grouped}) grouped${join}`,
    total: sql`sum(${amount})`,
    kinds,
  }
}

function countedInside(field: EntryField, selection: SelectionSql): Counted {
  const { entry, join, columns, where } = selection.inside(field)
  const keys = columns.map(({ value }, index) => sql`${value} as ${keyAt(index)}`)
  // An entry counts once for a value, even if it contains it several times.
  const rows = where === undefined ? sql`` : sql`distinct ${entry} as ${sql.identifier('entry')}, `
  const condition = where === undefined ? selection.where : sql`${selection.where} and ${where}`
  return {
    from: sql`select ${rows}${sql.join(keys, sql`, `)} from ${selection.from}${join} where ${condition}`,
    total: sql`count(*)`,
    kinds: columns.map(({ kind }) => kind),
  }
}
