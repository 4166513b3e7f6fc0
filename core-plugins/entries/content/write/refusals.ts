import { sql } from 'drizzle-orm'
import type { Auth } from '../../../accounts/auth/auth.ts'
import {
  type Database,
  query,
  type SchemaRecord,
  type Statement,
} from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import type { ReferenceChecker } from './references.ts'
import {
  BrokenReference,
  StillReferred,
  type TakenValues,
  TargetsTaken,
  ValuesTaken,
} from './write-errors.ts'

export interface RefusalDeps {
  readonly auth: Auth
  readonly database: Database
  readonly references: ReferenceChecker
  readonly schemaRecord: Pick<SchemaRecord, 'undeclaredHolds'>
}

/** Adds details to a refusal that the failed transaction could not look up; returns any other error unchanged. */
export type ExplainRefusal = (error: unknown, principal: Principal) => Promise<unknown>

export function createRefusals({ auth, database, references, schemaRecord }: RefusalDeps): ExplainRefusal {
  const trashSearches = new Map<string, Statement<{ id: number }>>()

  /** The id of the entry in the trash that holds the values. */
  async function holderInTrash({ model, values }: TakenValues): Promise<number | undefined> {
    if (!model.type.options.softDelete || values.size === 0) return undefined
    const search = searchFor(model.type.table, values)
    const bound = [...values].map(([column, { value, kind }]) => [column, database.dialect.bind(value, kind)])
    return (await database.get(search, Object.fromEntries(bound)))?.id
  }

  function searchFor(table: string, values: TakenValues['values']): Statement<{ id: number }> {
    const key = [table, ...values.keys()].join()
    const conditions = [...values].map(
      ([column, { kind }]) => sql`${sql.identifier(column)} = ${database.dialect.placeholder(column, kind)}`,
    )
    const search =
      trashSearches.get(key) ??
      database.prepare<{ id: number }>(
        sql`select id from ${sql.identifier(table)} where deleted_at is not null and ${sql.join(conditions, sql` and `)}`,
        { id: 'id' },
      )
    trashSearches.set(key, search)
    return search
  }

  return async (error, principal) => {
    if (error instanceof TargetsTaken) {
      const holders = await findOwners(database, error)
      const details = takenTargets(error, holders, auth.isAdministrator(principal))
      return details.length > 0 ? error.of(details) : error
    }
    if (error instanceof BrokenReference) {
      const details = await references.findMissing(error.references, principal, database)
      return details.length > 0 ? AppError.invalid(details) : error
    }
    if (error instanceof StillReferred) {
      const tables = await schemaRecord.undeclaredHolds(error.type.table, [error.id])
      if (tables.length === 0) return error
      return auth.isAdministrator(principal) ? error.by(tables) : error.byUndeclared()
    }
    // Only administrators may see the trash.
    if (!(error instanceof ValuesTaken) || !auth.isAdministrator(principal)) return error
    const holder = await holderInTrash(error.taken)
    return holder === undefined ? error : error.inTrash(holder)
  }
}

/** An entry to which the target of a relation belongs. */
interface Owner {
  readonly target: number
  readonly owner: number
  readonly trashed: number
}

/** Not prepared, since it runs only after a refusal. */
async function findOwners(
  database: Database,
  { model, field, targets, owner }: TargetsTaken,
): Promise<readonly Owner[]> {
  const { table, options } = model.type
  const trashed = options.softDelete ? sql`case when s.deleted_at is null then 0 else 1 end` : sql`0`
  const search = query<Owner>(
    database,
    (
      value,
      inList,
    ) => sql`select l.target_id as ${sql.identifier('target')}, l.source_id as ${sql.identifier('owner')},
        ${trashed} as ${sql.identifier('trashed')}
      from ${sql.identifier(field.link.name)} l join ${sql.identifier(table)} s on s.id = l.source_id
      where ${inList(sql`l.target_id`, 'targets', 'id')} and l.source_id <> ${value('owner', 'id')}`,
    {
      target: { column: 'target', kind: 'reference' },
      owner: { column: 'owner', kind: 'reference' },
      trashed: { column: 'trashed', kind: 'integer' },
    },
  )
  return search.all({ targets: targets.map(({ id }) => id), owner: owner ?? 0 })
}

/** Only administrators may see the trash. */
function takenTargets(
  { model, targets }: TargetsTaken,
  owners: readonly Owner[],
  isAdministrator: boolean,
): ErrorDetail[] {
  const { name } = model.type
  return targets.flatMap(({ id, path }) => {
    const found = owners.find(({ target }) => target === id)
    if (found === undefined) return []
    const isInTrash = found.trashed === 1
    const inTrash = `belongs to ${name} ${found.owner} in the trash; restore that entry, or delete it permanently`
    const message = isInTrash && isAdministrator ? inTrash : `belongs to another ${name} already`
    return [{ path, code: 'unique', message }]
  })
}
