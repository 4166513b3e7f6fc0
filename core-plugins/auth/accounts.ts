import { type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  setList,
  type Value,
} from '../database/database.ts'

/** A row of admin or content users. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly username: string
  /** Empty where no password opens the account. */
  readonly passwordHash: string
  readonly role: string
  readonly blocked: boolean
  /** Tokens carry the version of their time; counting it up revokes them. */
  readonly tokenVersion: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Columns beyond these: of admins, or of the deployment's `user.extension.json`. */
  readonly [extra: string]: unknown
}

export interface AccountPage {
  readonly limit: number
  readonly offset: number
  /** Part of the e-mail address or the username. */
  readonly search?: string | undefined
}

/** Reads and writes one of the two tables of accounts. */
export interface Accounts {
  readonly columns: Columns
  find(id: number, on?: Queries): Promise<Account | undefined>
  /** The row, locked until the end of the transaction. */
  lock(id: number, tx: Queries): Promise<Account | undefined>
  /** By e-mail address or username; an identifier with an `@` is an address. */
  findByIdentifier(identifier: string, on?: Queries): Promise<Account | undefined>
  list(page: AccountPage): Promise<{ accounts: Account[]; total: number }>
  /** @throws DatabaseError of kind `unique` */
  insert(account: NewAccount, on?: Queries): Promise<Account>
  /** Writes all columns of the row. @throws DatabaseError of kind `unique` */
  update(account: Account, tx: Queries): Promise<Account>
  /** @throws DatabaseError of kind `reference` where content points at the account */
  remove(id: number, tx: Queries): Promise<void>
  /** How many accounts have the role. */
  countWithRole(role: string, on: Queries): Promise<number>
  renameRole(from: string, to: string, tx: Queries): Promise<void>
  /** Makes all tokens that accounts of this table have ever had worthless, whatever versions the rows have now. */
  revokeAll(tx: Queries): Promise<void>
  /** The ids of accounts with the role that are not blocked, locked until the end of the transaction. */
  lockActiveWithRole(role: string, tx: Queries): Promise<number[]>
}

export type NewAccount = Pick<Account, 'email' | 'username' | 'passwordHash' | 'role'> & {
  readonly [extra: string]: unknown
}

/** The columns that both tables have. */
export const accountColumns = {
  id: { column: 'id', kind: 'id' },
  email: { column: 'email', kind: 'string' },
  username: { column: 'username', kind: 'string' },
  passwordHash: { column: 'password_hash', kind: 'string' },
  role: { column: 'role', kind: 'string' },
  blocked: { column: 'blocked', kind: 'boolean' },
  tokenVersion: { column: 'token_version', kind: 'integer' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

/** In the place of a hash, for accounts that no password opens. */
export const noPassword = ''

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.toLowerCase()
}

/** The form in which usernames are stored and compared; case counts. */
export function normalizeUsername(username: string): string {
  return username.normalize('NFC')
}

/** The accounts of one table, which has `extra` columns beside the common ones. */
export function createAccounts(database: Database, table: string, extra: Columns): Accounts {
  const columns = { ...accountColumns, ...extra }
  const queries = accountQueries(database, table, columns)

  async function insert(account: NewAccount, on: Queries = database): Promise<Account> {
    const now = new Date().toISOString()
    const row = { blocked: false, tokenVersion: 1, createdAt: now, updatedAt: now, ...account }
    const { insertId } = await queries.insert.run(row, on)
    return { ...row, id: insertId }
  }

  return {
    columns,
    find: (id, on) => queries.find.get({ id }, on),
    lock: (id, tx) => queries.lock.get({ id }, tx),
    findByIdentifier: (identifier, on) =>
      identifier.includes('@')
        ? queries.findByEmail.get({ email: normalizeEmail(identifier) }, on)
        : queries.findByUsername.get({ username: normalizeUsername(identifier) }, on),
    async list({ search, ...range }) {
      const { rows, count } = search === undefined ? queries.listAll : queries.listMatching
      const values = search === undefined ? {} : { search }
      const [accounts, counted] = await Promise.all([rows.all({ ...range, ...values }), count.get(values)])
      return { accounts, total: counted?.total ?? 0 }
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
    async renameRole(from, to, tx) {
      await queries.renameRole.run({ from, to }, tx)
    },
    async revokeAll(tx) {
      // Versions count up one by one, so this is above every one that there has been, of accounts long gone as well.
      await queries.revokeAll.run({ version: Date.now() }, tx)
    },
    lockActiveWithRole: async (role, tx) =>
      (await queries.lockActiveWithRole.all({ role, blocked: false }, tx)).map(({ id }) => id),
  }
}

function accountQueries(database: Database, tableName: string, columns: Columns) {
  const { dialect } = database
  const table = sql.identifier(tableName)
  const select = sql`select ${selectList(database, columns)} from ${table}`
  const matching = (value: Value) => {
    const search = dialect.fold(value('search', 'string'))
    const contains = (column: SQL) => dialect.contains(dialect.fold(column), search)
    return sql`where (${contains(sql`email`)} or ${contains(sql`username`)})`
  }
  const count = { total: { column: 'total', kind: 'integer' } } as const

  const list = (where: (value: Value) => SQL) => ({
    rows: query<Account>(
      database,
      (value) => sql`${select} ${where(value)} order by id
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      columns,
    ),
    count: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from ${table} ${where(value)}`,
      count,
    ),
  })

  return {
    find: query<Account>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query<Account>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${dialect.forUpdate}`,
      columns,
    ),
    findByEmail: query<Account>(
      database,
      (value) => sql`${select} where email = ${value('email', 'string')}`,
      columns,
    ),
    findByUsername: query<Account>(
      database,
      (value) => sql`${select} where username = ${value('username', 'string')}`,
      columns,
    ),
    listAll: list(() => sql``),
    listMatching: list(matching),
    insert: query(database, (value) => insertInto(tableName, columns, value)),
    update: query(
      database,
      (value) => sql`update ${table} set ${setList(columns, value)} where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    countWithRole: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from ${table} where role = ${value('role', 'string')}`,
      count,
    ),
    renameRole: query(
      database,
      (value) =>
        sql`update ${table} set role = ${value('to', 'string')} where role = ${value('from', 'string')}`,
    ),
    revokeAll: query(
      database,
      (value) => sql`update ${table} set token_version = ${value('version', 'integer')}`,
    ),
    lockActiveWithRole: query<{ id: number }>(
      database,
      (value) => sql`select id from ${table} where role = ${value('role', 'string')}
        and blocked = ${value('blocked', 'boolean')} order by id ${dialect.forUpdate}`,
      { id: accountColumns.id },
    ),
  }
}
