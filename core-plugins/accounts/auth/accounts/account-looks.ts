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
 * The appearances of the usernames in one account table. Each is unique, so that a new name cannot be mistaken for another. Of
 * accounts that looked alike before this rule existed, the first one owns the appearance, and the others have none.
 */
export interface AccountLooks {
  isTaken(username: string, on: Queries): Promise<boolean>
  /**
   * Stores the appearance of an account's name, in place of its former one.
   * @throws DatabaseError of kind `unique`, as for the name
   */
  take(account: { readonly id: number; readonly username: string }, on: Queries): Promise<void>
  /** Adds appearances for accounts stored without them, by a restore or by an earlier version of the service. */
  complete(): Promise<void>
  /** Deletes all appearances after all accounts have been replaced; `complete` adds new ones. */
  forget(tx: Transaction): Promise<void>
}

/** The maximum number of accounts that are completed in one transaction. */
const mostAtOnce = 200

/** Creates the store of looks for an account table. */
export function createAccountLooks(database: Database, accounts: Table<typeof accountColumns>): AccountLooks {
  const queries = lookQueries(database, accounts)
  // All accounts up to this id have been checked.
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
      // Checked first, since there is hardly ever anything to do, and SQLite need not start a thread then.
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

/** Hashed, since an appearance may be several times as long as its name. */
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
