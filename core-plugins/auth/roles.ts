import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  setList,
  type Transaction,
} from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { AccessState } from './access-state.ts'
import type { Accounts } from './accounts.ts'
import type { Permissions } from './auth.ts'
import { builtInRoles } from './built-in-roles.ts'
import type { PermissionsOf } from './judge.ts'
import { compilePermissions, noPermissions } from './permissions.ts'
import { orConflict, unlessTaken } from './taken.ts'

export interface Role {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: RoleType
  readonly permissions: Permissions
  readonly createdAt: string
  readonly updatedAt: string
}

export type RoleType = 'built-in' | 'custom'

export type RoleContent = Pick<Role, 'name' | 'description' | 'permissions'>

/** The roles in the database, and what they may do in memory. */
export interface Roles {
  /** From memory. */
  readonly permissionsOf: PermissionsOf
  /** From memory. */
  named(name: string): Role | undefined
  list(): Promise<Role[]>
  find(id: number): Promise<Role | undefined>
  /** @throws AppError 409 if the name is taken */
  create(content: RoleContent): Promise<Role>
  /** Accounts follow a new name. @throws AppError 404, 409 if the name is taken, or what `change` throws */
  update(id: number, change: (role: Role) => RoleContent): Promise<Role>
  /** @throws AppError 404, 409 for a built-in role or one that accounts have */
  remove(id: number): Promise<Role>
  /** Keeps a custom role from being removed until the transaction ends. False if there is no such role. */
  hold(name: string, tx: Transaction): Promise<boolean>
  /** Makes the built-in roles that are missing; the memory is filled by the access state. */
  seed(): Promise<void>
}

const table = sql`svc_roles`
const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  description: { column: 'description', kind: 'text' },
  type: { column: 'type', kind: 'string' },
  permissions: { column: 'permissions', kind: 'json' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

export interface RolesOptions {
  readonly database: Database
  readonly state: AccessState
  /** Names of the declared content types. */
  readonly types: readonly string[]
  /** Whose rows name a role. */
  readonly holders: readonly Accounts[]
}

/** Makes the store and has its memory reloaded whenever roles change in any process. */
export function createRoles({ database, state, types, holders }: RolesOptions): Roles {
  const queries = roleQueries(database)
  let memory = new Map<string, { role: Role; compiled: ReturnType<typeof compilePermissions> }>()

  state.onChange('roles', async () => {
    const roles = await queries.list.all()
    memory = new Map(
      roles.map((role) => [role.name, { role, compiled: compilePermissions(role.permissions, types) }]),
    )
  })

  async function insert(content: RoleContent & { type: RoleType }, on?: Queries): Promise<Role> {
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
    list: () => queries.list.all(),
    find: (id) => queries.find.get({ id }),
    create: (content) =>
      orConflict(
        'role',
        state.change('roles', (tx) => insert({ ...content, type: 'custom' }, tx)),
      ),
    update: (id, change) =>
      orConflict(
        'role',
        state.change('roles', async (tx) => {
          const role = await lock(id, tx)
          const changed = { ...role, ...change(role), updatedAt: new Date().toISOString() }
          await queries.update.run(changed, tx)
          if (changed.name !== role.name) await rename(role.name, changed.name, tx)
          return changed
        }),
      ),
    remove: (id) =>
      state.change('roles', async (tx) => {
        const role = await lock(id, tx)
        if (role.type !== 'custom') throw new AppError('RESTRICTED', `${role.name} is built in and stays`)
        await refuseIfHeld(role.name, tx)
        await queries.remove.run({ id }, tx)
        return role
      }),
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

  async function refuseIfHeld(name: string, tx: Transaction) {
    let total = 0
    for (const accounts of holders) total += await accounts.countWithRole(name, tx)
    if (total > 0) {
      throw new AppError('RESTRICTED', `${total} accounts have the role ${name}; give them another one first`)
    }
  }
}

function roleQueries(database: Database) {
  const select = sql`select ${selectList(database, columns)} from ${table}`
  return {
    list: query<Role>(database, () => sql`${select} order by id`, columns),
    find: query<Role>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query<Role>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
      columns,
    ),
    lockNamed: query<{ id: number }>(
      database,
      (value) =>
        sql`select id from ${table} where name = ${value('name', 'string')} ${database.dialect.forUpdate}`,
      { id: columns.id },
    ),
    insert: query(database, (value) => insertInto('svc_roles', columns, value)),
    update: query(
      database,
      (value) => sql`update ${table} set ${setList(columns, value)} where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
  }
}
