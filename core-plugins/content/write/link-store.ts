import { sql } from 'drizzle-orm'
import { type Database, query, type Statement, type Transaction } from '../../database/database.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'

/** The rows of the link tables of one type: owning to-many relations and media with `multiple`. */
export interface LinkStore {
  insert(name: string, sourceId: number, targetIds: readonly number[], tx: Transaction): Promise<void>
  /** Touches only what differs from the ids that `before` has. */
  replace(name: string, before: Entry, targetIds: readonly number[], tx: Transaction): Promise<void>
  /** Gives all sources the same targets; the number of statements does not depend on that of the sources. */
  replaceAlike(
    name: string,
    sourceIds: readonly number[],
    targetIds: readonly number[],
    tx: Transaction,
  ): Promise<void>
}

interface Placed {
  readonly targetId: number
  readonly position: number
}

/** Rows of one insert. The statements of all sizes are kept, so it bounds those too. */
const maxRowsPerInsert = 50

export function createLinkStore(model: EntryModel, database: Database): LinkStore {
  const tables = new Map(
    [...model.links.values()].map(({ name, link }) => [
      name,
      createLinkTable(link.name, model.type.table, database),
    ]),
  )

  function tableOf(name: string) {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`${model.type.name}.${name} has no link table`)
    return table
  }

  return {
    async insert(name, sourceId, targetIds, tx) {
      const placed = targetIds.map(toPlaced)
      await tableOf(name).insert(sourceId, placed, tx)
    },
    async replace(name, before, targetIds, tx) {
      const previous = before[name] as readonly number[]
      const placed = targetIds.map(toPlaced)
      const moved = placed.filter(({ targetId, position }) => previous[position] !== targetId)
      const kept = new Set(placed.filter((item) => !moved.includes(item)).map(({ targetId }) => targetId))
      const removed = previous.filter((targetId) => !kept.has(targetId))
      const table = tableOf(name)
      if (removed.length > 0) await table.remove(before.id, removed, tx)
      await table.insert(before.id, moved, tx)
    },
    async replaceAlike(name, sourceIds, targetIds, tx) {
      const table = tableOf(name)
      await table.clear(sourceIds, tx)
      const [model, ...others] = sourceIds
      if (model === undefined || targetIds.length === 0) return
      await table.insert(model, targetIds.map(toPlaced), tx)
      if (others.length > 0) await table.copy(model, others, tx)
    },
  }
}

function toPlaced(targetId: number, position: number): Placed {
  return { targetId, position }
}

function createLinkTable(name: string, sourceTable: string, database: Database) {
  const { dialect } = database
  const inserts = new Map<number, Statement>()
  const removal = database.prepare(
    sql`delete from ${sql.identifier(name)} where source_id = ${dialect.placeholder('source', 'id')} and ${dialect.inList(
      sql`target_id`,
      'targets',
      'id',
    )}`,
  )

  const table = sql.identifier(name)
  const clearing = query(
    database,
    (_value, inList) => sql`delete from ${table} where ${inList(sql`source_id`, 'sources', 'id')}`,
  )
  const copying = query(
    database,
    (value, inList) => sql`insert into ${table} (source_id, target_id, position)
      select s.id, l.target_id, l.position from ${table} l join ${sql.identifier(sourceTable)} s
      on ${inList(sql`s.id`, 'sources', 'id')} where l.source_id = ${value('model', 'id')}`,
  )

  function insertOf(rows: number): Statement {
    const kept = inserts.get(rows)
    if (kept !== undefined) return kept
    const source = dialect.placeholder('source', 'id')
    const values = Array.from(
      { length: rows },
      (_, row) =>
        sql`(${source}, ${dialect.placeholder(`target${row}`, 'id')}, ${dialect.placeholder(`position${row}`, 'integer')})`,
    )
    const statement = database.prepare(
      sql`insert into ${sql.identifier(name)} (source_id, target_id, position) values ${sql.join(values, sql`, `)}`,
    )
    inserts.set(rows, statement)
    return statement
  }

  return {
    async insert(sourceId: number, placed: readonly Placed[], tx: Transaction): Promise<void> {
      for (let start = 0; start < placed.length; start += maxRowsPerInsert) {
        const rows = placed.slice(start, start + maxRowsPerInsert)
        const values: Record<string, number> = { source: sourceId }
        rows.forEach(({ targetId, position }, row) => {
          values[`target${row}`] = targetId
          values[`position${row}`] = position
        })
        await tx.run(insertOf(rows.length), values)
      }
    },
    async clear(sources: readonly number[], tx: Transaction): Promise<void> {
      await clearing.run({ sources }, tx)
    },
    async copy(model: number, sources: readonly number[], tx: Transaction): Promise<void> {
      await copying.run({ model, sources }, tx)
    },
    async remove(sourceId: number, targetIds: readonly number[], tx: Transaction): Promise<void> {
      await tx.run(removal, { source: sourceId, targets: dialect.list(targetIds, 'id') })
    },
  }
}
