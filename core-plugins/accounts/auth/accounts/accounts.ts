import { type SQL, sql } from 'drizzle-orm'
import {
  type ColumnDeclarations,
  type Columns,
  column,
  type Database,
  defineTable,
  type Queries,
  query,
  type SelectedRow,
  type Table,
  type Value,
} from '../../../foundation/database/database.ts'
import { emailAddressOf } from '../../../foundation/http/http.ts'
import { accountColumns } from '../tables.ts'
import { type AccountLooks, createAccountLooks } from './account-looks.ts'

/**
 * A row of admin or content users. Columns beyond the common ones are specific to admins, or come from the
 * deployment's `user.extension.json`.
 */
export type Account = SelectedRow<typeof accountColumns> & { readonly [extra: string]: unknown }

export interface AccountPage {
  readonly limit: number
  readonly offset: number
  /** Part of the e-mail address or the username. */
  readonly search?: string | undefined
  readonly role?: string | undefined
}

/** Reads and writes one of the two account tables. */
export interface Accounts {
  /** The name of the table. */
  readonly table: string
  readonly columns: Columns
  readonly looks: AccountLooks
  find(id: number, on?: Queries): Promise<Account | undefined>
  /** The row, locked until the end of the transaction. */
  lock(id: number, tx: Queries): Promise<Account | undefined>
  /** By e-mail address or username; an identifier with an `@` is an address. */
  findByIdentifier(identifier: string, on?: Queries): Promise<Account | undefined>
  list(page: AccountPage): Promise<{ accounts: Account[]; total: number }>
  /** @throws DatabaseError of kind `unique` if the name, a name that looks the same, or the address is taken */
  insert(account: NewAccount, on?: Queries): Promise<Account>
  /** Writes all columns of the row. @throws DatabaseError of kind `unique` */
  update(account: Account, tx: Queries): Promise<Account>
  /** @throws DatabaseError of kind `reference` if content refers to the account */
  remove(id: number, tx: Queries): Promise<void>
  /** How many accounts have the role. */
  countWithRole(role: string, on: Queries): Promise<number>
  /** The number of accounts by role, without roles that no account has. */
  countByRole(): Promise<ReadonlyMap<string, number>>
  renameRole(from: string, to: string, tx: Queries): Promise<void>
  /**
   * Invalidates all tokens that accounts of this table have ever had, whatever versions the rows have now.
   */
  revokeAll(tx: Queries): Promise<void>
  /** The ids of unblocked accounts with the role, locked until the end of the transaction. */
  lockActiveWithRole(role: string, tx: Queries): Promise<number[]>
}

export type NewAccount = Pick<Account, 'email' | 'username' | 'passwordHash' | 'role'> & {
  readonly [extra: string]: unknown
}

/** An account table, not all of whose columns are known statically. */
type AccountsTable = Table<typeof accountColumns>

/** Stored instead of a hash for accounts without a password. */
export const noPassword = ''

