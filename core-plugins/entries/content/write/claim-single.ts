import type { Transaction } from '../../../foundation/database/database.ts'
import { alreadyThere } from './single-claims.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/**
 * Ensures that a single type has only one entry. An entry may exist without a claim, created while a stage of
 * another plugin ensured this instead.
 * @throws AppError 409
 */
export async function claimSingle(
  { claims }: WriteDeps,
  { model, store }: WritableType,
  tx: Transaction,
): Promise<void> {
  await claims.claim(model.type, tx)
  if (model.type.kind !== 'singleType' || (await store.loadSingle(tx)) === undefined) return
  throw alreadyThere(model.type)
}
