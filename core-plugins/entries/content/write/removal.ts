import { sql } from 'drizzle-orm'
import {
  query,
  type Row,
  type Statement,
  type Transaction,
  type Value,
} from '../../../foundation/database/database.ts'
import type { RelationAttribute } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { ReadDeps } from '../read/read-deps.ts'

/** The relations that refer to entries of one type and must be handled on delete. */
export interface Referrers {
  /** Types whose referring entries are deleted as well (onDelete CASCADE), with the statement that finds them. */
  readonly cascading: readonly {
    readonly model: EntryModel
    findIds(id: number, tx: Transaction): Promise<number[]>
  }[]
  /** Types whose referring entries lose the reference but stay, with the statements that find them and clear the reference. */
  readonly losing: readonly {
    readonly model: EntryModel
    findIds(id: number, tx: Transaction): Promise<number[]>
    release(id: number, tx: Transaction): Promise<void>
  }[]
  /** Types whose references can be redirected to another entry, with the statements for that. */
  readonly moving: readonly {
    readonly model: EntryModel
    findIds(id: number, tx: Transaction): Promise<number[]>
    /** Keeps references to the heir unique: an entry that may refer to it only once and already does is left unchanged. */
    move(ids: { readonly id: number; readonly heir: number }, tx: Transaction): Promise<void>
  }[]
  /**
   * Whether a relation with onDelete RESTRICT refers to the entry. Foreign keys enforce this when a row is deleted; a soft delete
   * keeps the row.
   */
  isRestricted(id: number, tx: Transaction): Promise<boolean>
}

/** The entries that a transaction is deleting. Relations may be circular; each entry is deleted once. */
export interface Removals {
  /** False if the transaction has already begun to delete the entry. */
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

/** Finds the relations that refer to a type, once at the start. */
export function compileReferrers(target: EntryModel, deps: ReadDeps): Referrers {
  const { database, models, schemas } = deps
  const id = database.dialect.placeholder('id', 'id')
  const cascading: Referrers['cascading'][number][] = []
  const losing: Referrers['losing'][number][] = []
  const moving: Referrers['moving'][number][] = []
  const restricting: Statement[] = []

  for (const model of models.values()) {
    for (const attribute of model.type.attributes.values()) {
      if (attribute.type !== 'relation' || attribute.side === 'inverse') continue
      if (attribute.target !== target.type.name) continue
      const [table, source, column] = attribute.many
        ? [schemas.linkTable(model.type, attribute).name, 'source_id', 'target_id']
        : [model.type.table, 'id', attribute.column]
      const search = sql`select ${sql.identifier(source)} as ${sql.identifier('id')} from ${sql.identifier(table)} where ${sql.identifier(column)} = ${id}`
      const statement = database.prepare<Row>(search, { id: 'id' })
      const findIds = async (targetId: number, tx: Transaction) =>
        (await tx.all(statement, { id: targetId })).map((row) => row.id as number)
      const isOwn = model === target
      moving.push({
        model,
        findIds,
        move: movingReferences({ table, source, column, isOwn }, attribute, database),
      })
      if (attribute.onDelete === 'RESTRICT') restricting.push(statement)
      if (attribute.onDelete === 'RESTRICT') continue
      // A link is not an entry: if a to-many relation cascades, only the link is deleted.
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
    moving,
    async isRestricted(targetId, tx) {
      for (const statement of restricting) {
        if ((await tx.get(statement, { id: targetId })) !== undefined) return true
      }
      return false
    },
  }
}

interface References {
  readonly table: string
  readonly source: string
  readonly column: string
  /** Whether the references come from entries of the same type. */
  readonly isOwn: boolean
}

/** Prevents that an entry refers to itself, or twice to another one. */
function movingReferences(
  { table, source, column, isOwn }: References,
  { many, relation }: RelationAttribute,
  database: ReadDeps['database'],
) {
  const [refers, from, at] = [sql.identifier(column), sql.identifier(source), sql.identifier(table)]
  const isOnce = relation === 'oneToOne' || relation === 'oneToMany'
  const taken = (value: Value) =>
    sql`select taken.${from} from ${at} taken where taken.${refers} = ${value('heir', 'id')}`
  const isFree = (value: Value) => {
    // MySQL can read the table that it changes only through a derived table.
    const others = sql`(select t.${from} from (${taken(value)}) t)`
    if (isOnce) return sql` and not exists ${others}`
    return many ? sql` and ${from} not in ${others}` : sql``
  }
  const isOther = (value: Value) => (isOwn ? sql` and ${from} <> ${value('heir', 'id')}` : sql``)
  const move = query(
    database,
    (value) => sql`update ${at} set ${refers} = ${value('heir', 'id')}
      where ${refers} = ${value('id', 'id')}${isOther(value)}${isFree(value)}`,
  )
  return async (ids: { readonly id: number; readonly heir: number }, tx: Transaction) =>
    void (await move.run(ids, tx))
}
