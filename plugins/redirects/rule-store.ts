import { columnOf, type Database, type Queries, query, type Schemas, sql } from 'mortise/plugin'

/** The content type of `schemas/`. */
export const ruleType = 'redirects-rule'

export interface Rule {
  readonly id: number
  /** As `pathKey` makes it. */
  readonly from: string
  readonly to: string
  readonly isPermanent: boolean
  readonly keepsQuery: boolean
}

/** The redirects as they are stored. */
export interface RuleStore {
  /** The oldest ones, at most `count`. */
  list(count: number): Promise<Rule[]>
  findByPath(from: string, queries: Queries): Promise<Rule | undefined>
  /** Changes whenever a redirect is created, changed or deleted. */
  version(): Promise<string>
}

export function createRuleStore(database: Database, schemas: Schemas): RuleStore {
  const type = schemas.types.get(ruleType)
  if (type === undefined) throw new Error(`the content type ${ruleType} is missing`)
  const table = sql.identifier(type.table)
  const nameOf = (attribute: string) => {
    const declared = type.attributes.get(attribute)
    return (declared && columnOf(declared)?.name) ?? attribute
  }
  const columns = {
    id: { column: 'id', kind: 'id' },
    from: { column: nameOf('from'), kind: 'string' },
    to: { column: nameOf('to'), kind: 'text' },
    isPermanent: { column: nameOf('permanent'), kind: 'boolean' },
    keepsQuery: { column: nameOf('keep_query'), kind: 'boolean' },
  } as const
  const selected = sql.join(
    Object.entries(columns).map(
      ([name, { column }]) => sql`${sql.identifier(column)} as ${sql.identifier(name)}`,
    ),
    sql`, `,
  )
  const list = query<Rule>(
    database,
    (value) => sql`select ${selected} from ${table} order by id limit ${value('count', 'integer')}`,
    columns,
  )
  const find = query<Rule>(
    database,
    (value) =>
      sql`select ${selected} from ${table} where ${sql.identifier(columns.from.column)} = ${value('from', 'string')}`,
    columns,
  )
  const version = query<{ count: number; newest: string | null }>(
    database,
    () =>
      sql`select count(*) as ${sql.identifier('count')}, max(updated_at) as ${sql.identifier('newest')} from ${table}`,
    { count: { column: 'count', kind: 'integer' }, newest: { column: 'newest', kind: 'datetime' } },
  )
  return {
    list: (count) => list.all({ count }),
    findByPath: (from, queries) => find.get({ from }, queries),
    async version() {
      const row = await version.get()
      return `${row?.count} ${row?.newest}`
    },
  }
}
