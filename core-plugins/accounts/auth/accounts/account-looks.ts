import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  type Queries,
  query,
  type Table,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { type accountColumns, accountLooksTable } from '../tables.ts'
import { lookOf } from './look-alike.ts'

/**
 * What the usernames of one account table look like, each once, so that no new name can be mistaken for another. Of accounts that
 * looked alike before there was this rule, the first one has the look, and the others have none.
 */
export interface AccountLooks {
  isTaken(username: string, on: Queries): Promise<boolean>
  /** Gives an account the look of its name, instead of the one it had. @throws DatabaseError of kind `unique`, as for the name */
  take(account: { readonly id: number; readonly username: string }, on: Queries): Promise<void>
  /** Gives looks to accounts that were stored without: by a restore, or by a version that did not know this rule. */
  complete(): Promise<void>
  /** After other accounts took the place of all; `complete` gives them theirs. */
  forget(tx: Transaction): Promise<void>
}

/** Most accounts that get their looks in one transaction. */
const mostAtOnce = 200

/** Creates the store of looks for an account table. */
export function createAccountLooks(database: Database, accounts: Table<typeof accountColumns>): AccountLooks {
  const queries = lookQueries(database, accounts)
  // Accounts up to this id have been looked at.
  let completeTo = 0

  async function completeNext(tx: Transaction): Promise<number | undefined> {
    const rows = await queries.without.all({ after: completeTo }, tx)
    for (const { id, username } of rows)
      await queries.insertUnlessTaken.run({ userId: id, look: hashOf(username) }, tx)
    return rows.at(-1)?.id
  }

  return {
    isTaken: async (username, on) => (await queries.find.get({ look: hashOf(username) }, on)) !== undefined,
    async take({ id, username }, on) {
      await queries.remove.run({ userId: id }, on)
      await queries.insert.run({ userId: id, look: hashOf(username) }, on)
    },
    async complete() {
      const highest = (await queries.highest.get())?.id ?? 0
      // Nearly always there is nothing to do, for which SQLite need not start a thread.
      const isAny = (await queries.without.get({ after: completeTo })) !== undefined
      for (let last: number | undefined = isAny ? completeTo : undefined; last !== undefined; ) {
        completeTo = last
        last = await database.transaction(completeNext, { isBackground: true })
      }
      completeTo = Math.max(completeTo, highest)
    },
    async forget(tx) {
      await queries.removeAll.run({}, tx)
      tx.afterCommit(() => {
        completeTo = 0
      })
    },
  }
}

/** Looks may be several times as long as names. */
function hashOf(username: string): string {
  return createHash('sha256').update(lookOf(username)).digest('hex')
}

function lookQueries(database: Database, accounts: Table<typeof accountColumns>) {
  const table = accountLooksTable(accounts.name)
  const looks = table.on(database)
  const { id, username } = accounts.columns
  const { userId } = table.columns
  return {
    find: looks.find(['look']),
    insert: looks.insert(),
    insertUnlessTaken: looks.insert({ ignoreDuplicates: true }),
    remove: looks.delete(['userId']),
    removeAll: looks.delete([]),
    highest: query(database, () => sql`select max(${id}) as ${sql.identifier('id')} from ${accounts}`, {
      id: column.integer().nullable(),
    }),
    without: query(
      database,
      (value) => sql`select ${id}, ${username} from ${accounts}
        where ${id} > ${value(id, 'after')} and not exists (select 1 from ${table} where ${userId} = ${id})
        order by ${id} limit ${sql.raw(String(mostAtOnce))}`,
      { id: column.integer(), username: column.string() },
    ),
  }
}
