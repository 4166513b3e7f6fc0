import { sql } from 'drizzle-orm'
import {
  type Database,
  DatabaseError,
  insertInto,
  query,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { AppError, type Principal, type Range } from '../http/http.ts'
import type { Assignment, EntryKey } from './discussion.ts'
import { personOf, present } from './person.ts'
import { assignmentColumns } from './tables.ts'

export type NewAssignment = Pick<Assignment, 'userId' | 'role'>

/** The rows of `svc_assignments`. */
export interface Assignments {
  /** Oldest first. */
  list(entry: EntryKey, range: Range): Promise<{ assignments: Assignment[]; total: number }>
  /** @throws DatabaseError; see `explainAssignError` */
  create(
    entry: EntryKey,
    assignment: NewAssignment,
    principal: Principal,
    tx: Transaction,
  ): Promise<Assignment>
  /** @throws AppError 404 */
  remove(entry: EntryKey, id: number, tx: Transaction): Promise<Assignment>
  /** Forgets entries. */
  removeEntries(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
}

interface AssignmentRow {
  readonly id: number
  readonly userId: number
  readonly role: string
  readonly assignerId: number
  readonly assignerName: string
  readonly createdAt: string
}

export function createAssignments(database: Database): Assignments {
  const queries = assignmentQueries(database)
  return {
    async list({ type, id: entryId }, range) {
      const [rows, counted] = await Promise.all([
        queries.list.all({ type, entryId, ...range }),
        queries.count.get({ type, entryId }),
      ])
      return { assignments: rows.map(assignmentOf), total: counted?.total ?? 0 }
    },
    async create({ type, id: entryId }, { userId, role }, principal, tx) {
      const { kind: assignerKind, id: assignerId, name: assignerName } = personOf(principal)
      const by = { assignerKind, assignerId, assignerName }
      const row = { type, entryId, userId, role, ...by, createdAt: new Date().toISOString() }
      const { insertId } = await queries.insert.run(row, tx)
      return assignmentOf({ id: insertId, ...row })
    },
    async remove({ type, id: entryId }, id, tx) {
      const row = await queries.lock.get({ type, entryId, id }, tx)
      if (row === undefined) throw AppError.notFound(`assignment ${id}`)
      await queries.remove.run({ id }, tx)
      return assignmentOf(row)
    },
    async removeEntries(type, entryIds, tx) {
      await queries.removeEntries.run({ type, entryIds }, tx)
    },
  }
}

/** What the client is told when the database refuses an assignment. */
export function explainAssignError(error: unknown, { userId, role }: NewAssignment): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'reference') {
    const message = `there is no admin user with id ${userId}`
    return AppError.invalid([{ path: 'userId', code: 'reference', message }])
  }
  if (error.kind !== 'unique') return error
  return new AppError('CONFLICT', `admin user ${userId} is assigned as ${role} already`, { cause: error })
}

function assignmentOf({ id, userId, role, assignerId, assignerName, createdAt }: AssignmentRow): Assignment {
  return { id, userId, role, assignedBy: present(assignerId, assignerName), createdAt }
}

function assignmentQueries(database: Database) {
  const table = sql`svc_assignments`
  const select = sql`select ${selectList(database, assignmentColumns)} from ${table}`
  return {
    list: query<AssignmentRow>(
      database,
      (
        value,
      ) => sql`${select} where type = ${value('type', 'string')} and entry_id = ${value('entryId', 'integer')}
        order by id limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      assignmentColumns,
    ),
    count: query<{ total: number }>(
      database,
      (value) => sql`select count(*) as total from ${table}
        where type = ${value('type', 'string')} and entry_id = ${value('entryId', 'integer')}`,
      { total: { column: 'total', kind: 'integer' } },
    ),
    lock: query<AssignmentRow>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} and type = ${value('type', 'string')}
        and entry_id = ${value('entryId', 'integer')} ${database.dialect.forUpdate}`,
      assignmentColumns,
    ),
    insert: query(database, (value) => insertInto('svc_assignments', assignmentColumns, value)),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
    removeEntries: query(
      database,
      (value, inList) => sql`delete from ${table} where type = ${value('type', 'string')}
        and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    ),
  }
}
