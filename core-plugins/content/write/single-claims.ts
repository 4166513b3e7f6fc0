import { sql } from 'drizzle-orm'
import { type Database, DatabaseError, type TableSpec, type Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'

/** One row for every single type that has its entry: two writers cannot both make one. */
export const singleClaimsTable: TableSpec = {
  name: 'svc_single_entries',
  columns: [{ name: 'type', kind: 'string' }],
  primaryKey: ['type'],
}

export interface SingleClaims {
  /** @throws AppError 409 if the type has its entry already */
  claim(type: ContentType, tx: Transaction): Promise<void>
  release(type: ContentType, tx: Transaction): Promise<void>
}

export function createSingleClaims(database: Database): SingleClaims {
  const table = sql.identifier(singleClaimsTable.name)
  const type = database.dialect.placeholder('type', 'string')
  const insertion = database.prepare(sql`insert into ${table} (${sql.identifier('type')}) values (${type})`)
  const removal = database.prepare(sql`delete from ${table} where ${sql.identifier('type')} = ${type}`)
  return {
    async claim(type, tx) {
      if (type.kind !== 'singleType') return
      try {
        await tx.run(insertion, { type: type.name })
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.kind !== 'unique') throw error
        throw alreadyThere(type, error)
      }
    },
    async release({ name, kind }, tx) {
      if (kind === 'singleType') await tx.run(removal, { type: name })
    },
  }
}

/** 409: a second entry of a single type. */
export function alreadyThere({ name }: ContentType, cause?: unknown): AppError {
  const message = `${name} is a single type and has its entry already; change it with PUT`
  return new AppError('CONFLICT', message, { cause })
}
