import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  type Explain,
  insertMany,
  query,
  type Transaction,
} from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'

/** The rows of the link tables of one type: owning to-many relations and media with `multiple`. */
export interface LinkStore {
  /** Runs with the next statement of the transaction. `explain` converts the database's error into the error to throw. */
  insert(
    name: string,
    links: readonly NewLinks[],
    insertion: { readonly tx: Transaction; readonly explain: Explain },
  ): void
  /** Touches only the differences from the ids in `before`. */
  replace(name: string, before: Entry, targetIds: readonly number[], tx: Transaction): Promise<void>
  /**
   * Replaces the targets of all `sources` with the same ones; the number of statements does not depend on the
   * number of sources.
   */
  replaceAlike(
    name: string,
    sources: readonly Entry[],
    targetIds: readonly number[],
    tx: Transaction,
  ): Promise<void>
}

/** The links of a new entry. */
export interface NewLinks {
  readonly sourceId: number
  readonly targetIds: readonly number[]
}

interface Placed {
  readonly targetId: number
  readonly position: number
}

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
    insert(name, links, { tx, explain }) {
      const rows = links.flatMap(({ sourceId, targetIds }) => rowsOf(sourceId, targetIds.map(toPlaced)))
      tableOf(name).insert.soon(rows, tx, explain)
    },
    async replace(name, before, targetIds, tx) {
      const previous = before[name] as readonly number[]
      const placed = targetIds.map(toPlaced)
      const moved = placed.filter(({ targetId, position }) => previous[position] !== targetId)
      const kept = new Set(placed.filter((item) => !moved.includes(item)).map(({ targetId }) => targetId))
      const removed = previous.filter((targetId) => !kept.has(targetId))
      const table = tableOf(name)
      if (removed.length > 0) await table.remove([before.id], removed, tx)
      await table.insert(rowsOf(before.id, moved), tx)
    },
    async replaceAlike(name, sources, targetIds, tx) {
      const table = tableOf(name)
      const sourceIds = sources.map(({ id }) => id)
      const previous = new Set(sources.flatMap((source) => source[name] as readonly number[]))
      if (previous.size > 0) await table.remove(sourceIds, [...previous], tx)
      const [model, ...others] = sourceIds
      if (model === undefined || targetIds.length === 0) return
      await table.insert(rowsOf(model, targetIds.map(toPlaced)), tx)
      if (others.length > 0) await table.copy({ model, others, targetIds }, tx)
    },
  }
}

function toPlaced(targetId: number, position: number): Placed {
  return { targetId, position }
}

interface LinkRow extends Placed {
  readonly sourceId: number
}

function rowsOf(sourceId: number, placed: readonly Placed[]): LinkRow[] {
  return placed.map(({ targetId, position }) => ({ sourceId, targetId, position }))
}

const columns = {
  sourceId: { column: 'source_id', kind: 'reference' },
  targetId: { column: 'target_id', kind: 'reference' },
  position: { column: 'position', kind: 'integer' },
} as const satisfies Columns

function createLinkTable(name: string, sourceTable: string, database: Database) {
  const table = sql.identifier(name)
  const removal = query(
    database,
    (_value, inList) => sql`delete from ${table}
      where ${inList(sql`source_id`, 'sources', 'id')} and ${inList(sql`target_id`, 'targets', 'id')}`,
  )
  const copying = query(
    database,
    (value, inList) => sql`insert into ${table} (source_id, target_id, position)
      select s.id, l.target_id, l.position from ${table} l join ${sql.identifier(sourceTable)} s
      on ${inList(sql`s.id`, 'sources', 'id')}
      where l.source_id = ${value('model', 'id')} and ${inList(sql`l.target_id`, 'targets', 'id')}`,
  )

  return {
    insert: insertMany<LinkRow>(database, { table: name, columns }),
    /** Copies the model's links to the targets to the other sources. */
    async copy({ model, others, targetIds }: Copied, tx: Transaction): Promise<void> {
      await copying.run({ model, sources: others, targets: targetIds }, tx)
    },
    async remove(sources: readonly number[], targets: readonly number[], tx: Transaction): Promise<void> {
      await removal.run({ sources, targets }, tx)
    },
  }
}

interface Copied {
  readonly model: number
  readonly others: readonly number[]
  readonly targetIds: readonly number[]
}
