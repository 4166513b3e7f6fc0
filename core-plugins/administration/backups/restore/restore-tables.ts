import { sql } from 'drizzle-orm'
import {
  type Database,
  query,
  type ReferenceSpec,
  type Transaction,
} from '../../../foundation/database/database.ts'
import type { ArchiveReader } from '../archive/read-archive.ts'
import { archivedLines, type EntryIndex } from '../archive/rows.ts'
import type { SectionTable } from '../section-tables.ts'
import { breathe, clearColumn, deleteAll, deleteOthers } from './empty-tables.ts'
import type { Fit, TableFit } from './fit.ts'
import { createInsertRows } from './insert-rows.ts'
import { inOrderOfReferences, type OrderedTable } from './order.ts'
import { rowReader } from './row-values.ts'

export interface TablesToRestore {
  readonly database: Database
  readonly archive: ArchiveReader
  readonly entries: EntryIndex
  readonly fit: Fit
  /** All tables of all sections. */
  readonly running: readonly SectionTable[]
  /** A change to the rows of a table, if any; the values are in the order of `columns`. */
  readonly adjustment: (fit: TableFit) => ((row: unknown[]) => void) | undefined
}

/**
 * How many references had a target that neither exists nor was restored, by `type.column`: now null, or
 * removed.
 */
export type LostReferences = Readonly<Record<string, number>>

const batchRows = 256
const batchCharacters = 512 * 1024

/**
 * Makes the tables hold what the archive has, within a transaction. Tables that other tables refer to which
 * are not restored are changed row by row, so that those references stay.
 * @throws DamagedArchive, AppError 409, DatabaseError
 */
export async function restoreTables(scope: TablesToRestore, tx: Transaction): Promise<LostReferences> {
  const { fit } = scope
  const tables = [...fit.tables.map(({ target }) => target), ...fit.emptied]
  const ordered = inOrderOfReferences(tables)
  const work = new TableWork(scope, tables, tx)
  await work.clearReferences(ordered)
  for (const { table } of ordered.toReversed()) await work.empty(table)
  for (const each of ordered) await work.fill(each)
  for (const each of ordered) await work.fillDeferred(each)
  for (const { table } of ordered) await work.advanceIds(table)
  return Object.fromEntries(work.lost)
}

class TableWork {
  readonly lost = new Map<string, number>()
  readonly #scope: TablesToRestore
  readonly #tx: Transaction
  readonly #fits: ReadonlyMap<string, TableFit>
  readonly #restored: ReadonlySet<string>
  /** Tables that must keep their rows if possible, as others refer to them. */
  readonly #held: ReadonlySet<string>

  constructor(scope: TablesToRestore, tables: readonly SectionTable[], tx: Transaction) {
    this.#scope = scope
    this.#tx = tx
    this.#fits = new Map(scope.fit.tables.map((fit) => [fit.target.name, fit]))
    this.#restored = new Set(tables.map(({ name }) => name))
    this.#held = heldTables(tables, scope.running)
  }

