import { type Database, DatabaseError, type Transaction } from '../database/database.ts'
import { AppError, type ErrorDetail, expectValid, type Principal } from '../http/http.ts'
import type { AccessState } from './access-state.ts'
import type { AccountChecks } from './account-checks.ts'
import {
  type Account,
  type Accounts,
  type NewAccount,
  normalizeEmail,
  normalizeUsername,
} from './accounts.ts'
import { superAdmin } from './built-in-roles.ts'
import { unauthenticated } from './judge.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { CheckPassword } from './password-rules.ts'
import type { Roles } from './roles.ts'
import type { AccountKind } from './session-tokens.ts'
import { fieldsOf, orConflict } from './taken.ts'

/** What may be said about an account when it is made or changed. */
export interface AccountInput {
  readonly email: string
  readonly username: string
  readonly password: string
  readonly role: string
  readonly blocked?: boolean
  /** Columns that the kind of accounts has beside the common ones. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Makes, changes and removes accounts of one kind; what was revoked is revoked when it resolves. */
export interface AccountChanges {
  /**
   * What is wrong with an input, whole or not, for a new account or that with the id; not whether its names are taken.
   * @throws AppError 403, 404
   */
  judge(input: Partial<AccountInput>, by: Principal, id?: number): Promise<ErrorDetail[]>
  /** What is wrong with a new password that the owner chose. */
  judgePassword(replacement: Omit<PasswordReplacement, 'within'>): Promise<ErrorDetail[]>
  /** `source` is who hashing takes turns for. @throws AppError 400 with all problems, 403 for a role that `by` may not give, 409 for a name that is taken */
  create(input: AccountInput, by: Principal, source?: string): Promise<Account>
  /** A new password, role or block ends all sessions of the account. @throws AppError as above, and 404 */
  update(id: number, patch: Partial<AccountInput>, by: Principal): Promise<Account>
  /** @throws AppError 404, 403, 409 for the last super-admin or an account that content points at */
  remove(id: number, by: Principal): Promise<void>
  /** Sets a password that the owner chose and ends all sessions. @throws AppError 400, 401 if it changed meanwhile */
  replacePassword(replacement: PasswordReplacement): Promise<Account>
}

export interface PasswordReplacement {
  /** As it was when the owner proved to be the owner. */
  readonly account: Account
  readonly password: string
  /** The field of the payload that problems are reported at. */
  readonly path: string
  /** Who hashing takes turns for. */
  readonly source?: string
  /** Done in the same transaction. */
  within?(tx: Transaction): Promise<void>
}

export interface AccountChangesOptions {
  readonly kind: AccountKind
  readonly accounts: Accounts
  readonly checks: AccountChecks
  readonly database: Database
  readonly state: AccessState
  readonly roles: Roles
  readonly hasher: PasswordHasher
  readonly checkPassword: CheckPassword
}

/** Makes the changes of one kind of accounts. */
export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const { kind, accounts, checks, database, state, roles, hasher, checkPassword } = options
  const what = kind === 'admin' ? 'admin user' : 'content user'

  // Built-in roles stay; locking one would make all who register wait for each other.
  async function holdRole(role: string, tx: Transaction): Promise<void> {
    if (roles.named(role)?.type === 'built-in' || (await roles.hold(role, tx))) return
    throw AppError.invalid([{ path: 'role', code: 'unknown', message: 'has just been removed' }])
  }

  async function keepLastSuperAdmin(before: Account, after: Account | undefined, tx: Transaction) {
    if (kind !== 'admin' || !isActiveSuperAdmin(before) || isActiveSuperAdmin(after)) return
    const active = await accounts.lockActiveWithRole(superAdmin, tx)
    if (active.some((id) => id !== before.id)) return
    throw new AppError('RESTRICTED', 'this is the last active super-admin; make another one first')
  }

  async function lock(id: number, tx: Transaction): Promise<Account> {
    const account = await accounts.lock(id, tx)
    if (account === undefined) throw AppError.notFound(what)
    return account
  }