/** The form in which addresses are stored and compared. A text that is not an address equals no account's address. */
export function normalizeEmail(email: string): string {
  // Only ASCII: the lower case of the Kelvin sign is a k, which could make the address equal to that of another account.
  return emailAddressOf(email) ?? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The form in which usernames are stored and compared; case-sensitive. */
export function normalizeUsername(username: string): string {
  return username.normalize('NFC')
}

/** Increments the token version if the change has to end the account's sessions. */
export function withVersion(before: Account, after: Account): Account {
  const endsSessions =
    after.passwordHash !== before.passwordHash ||
    after.role !== before.role ||
    after.blocked !== before.blocked
  return endsSessions ? { ...after, tokenVersion: before.tokenVersion + 1 } : after
}

/** The accounts of one table, which has `extra` columns besides the common ones. */
export function createAccounts(database: Database, name: string, extra: ColumnDeclarations): Accounts {
  const table = defineTable(name, { ...accountColumns, ...extra } as typeof accountColumns)
  const queries = accountQueries(database, table)
  const looks = createAccountLooks(database, table)

  async function insert(account: NewAccount, on: Queries = database): Promise<Account> {
    const now = new Date().toISOString()
    const row = { blocked: false, tokenVersion: 1, createdAt: now, updatedAt: now, ...account }
    const { insertId } = await queries.insert.run(row, on)
    await looks.take({ id: insertId, username: row.username }, on)
    return { ...row, id: insertId }
  }

  function readPage({ search, role, ...range }: AccountPage) {
    if (search !== undefined && role !== undefined) return queries.listMatchingOf({ ...range, search, role })
    if (search !== undefined) return queries.listMatching({ ...range, search })
    return role === undefined ? queries.listAll(range) : queries.listOf({ ...range, role })
  }

  return {
    table: name,
    columns: table.columns,
    looks,
    find: (id, on) => queries.find.get({ id }, on),
    lock: (id, tx) => queries.lock.get({ id }, tx),
    findByIdentifier: (identifier, on) =>
      identifier.includes('@')
        ? queries.findByEmail.get({ email: normalizeEmail(identifier) }, on)
        : queries.findByUsername.get({ username: normalizeUsername(identifier) }, on),
    async list(page) {
      const { rows, total } = await readPage(page)
      return { accounts: rows, total }
    },
    insert,
    async update(account, tx) {
      const row = { ...account, updatedAt: new Date().toISOString() }
      await queries.update.run(row, tx)
      return row
    },
    async remove(id, tx) {
      await queries.remove.run({ id }, tx)
    },
    countWithRole: async (role, on) => (await queries.countWithRole.get({ role }, on))?.total ?? 0,
    async countByRole() {
      return new Map((await queries.countByRole.all()).map(({ role, total }) => [role, total]))
    },
    async renameRole(from, to, tx) {
      await queries.renameRole.run({ from, to }, tx)
    },
    async revokeAll(tx) {
      // Versions increase one by one, so this is above all that ever existed, those of deleted accounts
      // included.
      await queries.revokeAll.run({ tokenVersion: Date.now() }, tx)
    },
    lockActiveWithRole: async (role, tx) =>
      (await queries.lockActiveWithRole.all({ role, blocked: false }, tx)).map(({ id }) => id),
  }
}

function accountQueries(database: Database, table: AccountsTable) {
  const { dialect } = database
  const accounts = table.on(database)
  const { id, email, username, role } = table.columns
  const byId = { orderBy: sql`${id}` }
  const isMatching = (value: Value) => {
    const search = dialect.fold(value('search', 'string'))
    const contains = (column: SQL) => dialect.contains(dialect.fold(column), search)
    return sql`(${contains(sql`${email}`)} or ${contains(sql`${username}`)})`
  }
  return {
    find: accounts.find(['id']),
    lock: accounts.find(['id'], { lock: true }),
    findByEmail: accounts.find(['email']),
    findByUsername: accounts.find(['username']),
    listAll: accounts.page([], byId),
    listOf: accounts.page(['role'], byId),
    listMatching: accounts.page(isMatching, byId),
    listMatchingOf: accounts.page((value) => sql`${isMatching(value)} and ${role} = ${value(role)}`, byId),
    insert: accounts.insert(),
    update: accounts.update(table.except('id'), ['id']),
    remove: accounts.delete(['id']),
    countWithRole: accounts.count(['role']),
    countByRole: query(
      database,
      () => sql`select ${role}, count(*) as ${sql.identifier('total')} from ${table} group by ${role}`,
      { role: accountColumns.role, total: column.integer() },
    ),
    renameRole: accounts.update(
      (value) => sql`${role} = ${value(role, 'to')}`,
      (value) => sql`${role} = ${value(role, 'from')}`,
    ),
    revokeAll: accounts.update(['tokenVersion'], []),
    lockActiveWithRole: accounts.find(['role', 'blocked'], { pick: ['id'], orderBy: sql`${id}`, lock: true }),
  }
}
