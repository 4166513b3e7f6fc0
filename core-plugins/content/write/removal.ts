import { sql } from 'drizzle-orm'
import type { Row, Statement, Transaction } from '../../database/database.ts'
import type { EntryModel } from '../entry-model.ts'
import type { ReadScope } from '../read/compiled-read.ts'

/** What refers to entries of one type, as far as a delete has to care. */
export interface Referrers {
  /** Types with the statement that finds their entries to delete along (onDelete CASCADE). */
  readonly cascading: readonly {
    readonly model: EntryModel
    findIds(id: number, tx: Transaction): Promise<number[]>
  }[]
  /** Types with the statements that find their entries which lose the reference and stay, and take it from them. */
  readonly losing: readonly {
    readonly model: EntryModel
    findIds(id: number, tx: Transaction): Promise<number[]>
    release(id: number, tx: Transaction): Promise<void>
  }[]
  /**
   * Whether anything that must not lose the entry refers to it (onDelete RESTRICT). Foreign keys see to that
   * where a row goes; a soft delete keeps the row.
   */
  isRestricted(id: number, tx: Transaction): Promise<boolean>
}

/** Which entries a transaction is deleting. Relations may run in a circle; each entry is deleted once. */
export interface Removals {
  /** False where the transaction has begun to delete the entry before. */
  begin(model: EntryModel, id: number, tx: Transaction): boolean
  hasBegun(model: EntryModel, id: number, tx: Transaction): boolean
}

export function createRemovals(): Removals {
  const byTransaction = new WeakMap<Transaction, Set<string>>()
  const keyOf = ({ type }: EntryModel, id: number) => `${type.name} ${id}`
  return {
    begin(model, id, tx) {
      const begun = byTransaction.get(tx) ?? new Set()
      byTransaction.set(tx, begun)
      return begun.size < begun.add(keyOf(model, id)).size
    },
    hasBegun: (model, id, tx) => byTransaction.get(tx)?.has(keyOf(model, id)) === true,
  }
}

/** Finds, once at the start, the relations that point at a type. */
export function compileReferrers(target: EntryModel, scope: ReadScope): Referrers {
  const { database, models, schemas } = scope
  const id = database.dialect.placeholder('id', 'id')
  const cascading: Referrers['cascading'][number][] = []
  const losing: Referrers['losing'][number][] = []
  const restricting: Statement[] = []

  for (const model of models.values()) {
    for (const attribute of model.type.attributes.values()) {
      if (attribute.type !== 'relation' || attribute.side === 'inverse') continue
      if (attribute.target !== target.type.name) continue
      const [table, source, column] = attribute.many
        ? [schemas.linkTable(model.type, attribute).name, 'source_id', 'target_id']
        : [model.type.table, 'id', attribute.column]
      const query = sql`select ${sql.identifier(source)} as ${sql.identifier('id')} from ${sql.identifier(table)} where ${sql.identifier(column)} = ${id}`
      if (attribute.onDelete === 'RESTRICT') restricting.push(database.prepare<Row>(query, { id: 'id' }))
      if (attribute.onDelete === 'RESTRICT') continue
      const statement = database.prepare<Row>(query, { id: 'id' })
      const findIds = async (targetId: number, tx: Transaction) =>
        (await tx.all(statement, { id: targetId })).map((row) => row.id as number)
      // A link is not an entry: where to-many relations cascade, it is the link that goes.
      if (attribute.onDelete === 'CASCADE' && !attribute.many) cascading.push({ model, findIds })
      else losing.push({ model, findIds, release: releasing(table, column, attribute.many) })
    }
  }

  function releasing(table: string, column: string, isLink: boolean) {
    const change = isLink
      ? sql`delete from ${sql.identifier(table)}`
      : sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = null`
    const statement = database.prepare(sql`${change} where ${sql.identifier(column)} = ${id}`)
    return async (targetId: number, tx: Transaction) => void (await tx.run(statement, { id: targetId }))
  }

  return {
    cascading,
    losing,
    async isRestricted(targetId, tx) {
      for (const statement of restricting) {
        if ((await tx.get(statement, { id: targetId })) !== undefined) return true
      }
      return false
    },
  }
}
