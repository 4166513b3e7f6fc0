import { sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { lookOf } from '../accounts/look-alike.ts'
import { orConflict, unlessTaken } from '../accounts/taken.ts'
import { type Role, rolesTable } from '../tables.ts'
import type { AccessState } from './access-state.ts'
import type { PermissionsOf } from './authorization.ts'
import { builtInRoles } from './built-in-roles.ts'
import { compilePermissions, noPermissions } from './permissions.ts'

export type RoleContent = Pick<Role, 'name' | 'description' | 'permissions'>

/** The roles: rows in the database, their permissions in memory. */
export interface Roles {
  /** From memory; see `PermissionsOf`. */
  readonly permissionsOf: PermissionsOf
  /** From memory. */
  named(name: string): Role | undefined
  /** Rows are locked if there is a transaction. */
  list(tx?: Transaction): Promise<Role[]>
  find(id: number): Promise<Role | undefined>
  /** Part of the transaction if one is given, like the methods below. @throws AppError 409 if the name is taken */
  create(content: RoleContent, tx?: Transaction): Promise<Role>
  /** Accounts follow a rename. @throws AppError 404, 409 if the name is taken, or what `change` throws */
  update(id: number, change: (role: Role) => RoleContent, tx?: Transaction): Promise<Role>
  /** @throws AppError 404, 409 for a built-in role or one that accounts have */
  remove(id: number, tx?: Transaction): Promise<Role>
  /** Keeps a custom role from being removed until the transaction ends. False if there is no such role. */
  hold(name: string, tx: Transaction): Promise<boolean>
  /** Creates missing built-in roles; the access state fills the memory. */
  seed(): Promise<void>
}

export interface RolesOptions {
  readonly database: Database
  readonly state: AccessState
  /** Names of the declared content types. */
  readonly types: readonly string[]
  /** The account tables whose rows name a role. */
  readonly holders: readonly Accounts[]
}

/** Creates the store and has its memory reloaded whenever roles change in any process. */
export function createRoles({ database, state, types, holders }: RolesOptions): Roles {
  const queries = roleQueries(database)
  let memory = new Map<string, { role: Role; compiled: ReturnType<typeof compilePermissions> }>()

  state.onChange('roles', async () => {
    const roles = await queries.list.all()
    memory = new Map(
      roles.map((role) => [role.name, { role, compiled: compilePermissions(role.permissions, types) }]),
    )
  })

  async function insert(content: RoleContent & Pick<Role, 'type'>, on?: Queries): Promise<Role> {
    const now = new Date().toISOString()
    const row = { ...content, createdAt: now, updatedAt: now }
    const { insertId } = await queries.insert.run(row, on)
    return { ...row, id: insertId }
  }

  async function lock(id: number, tx: Transaction): Promise<Role> {
    const role = await queries.lock.get({ id }, tx)
    if (role === undefined) throw AppError.notFound('role')
    return role
  }

  return {
    permissionsOf: (name) => memory.get(name)?.compiled ?? noPermissions,
    named: (name) => memory.get(name)?.role,
    list: (tx) => (tx === undefined ? queries.list.all() : queries.lockAll.all({}, tx)),
    find: (id) => queries.find.get({ id }),
    create: (content, open) => {
      const work = async (tx: Transaction) => {
        assertDistinct(content.name, await queries.list.all({}, tx))
        return insert({ ...content, type: 'custom' }, tx)
      }
      return orConflict('role', state.change('roles', work, open))
    },
    update: (id, change, open) => {
      const work = async (tx: Transaction) => {
        const role = await lock(id, tx)
        const changed = { ...role, ...change(role), updatedAt: new Date().toISOString() }
        const others = (await queries.list.all({}, tx)).filter((other) => other.id !== id)
        if (changed.name !== role.name) assertDistinct(changed.name, others)
        await queries.update.run(changed, tx)
        if (changed.name !== role.name) await rename(role.name, changed.name, tx)
        return changed
      }
      return orConflict('role', state.change('roles', work, open))
    },
    remove: (id, open) => {
      const work = async (tx: Transaction) => {
        const role = await lock(id, tx)
        if (role.type !== 'custom') throw new AppError('RESTRICTED', `${role.name} is built in and stays`)
        await assertNotHeld(role.name, holders, tx)
        await queries.remove.run({ id }, tx)
        return role
      }
      return state.change('roles', work, open)
    },
    hold: async (name, tx) => (await queries.lockNamed.get({ name }, tx)) !== undefined,
    async seed() {
      const present = new Set((await queries.list.all()).map(({ name }) => name))
      for (const role of builtInRoles.filter(({ name }) => !present.has(name))) {
        await unlessTaken(insert({ ...role, type: 'built-in' }))
      }
    },
  }

  async function rename(from: string, to: string, tx: Transaction) {
    for (const accounts of holders) await accounts.renameRole(from, to, tx)
  }
}

async function assertNotHeld(name: string, holders: readonly Accounts[], tx: Transaction): Promise<void> {
  let total = 0
  for (const accounts of holders) total += await accounts.countWithRole(name, tx)
  if (total > 0) {
    throw new AppError('RESTRICTED', `${total} accounts have the role ${name}; give them another one first`)
  }
}

/** Equal names are left to the database. Existing roles that look alike stay. @throws AppError 409 */
function assertDistinct(name: string, others: readonly Role[]): void {
  const look = lookOf(name)
  const alike = others.find((role) => role.name !== name && lookOf(role.name) === look)
  if (alike === undefined) return
  const message = `looks like the role ${alike.name}; choose a name that cannot be mistaken for it`
  const details = [{ path: 'name', code: 'unique', message }]
  throw new AppError('CONFLICT', `role: name ${message}`, { details })
}

function roleQueries(database: Database) {
  const roles = rolesTable.on(database)
  return {
    list: roles.find([], { orderBy: sql`${rolesTable.columns.id}` }),
    lockAll: roles.find([], { orderBy: sql`${rolesTable.columns.id}`, lock: true }),
    find: roles.find(['id']),
    lock: roles.find(['id'], { lock: true }),
    lockNamed: roles.find(['name'], { pick: ['id'], lock: true }),
    insert: roles.insert(),
    update: roles.update(rolesTable.except('id'), ['id']),
    remove: roles.delete(['id']),
  }
}