  /** Clears references that would keep rows from being deleted in order. */
  async clearReferences(ordered: readonly OrderedTable[]): Promise<void> {
    for (const { table, deferred } of ordered) {
      const columns = new Set([
        ...deferred,
        ...(this.#held.has(table.name) ? this.#innerReferences(table) : []),
      ])
      for (const column of columns) await clearColumn(this.#scope.database, { table, column }, this.#tx)
    }
  }

  #innerReferences({ spec }: SectionTable): string[] {
    const nullable = new Set(
      spec.columns.filter((column) => column.nullable === true).map(({ name }) => name),
    )
    return (spec.references ?? [])
      .filter(({ column, table }) => this.#restored.has(table) && nullable.has(column))
      .map(({ column }) => column)
  }

  async empty(table: SectionTable): Promise<void> {
    const { database } = this.#scope
    const fit = this.#fits.get(table.name)
    if (fit === undefined || !this.#held.has(table.name)) await deleteAll(database, table, this.#tx)
    else await deleteOthers(database, { table, ids: this.#idsOf(fit) }, this.#tx)
  }

  async fill({ table, deferred }: OrderedTable): Promise<void> {
    const fit = this.#fits.get(table.name)
    if (fit === undefined) return
    const write = this.#held.has(table.name) ? this.#merging(fit) : this.#inserting(fit)
    const places = fit.columns.flatMap(({ name }, place) => (deferred.has(name) ? [place] : []))
    for await (const rows of this.#batches(fit)) {
      const kept = await this.#withoutLostReferences(fit, rows)
      for (const row of kept) for (const place of places) row[place] = null
      await write(kept)
    }
  }

  async fillDeferred({ table, deferred }: OrderedTable): Promise<void> {
    const fit = this.#fits.get(table.name)
    if (fit === undefined || deferred.size === 0) return
    const columns = fit.columns.filter(({ name }) => deferred.has(name))
    const places = columns.map((column) => fit.columns.indexOf(column))
    const update = this.#updating(fit, columns)
    for await (const rows of this.#batches(fit)) {
      await update(rows.filter((row) => places.some((place) => row[place] !== null)))
    }
  }

  async advanceIds(table: SectionTable): Promise<void> {
    const { database } = this.#scope
    const id = table.columns.find(({ kind }) => kind === 'id')
    const statement = id === undefined ? undefined : database.dialect.advanceIds(table.name, id.name)
    if (statement !== undefined) await this.#tx.get(database.prepare(statement))
  }

  async *#batches(fit: TableFit): AsyncGenerator<unknown[][]> {
    const { archive, entries, adjustment } = this.#scope
    const read = rowReader(fit)
    const adjust = adjustment(fit)
    let rows: unknown[][] = []
    let characters = 0
    for await (const line of archivedLines(archive, entries, fit.archived)) {
      const row = read(line)
      adjust?.(row)
      rows.push(row)
      characters += line.length
      if (rows.length < batchRows && characters < batchCharacters) continue
      yield rows
      await breathe()
      rows = []
      characters = 0
    }
    if (rows.length > 0) yield rows
  }

  async *#idsOf(fit: TableFit): AsyncGenerator<number> {
    const place = idPlace(fit)
    for await (const rows of this.#batches(fit)) {
      for (const row of rows) yield row[place] as number
    }
  }

  #inserting(fit: TableFit) {
    const insert = createInsertRows(this.#scope.database, fit.target.name, fit.columns)
    return (rows: readonly (readonly unknown[])[]) => insert(rows, this.#tx)
  }

  #merging(fit: TableFit) {
    const { database } = this.#scope
    const insert = this.#inserting(fit)
    const update = this.#updating(fit, fit.columns)
    const place = idPlace(fit)
    const present = presentIds(database, fit.target)
    return async (rows: readonly (readonly unknown[])[]) => {
      const ids = await present(
        rows.map((row) => row[place] as number),
        this.#tx,
      )
      await update(rows.filter((row) => ids.has(row[place] as number)))
      await insert(rows.filter((row) => !ids.has(row[place] as number)))
    }
  }

  #updating(fit: TableFit, columns: TableFit['columns']) {
    const { database } = this.#scope
    const table = sql.identifier(fit.target.name)
    const id = fit.columns[idPlace(fit)]
    const changed = columns.filter((column) => column !== id)
    const statement = query(database, (value) => {
      const items = changed.map(
        ({ name, kind }) =>
          sql`${sql.identifier(name)} = ${value(`c${fit.columns.findIndex((each) => each.name === name)}`, kind)}`,
      )
      return sql`update ${table} set ${sql.join(items, sql`, `)} where ${sql.identifier(id?.name ?? 'id')} = ${value('id', 'id')}`
    })
    const valuesOf = (row: readonly unknown[]) => ({
      ...Object.fromEntries(row.map((value, place) => [`c${place}`, value])),
      id: row[idPlace(fit)],
    })
    return async (rows: readonly (readonly unknown[])[]) => {
      // Sent together, to save a network round trip per row.
      await Promise.all(rows.map((row) => statement.run(valuesOf(row), this.#tx)))
    }
  }

  /** A reference without a target is treated as if the target had been deleted. */
  async #withoutLostReferences(fit: TableFit, rows: unknown[][]): Promise<unknown[][]> {
    let kept = rows
    for (const reference of fit.target.spec.references ?? []) {
      if (!this.#restored.has(reference.table)) kept = await this.#withoutLost(fit, reference, kept)
    }
    return kept
  }

  async #withoutLost(fit: TableFit, reference: ReferenceSpec, rows: unknown[][]): Promise<unknown[][]> {
    const place = fit.columns.findIndex(({ name }) => name === reference.column)
    const ids = rows.flatMap((row) => (row[place] === null ? [] : [row[place] as number]))
    const present = await presentIds(this.#scope.database, { name: reference.table, key: ['id'] })(
      ids,
      this.#tx,
    )
    const isLost = (row: readonly unknown[]) => row[place] !== null && !present.has(row[place] as number)
    const lost = rows.filter(isLost)
    if (lost.length === 0) return rows
    const path = `${fit.target.label}.${reference.column}`
    this.lost.set(path, (this.lost.get(path) ?? 0) + lost.length)
    if (fit.columns[place]?.nullable !== true) return rows.filter((row) => !isLost(row))
    for (const row of lost) row[place] = null
    return rows
  }
}

/** The tables to which tables that are not restored refer, and the tables to which these refer in turn. */
function heldTables(
  restored: readonly SectionTable[],
  running: readonly SectionTable[],
): ReadonlySet<string> {
  const byName = new Map(restored.map((table) => [table.name, table]))
  const held = new Set<string>()
  const hold = (table: SectionTable) => {
    for (const { table: target } of table.spec.references ?? []) {
      const next = byName.get(target)
      if (next === undefined || held.has(target)) continue
      held.add(target)
      hold(next)
    }
  }
  for (const table of running) if (!byName.has(table.name)) hold(table)
  return held
}

/** The position of the id; only tables with an id can be referred to. */
function idPlace(fit: TableFit): number {
  return fit.columns.findIndex(({ name }) => name === fit.target.key[0])
}

function presentIds(database: Database, { name, key }: Pick<SectionTable, 'name' | 'key'>) {
  const id = sql.identifier(key[0] ?? 'id')
  const selection = query<{ id: number }>(
    database,
    (_, inList) =>
      sql`select ${id} as id from ${sql.identifier(name)} where ${inList(sql`${id}`, 'ids', 'id')}`,
    { id: { column: 'id', kind: 'id' } },
  )
  return async (ids: readonly number[], tx: Transaction): Promise<ReadonlySet<number>> =>
    ids.length === 0 ? new Set() : new Set((await selection.all({ ids }, tx)).map((row) => row.id))
}
