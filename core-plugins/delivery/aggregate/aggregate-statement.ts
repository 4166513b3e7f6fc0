import { type SQL, sql } from 'drizzle-orm'
import type { SelectionSql } from '../../entries/content/content.ts'
import type { ColumnKind, Database, Row, Statement } from '../../foundation/database/database.ts'
import type { AggregateQuery, Measure } from './aggregate-query.ts'

/** The maximum number of groups in a response; see docs/content-api.md. */
export const maxGroups = 1_000

export const valueName = (measure: number): string => `value${measure}`
/** The number of values, for an average. */
export const countName = (measure: number): string => `count${measure}`
const inputColumn = (measure: number) => sql.identifier(`input${measure}`)

/** Differs from the names of selected columns, since SQLite would order by a column of the same name. */
const keyColumn = (index: number) => sql.identifier(`key${index}`)

/** The alias of a group field. */
export const groupName = (index: number): string => `group${index}`

const partName = (measure: number, index: number): string => `part${measure}_${index}`

/** The partial sums of a measure in a row; there is at least one. */
export function partsOf(row: Row, measure: number): (number | string)[] {
  const parts: (number | string)[] = []
  for (let index = 0; partName(measure, index) in row; index += 1) {
    parts.push(row[partName(measure, index)] as number | string)
  }
  return parts
}

/** The statement of a query over a selection: rows of groups with a value for each measure, or a single row. */
export function aggregateStatement(
  database: Database,
  query: AggregateQuery,
  selection: SelectionSql,
): Statement<Row> {
  const { dialect } = database
  const groups = query.groupBy.map(({ kind }, index) => ({
    name: groupName(index),
    key: sql`${keyColumn(index)}`,
    kind,
  }))
  const shown = groups.map(
    ({ name, key, kind }) => sql`${dialect.select(key, kind)} as ${sql.identifier(name)}`,
  )
  const measured = query.measures.map((measure, index) => measureSql(measure, index, database))
  const columns = measured.flatMap((each) => each.columns)
  const kinds = Object.assign({}, ...measured.map((each) => each.kinds)) as Record<string, ColumnKind>
  const order = measured[0]?.order ?? []
  const text = sql`select ${sql.join([...shown, ...columns], sql`, `)}
    from (${inputOf(query, selection)}) picked${grouped(
      groups.map(({ key }) => key),
      order,
      database,
    )}`
  const groupKinds = Object.fromEntries(groups.map(({ name, kind }) => [name, kind]))
  // Costly, since it reads every entry of the selection.
  return database.prepare(text, { ...groupKinds, ...kinds }, { isCostly: true })
}

/** One row per entry, or per entry and id in a to-many field: the group fields and the aggregated values. */
function inputOf({ measures, groupBy }: AggregateQuery, selection: SelectionSql): SQL {
  const joins: SQL[] = []
  const columns = groupBy.map((groupField, index) => {
    const alias = keyColumn(index)
    if (groupField.place !== 'links') return sql`${selection.value(groupField)} as ${alias}`
    const { join, id } = selection.links(groupField)
    joins.push(join)
    return sql`${id} as ${alias}`
  })
  const inputs = measures.map(
    (measure, index) => sql`${inputValue(measure, selection)} as ${inputColumn(index)}`,
  )
  const list = sql.join([...columns, ...inputs], sql`, `)
  return sql`select ${list} from ${selection.from}${sql.join(joins)} where ${selection.where}`
}

function inputValue({ function: name, field }: Measure, selection: SelectionSql): SQL {
  if (field === undefined) return sql`1`
  return name === 'count' ? sql`case when ${selection.isSet(field)} then 1 end` : selection.value(field)
}

interface MeasureSql {
  readonly columns: readonly SQL[]
  readonly kinds: Readonly<Record<string, ColumnKind>>
  /** The order of groups, largest first. */
  readonly order: readonly SQL[]
}

function measureSql({ function: name, field }: Measure, index: number, { dialect }: Database): MeasureSql {
  const kind = field?.kind ?? 'integer'
  const column = sql`${inputColumn(index)}`
  const [valueAs, countAs] = [valueName(index), countName(index)]
  const count = sql`count(${column})`
  if (name === 'count')
    return { columns: [as(count, valueAs)], kinds: { [valueAs]: 'integer' }, order: [count] }
  if (name === 'sum' || name === 'avg') {
    const sums = dialect.sum(column, kind)
    const columns = [as(count, countAs), ...sums.map((part, at) => as(part, partName(index, at)))]
    const kinds = Object.fromEntries(sums.map((_, at) => [partName(index, at), 'decimal' as const]))
    const order = name === 'sum' ? sums : dialect.quotient(sums, count)
    return { columns, kinds: { ...kinds, [countAs]: 'integer' }, order }
  }
  const extreme = dialect.extreme(name, column, kind)
  return {
    columns: [as(dialect.select(extreme, kind), valueAs)],
    kinds: { [valueAs]: kind },
    order: [extreme],
  }
}

function as(value: SQL, alias: string): SQL {
  return sql`${value} as ${sql.identifier(alias)}`
}

/** Groups with equal values are ordered by their group fields. */
function grouped(keys: readonly SQL[], order: readonly SQL[], { dialect }: Database): SQL {
  if (keys.length === 0) return sql``
  const orders = [
    ...order.map((part) => dialect.orderBy(part, 'desc', true)),
    ...keys.map((key) => dialect.orderBy(key, 'asc', true)),
  ]
  const by = sql` group by ${sql.join([...keys], sql`, `)} order by ${sql.join(orders, sql`, `)}`
  return sql`${by} limit ${sql.raw(String(maxGroups))}`
}
