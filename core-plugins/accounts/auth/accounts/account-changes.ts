import {
  type Database,
  DatabaseError,
  explainHolds,
  holdDetails,
  type SchemaRecord,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { AppError, assertValid, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import type { PasswordHasher } from '../passwords/password-hash.ts'
import type { CheckPassword } from '../passwords/password-rules.ts'
import type { AccessState } from '../roles/access-state.ts'
import { unauthenticated } from '../roles/authorization.ts'
import type { Roles } from '../roles/roles.ts'
import type { AccountKind } from '../sessions/session-tokens.ts'
import type { AccountChecks } from './account-checks.ts'
import type { AccountInput } from './account-input.ts'
import type { AccountWrite } from './account-writes.ts'
import {
  type Account,
  type Accounts,
  type NewAccount,
  noPassword,
  normalizeEmail,
  normalizeUsername,
  withVersion,
} from './accounts.ts'
import { keepSuperAdmins } from './keep-super-admins.ts'
import { lookOf } from './look-alike.ts'
import { fieldsOf, orConflict } from './taken.ts'

/** Creates, updates and removes accounts of one kind; revocations are in effect when it resolves. */
export interface AccountChanges {
  /**
   * The problems of a complete or partial input, for a new account or the one with the id; not whether names
   * are taken.
   * @throws AppError 403, 404
   */
  problemsOf(input: Partial<AccountInput>, by: Principal, id?: number): Promise<ErrorDetail[]>
  /** The problems of a new password that the owner chose. */
  checkPassword(replacement: Omit<PasswordReplacement, 'within'>): Promise<ErrorDetail[]>
  /**
   * @throws AppError 400 with all problems, 403 for a role that `by` may not assign, 409 for a name that is
   * taken
   */
  create(input: AccountInput, by: Principal, options?: CreationOptions): Promise<Account>
  /** A new password, role or block ends all sessions of the account. @throws AppError as above, and 404 */
  update(id: number, patch: Partial<AccountInput>, by: Principal): Promise<Account>
  /** @throws AppError 404, 403, 409 for the last super-admin or an account that content refers to */
  remove(id: number, by: Principal): Promise<void>
  /**
   * Sets a password that the owner chose and ends all sessions.
   * @throws AppError 400, 401 if it changed in the meantime
   */
  replacePassword(replacement: PasswordReplacement): Promise<Account>
  /** Ends all sessions of the account. */
  endSessions(id: number): Promise<Account>
}

export interface CreationOptions {
  /** The source by which the queue for password hashing takes turns. */
  readonly source?: string
  /** Runs in the same transaction. */
  within?(account: Account, tx: Transaction): Promise<void>
}

export interface PasswordReplacement {
  /** The account as read when the owner authenticated. */
  readonly account: Account
  readonly password: string
  /** The payload field that problems are reported for. */
  readonly path: string
  /** The source by which the queue for hashing takes turns. */
  readonly source?: string
  /** Runs in the same transaction. */
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
  readonly schemaRecord: Pick<SchemaRecord, 'undeclaredHolds'>
  /** Invalidates the tokens that were sent to the account's address. */
  revokeSentTokens(id: number, tx: Transaction): Promise<void>
  /** Calls all listeners of `accountWrites`. */
  written(write: AccountWrite, tx: Transaction): Promise<void>
}

/** Creates the service for one kind of account. */
export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const deps: Deps = { ...options, noun: options.kind === 'admin' ? 'admin user' : 'content user' }
  return {
    problemsOf: (input, by, id) => problemsOf(deps, { id, input, by }),
    checkPassword: (replacement) => checkPassword(deps, replacement),
    create: (input, by, options) => create(deps, { input, by, ...options }),
    update: (id, patch, by) => update(deps, { id, patch, by }),
    remove: (id, by) => remove(deps, { id, by }),
    replacePassword: (replacement) => replacePassword(deps, replacement),
    endSessions: (id) => endSessions(deps, id),
  }
}

interface Deps extends AccountChangesOptions {
  /** The name of this kind of account in messages. */
  readonly noun: string
}

async function problemsOf(
  deps: Deps,
  { id, input, by }: { id: number | undefined; input: Partial<AccountInput>; by: Principal },
): Promise<ErrorDetail[]> {
  const account = id === undefined ? undefined : await find(deps, id)
  deps.checks.rank(by, account, input)
  return deps.checks.problems(input, account)
}

function checkPassword(
  { checkPassword }: Deps,
  { account, password, path }: Omit<PasswordReplacement, 'within'>,
): Promise<ErrorDetail[]> {
  return checkPassword({ password, identifiers: [account.email, account.username], path })
}

async function create(
  deps: Deps,
  { input, by, source, within }: { input: AccountInput; by: Principal } & CreationOptions,
): Promise<Account> {
  const { accounts, database, hasher } = deps
  await check(deps, { input, by })
  const columns = { passwordHash: noPassword, ...(await toColumns(input, hasher, source)) } as NewAccount
  const creation = database.transaction(async (tx) => {
    await holdRole(deps, input.role, tx)
    const account = await accounts.insert(columns, tx)
    await within?.(account, tx)
    return account
  })
  return orRefused(deps, creation)
}

async function update(
  deps: Deps,
  { id, patch, by }: { id: number; patch: Partial<AccountInput>; by: Principal },
): Promise<Account> {
  const { accounts, checks, hasher, state } = deps
  await check(deps, { input: patch, by, account: await find(deps, id) })
  const columns = await toColumns(patch, hasher)
  const change = state.change('sessions', async (tx) => {
    const before = await lock(deps, id, tx)
    checks.rank(by, before, patch)
    const after = withVersion(before, { ...before, ...columns })
    if (after.role !== before.role) await holdRole(deps, after.role, tx)
    if (after.email !== before.email) await deps.revokeSentTokens(id, tx)
    await keepSuperAdmins(accounts, { before, after, by }, tx)
    await deps.written({ kind: deps.kind, id, operation: 'update', principal: by }, tx)
    // Accounts that looked alike before such names were refused stay unchanged.
    if (lookOf(after.username) !== lookOf(before.username)) await accounts.looks.take(after, tx)
    return accounts.update(after, tx)
  })
  return orRefused(deps, change)
}

async function remove(deps: Deps, { id, by }: { id: number; by: Principal }): Promise<void> {
  const { accounts, checks, state, noun } = deps
  const removal = state.change('sessions', async (tx) => {
    const account = await lock(deps, id, tx)
    checks.rank(by, account, {})
    await keepSuperAdmins(accounts, { before: account, after: undefined, by }, tx)
    await deps.written({ kind: deps.kind, id, operation: 'remove', principal: by }, tx)
    await accounts.remove(id, tx)
  })
  return removal.catch(async (error) => {
    if (!isReference(error)) throw error
    const tables = await deps.schemaRecord.undeclaredHolds(accounts.table, [id])
    const reason =
      tables.length > 0 ? `this ${noun} ${explainHolds(tables)}` : `content refers to this ${noun}`
    throw new AppError('RESTRICTED', reason, { cause: error, details: holdDetails(tables, `${noun} ${id}`) })
  })
}

async function replacePassword(deps: Deps, replacement: PasswordReplacement): Promise<Account> {
  const { accounts, hasher, state } = deps
  const { account, password, source, within } = replacement
  assertValid(await checkPassword(deps, replacement))
  const passwordHash = await hasher.hash(password, source)
  return state.change('sessions', async (tx) => {
    const before = await lock(deps, account.id, tx)
    if (before.tokenVersion !== account.tokenVersion) throw unauthenticated('the account has just changed')
    await within?.(tx)
    const after = { ...before, passwordHash, mustChangePassword: false }
    return accounts.update(withVersion(before, after), tx)
  })
}

async function endSessions(deps: Deps, id: number): Promise<Account> {
  return deps.state.change('sessions', async (tx) => {
    const before = await lock(deps, id, tx)
    return deps.accounts.update({ ...before, tokenVersion: before.tokenVersion + 1 }, tx)
  })
}

/** @throws AppError 400, 403 */
async function check(
  { checks }: Deps,
  { input, by, account }: { input: Partial<AccountInput>; by: Principal; account?: Account },
): Promise<void> {
  checks.rank(by, account, input)
  assertValid(await checks.problems(input, account))
}

async function find({ accounts, noun }: Deps, id: number): Promise<Account> {
  const account = await accounts.find(id)
  if (account === undefined) throw AppError.notFound(noun)
  return account
}

async function lock({ accounts, noun }: Deps, id: number, tx: Transaction): Promise<Account> {
  const account = await accounts.lock(id, tx)
  if (account === undefined) throw AppError.notFound(noun)
  return account
}

// Built-in roles cannot be removed; locking one would make all registrations wait for each other.
async function holdRole({ roles }: Deps, role: string, tx: Transaction): Promise<void> {
  if (roles.named(role)?.type === 'built-in' || (await roles.hold(role, tx))) return
  throw AppError.invalid([{ path: 'role', code: 'unknown', message: 'has just been removed' }])
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

/** Reports which values of a written account are taken or refer to nothing. */
async function orRefused<T>({ noun, accounts }: Deps, write: Promise<T>): Promise<T> {
  const { columns } = accounts
  try {
    return await orConflict(noun, write, columns)
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
