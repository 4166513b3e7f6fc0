import type { Transaction, TransactionKind } from '../../../foundation/database/database.ts'
import type { WriteRequest } from '../write-request.ts'
import type { WriteDeps } from './write-deps.ts'

/** Runs in a new transaction, or in the one that the caller has open. */
export async function inTransaction<T>(
  { database, explainRefusal }: WriteDeps,
  request: WriteRequest,
  work: (tx: Transaction) => Promise<T>,
  kind: TransactionKind = { isBrief: true },
): Promise<T> {
  if (request.tx !== undefined) return work(request.tx)
  try {
    return await database.transaction(work, kind)
  } catch (error) {
    throw await explainRefusal(error, request.principal)
  }
}
