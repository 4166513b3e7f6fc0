import { type SQL, sql } from 'drizzle-orm'
import {
  type ColumnKind,
  convertValue,
  type Held,
  type InsertAnswering,
  insertAnsweringIds,
  type Query,
  query,
  type Statement,
  type Values,
} from '../../../foundation/database/database.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import { lockOf } from './entry-loads.ts'

/** The statements that write the rows of one type; updates are prepared on first use of their columns. */
export class EntryStatements {
  readonly insertion: Statement
  /** Like `insertion`, for rows of application values by column. */
  readonly insertions: InsertAnswering<Readonly<Record<string, unknown>>>
  readonly removal: Statement
  /** Undefined if loading already locks the row against new references. */
  readonly sealing: Statement | undefined
  readonly #deps: ReadDeps
  readonly #table: SQL
  readonly #kinds: ReadonlyMap<string, ColumnKind>
  readonly #held: ReadonlyMap<string, Held>
  readonly #updates = new Map<string, Statement>()
  readonly #updatesAlike = new Map<string, Query<unknown>>()

  constructor(model: EntryModel, deps: ReadDeps) {
    const { database } = deps
    const { dialect } = database
    this.#deps = deps
    this.#table = sql`${sql.identifier(model.type.table)}`
    this.#held = heldColumns(model)
    this.#kinds = columnKinds(model)
    const byId = sql`id = ${dialect.placeholder('id', 'id')}`
    this.insertion = this.#prepareInsert()
    this.insertions = insertAnsweringIds(database, {
      table: model.type.table,
      columns: Object.fromEntries([...this.#kinds].map(([column, kind]) => [column, { column, kind }])),
    })
    this.removal = database.prepare(sql`delete from ${this.#table} where ${byId}`)
    this.sealing =
      lockOf(model, deps) === dialect.forUpdate
        ? undefined
        : database.prepare(sql`select id from ${this.#table} where ${byId} ${dialect.forUpdate}`)
  }

  /**
   * Values for `insertion`: exactly the columns it names, since types without drafts have no `published_at`.
   */
  bindInsert(columns: Readonly<Record<string, unknown>>): Values {
    const values: Record<string, unknown> = {}
    for (const column of this.#kinds.keys()) if (column !== 'id') values[column] = columns[column] ?? null
    return this.bind(values)
  }

  bind(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { dialect } = this.#deps.database
    const values: Record<string, unknown> = {}
    const stored = this.stored(columns)
    for (const column in stored) values[column] = dialect.bind(stored[column], this.#kindOf(column))
    return values
  }

  /** Converts values to the types that columns still have while their conversion is pending. */
  stored(columns: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (this.#held.size === 0) return columns
    const values: Record<string, unknown> = { ...columns }
    for (const [column, held] of this.#held) {
      if (column in values) values[column] = convertValue(values[column] ?? null, held)
    }
    return values
  }

  /** Sets columns of the row with an id. */
  update(columns: readonly string[]): Statement {
    const key = columns.join(',')
    const kept = this.#updates.get(key)
    if (kept !== undefined) return kept
    const { database } = this.#deps
    const assignments = columns.map((column) => sql`${sql.identifier(column)} = ${this.#placeholder(column)}`)
    const statement = database.prepare(
      sql`update ${this.#table} set ${sql.join(assignments, sql`, `)} where id = ${database.dialect.placeholder('id', 'id')}`,
    )
    this.#updates.set(key, statement)
    return statement
  }

  /** Sets columns of all rows with `ids` to the same values. */
  updateAlike(columns: readonly string[]): Query<unknown> {
    const key = columns.join(',')
    const kept = this.#updatesAlike.get(key)
    if (kept !== undefined) return kept
    const made = query(this.#deps.database, (value, inList) => {
      const assignments = columns.map(
        (column) => sql`${sql.identifier(column)} = ${value(column, this.#kindOf(column))}`,
      )
      return sql`update ${this.#table} set ${sql.join(assignments, sql`, `)} where ${inList(sql`id`, 'ids', 'id')}`
    })
    this.#updatesAlike.set(key, made)
    return made
  }

  #prepareInsert(): Statement {
    const columns = [...this.#kinds.keys()].filter((column) => column !== 'id')
    const names = columns.map((column) => sql.identifier(column))
    const values = columns.map((column) => this.#placeholder(column))
    return this.#deps.database.prepare(
      sql`insert into ${this.#table} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`,
    )
  }

  #placeholder(column: string): SQL {
    return this.#deps.database.dialect.placeholder(column, this.#kindOf(column))
  }

  #kindOf(column: string): ColumnKind {
    return this.#kinds.get(column) ?? 'text'
  }
}

function heldColumns(model: EntryModel): ReadonlyMap<string, Held> {
  return new Map(
    model.stored.flatMap((field) => {
      const held = 'column' in field ? field.held?.() : undefined
      return held === undefined || !('column' in field) ? [] : [[field.column, held]]
    }),
  )
}

function columnKinds(model: EntryModel): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>()
  for (const field of model.stored) {
    if ('column' in field) kinds.set(field.column, field.held?.()?.kind ?? field.kind)
  }
  for (const { column, kind } of model.added) kinds.set(column, kind)
  if (model.type.options.softDelete) kinds.set('deleted_at', 'datetime')
  if (model.uuid !== undefined) kinds.set(model.uuid.column, model.uuid.kind)
  return kinds
}
