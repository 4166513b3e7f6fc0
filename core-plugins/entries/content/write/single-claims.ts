import {
  column,
  type Database,
  DatabaseError,
  defineTable,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryStore } from './entry-store.ts'

/** One row for each single type whose entry exists, so that two concurrent writers cannot both create one. */
export const singleClaimsTable = defineTable(
  'svc_single_entries',
  { type: column.string() },
  { section: 'content', primaryKey: ['type'] },
)

export interface SingleClaims {
  /**
   * Ensures that a single type has only one entry. An entry may exist without a claim, created while a stage of
   * another plugin ensured this instead.
   * @throws AppError 409 if the type already has its entry
   */
  claim(of: Claiming, tx: Transaction): Promise<void>
  release(type: ContentType, tx: Transaction): Promise<void>
}

interface Claiming {
  readonly model: Pick<EntryModel, 'type'>
  readonly store: Pick<EntryStore, 'loadSingle'>
}

export function createSingleClaims(database: Database): SingleClaims {
  const claims = singleClaimsTable.on(database)
  const insertion = claims.insert()
  const removal = claims.delete(['type'])
  return {
    async claim({ model: { type }, store }, tx) {
      if (type.kind !== 'singleType') return
      try {
        await insertion.run({ type: type.name }, tx)
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.kind !== 'unique') throw error
        throw alreadyThere(type, error)
      }
      if ((await store.loadSingle(tx)) !== undefined) throw alreadyThere(type)
    },
    async release({ name, kind }, tx) {
      if (kind === 'singleType') await removal.run({ type: name }, tx)
    },
  }
}

/** 409: a second entry of a single type. */
function alreadyThere({ name }: ContentType, cause?: unknown): AppError {
  const message = `${name} is a single type and already has its entry; change it with PUT`
  return new AppError('CONFLICT', message, { cause })
}
