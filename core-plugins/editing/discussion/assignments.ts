import { sql } from 'drizzle-orm'
import { type Database, DatabaseError, type Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal, type Range } from '../../foundation/http/http.ts'
import type { Assignment, EntryKey } from './discussion.ts'
import { personOf, present } from './person.ts'
import { type AssignmentRow, assignmentsTable } from './tables.ts'
import type { Usernames } from './usernames.ts'

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
}

export function createAssignments(database: Database, usernames: Usernames): Assignments {
  const queries = assignmentQueries(database)
  return {
    async list({ type, id: entryId }, range) {
      const { rows, total } = await queries.page({ type, entryId, ...range })
      const names = await usernames(rows.map(({ userId }) => userId))
      return { assignments: rows.map((row) => assignmentOf(row, names)), total }
    },
    async create({ type, id: entryId }, { userId, role }, principal, tx) {
      const { kind: assignerKind, id: assignerId, name: assignerName } = personOf(principal)
      const by = { assignerKind, assignerId, assignerName }
      const row = { type, entryId, userId, role, ...by, createdAt: new Date().toISOString() }
      const { insertId } = await queries.insert.run(row, tx)
      return assignmentOf({ id: insertId, ...row }, await usernames([userId], tx))
    },
    async remove({ type, id: entryId }, id, tx) {
      const row = await queries.lock.get({ type, entryId, id }, tx)
      if (row === undefined) throw AppError.notFound(`assignment ${id}`)
      await queries.remove.run({ id }, tx)
      return assignmentOf(row, await usernames([row.userId], tx))
    },
  }
}

/** Returns the error for the client when the database refuses an assignment. */
export function explainAssignError(error: unknown, { userId, role }: NewAssignment): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'reference') {
    const message = `there is no admin user with id ${userId}`
    return AppError.invalid([{ path: 'userId', code: 'reference', message }])
  }
  if (error.kind !== 'unique') return error
  return new AppError('CONFLICT', `admin user ${userId} is already assigned as ${role}`, { cause: error })
}

function assignmentOf(
  { id, userId, role, assignerKind, assignerId, assignerName, createdAt }: AssignmentRow,
  names: ReadonlyMap<number, string>,
): Assignment {
  const username = names.get(userId) ?? ''
  return {
    id,
    userId,
    username,
    role,
    assignedBy: present(assignerKind, assignerId, assignerName),
    createdAt,
  }
}

function assignmentQueries(database: Database) {
  const assignments = assignmentsTable.on(database)
  const { id } = assignmentsTable.columns
  return {
    page: assignments.page(['type', 'entryId'], { orderBy: sql`${id}` }),
    lock: assignments.find(['id', 'type', 'entryId'], { lock: true }),
    insert: assignments.insert(),
    remove: assignments.delete(['id']),
  }
}
