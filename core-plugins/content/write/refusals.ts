import { sql } from 'drizzle-orm'
import type { Auth } from '../../auth/auth.ts'
import type { Database, Statement } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ReferenceChecker } from './references.ts'
import { BrokenReference, type TakenValues, ValuesTaken } from './write-errors.ts'

export interface RefusalDeps {
  readonly auth: Auth
  readonly database: Database
  readonly references: ReferenceChecker
}

/**
 * Adds details to a refusal that the failed transaction could not query; returns any other error unchanged.
 */
export type ExplainRefusal = (error: unknown, principal: Principal) => Promise<unknown>

export function createRefusals({ auth, database, references }: RefusalDeps): ExplainRefusal {
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
    if (error instanceof BrokenReference) {
      const details = await references.findMissing(error.references, principal, database)
      return details.length > 0 ? AppError.invalid(details) : error
    }
    // Only administrators may know what is in the trash.
    if (!(error instanceof ValuesTaken) || !auth.isAdministrator(principal)) return error
    const holder = await holderInTrash(error.taken)
    return holder === undefined ? error : error.inTrash(holder)
  }
}