  async function find(id: number): Promise<Account> {
    const account = await accounts.find(id)
    if (account === undefined) throw AppError.notFound(what)
    return account
  }

  /** @throws AppError 400, 403 */
  async function check(input: Partial<AccountInput>, by: Principal, account?: Account): Promise<void> {
    checks.rank(by, account, input)
    expectValid(await checks.problems(input, account))
  }

  const judgePassword: AccountChanges['judgePassword'] = ({ account, password, path }) =>
    checkPassword({ password, identifiers: [account.email, account.username], path })

  return {
    async judge(input, by, id) {
      const account = id === undefined ? undefined : await find(id)
      checks.rank(by, account, input)
      return checks.problems(input, account)
    },
    judgePassword,
    async create(input, by, source) {
      await check(input, by)
      const columns = (await toColumns(input, hasher, source)) as NewAccount
      const creation = database.transaction(async (tx) => {
        await holdRole(input.role, tx)
        return accounts.insert(columns, tx)
      })
      return orRefused(what, creation, accounts)
    },
    async update(id, patch, by) {
      await check(patch, by, await find(id))
      const columns = await toColumns(patch, hasher)
      const update = state.change('sessions', async (tx) => {
        const before = await lock(id, tx)
        checks.rank(by, before, patch)
        const after = withVersion(before, { ...before, ...columns })
        if (after.role !== before.role) await holdRole(after.role, tx)
        await keepLastSuperAdmin(before, after, tx)
        return accounts.update(after, tx)
      })
      return orRefused(what, update, accounts)
    },
    async remove(id, by) {
      const removal = state.change('sessions', async (tx) => {
        const account = await lock(id, tx)
        checks.rank(by, account, {})
        await keepLastSuperAdmin(account, undefined, tx)
        await accounts.remove(id, tx)
      })
      return removal.catch((error) => {
        if (!isReference(error)) throw error
        throw new AppError('RESTRICTED', `content refers to this ${what}`, { cause: error })
      })
    },
    async replacePassword({ account, password, path, source, within }) {
      expectValid(await judgePassword({ account, password, path }))
      const passwordHash = await hasher.hash(password, source)
      return state.change('sessions', async (tx) => {
        const before = await lock(account.id, tx)
        if (before.tokenVersion !== account.tokenVersion)
          throw unauthenticated('the account has just changed')
        await within?.(tx)
        const after = { ...before, passwordHash, mustChangePassword: false }
        return accounts.update(withVersion(before, after), tx)
      })
    },
  }
}

function isActiveSuperAdmin(account: Account | undefined): boolean {
  return account?.role === superAdmin && !account.blocked
}

async function toColumns(input: Partial<AccountInput>, hasher: PasswordHasher, source?: string) {
  const { email, username, password, extra, ...rest } = input
  return {
    ...rest,
    ...extra,
    ...(email === undefined ? {} : { email: normalizeEmail(email) }),
    ...(username === undefined ? {} : { username: normalizeUsername(username) }),
    ...(password === undefined ? {} : { passwordHash: await hasher.hash(password, source) }),
  }
}

/** Counts the token version up where the change has to end the account's sessions. */
function withVersion(before: Account, after: Account): Account {
  const endsSessions =
    after.passwordHash !== before.passwordHash ||
    after.role !== before.role ||
    after.blocked !== before.blocked
  return endsSessions ? { ...after, tokenVersion: before.tokenVersion + 1 } : after
}

/** Tells what of a written account is taken, or refers to nothing. */
async function orRefused<T>(what: string, write: Promise<T>, { columns }: Accounts): Promise<T> {
  try {
    return await orConflict(what, write, columns)
  } catch (error) {
    if (!isReference(error)) throw error
    const paths = fieldsOf(error, columns)
    const details = paths.map((path) => ({ path, code: 'reference', message: 'refers to nothing' }))
    throw new AppError('VALIDATION_ERROR', `${paths.join(', ') || 'an id'} refers to nothing`, {
      details,
      cause: error,
    })
  }
}

function isReference(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === 'reference'
}
