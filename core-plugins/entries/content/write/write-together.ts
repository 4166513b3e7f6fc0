import type { Transaction } from '../../../foundation/database/database.ts'
import { WriteAnnotations } from '../write-annotation.ts'
import type { ChangeContext, StoredEntry } from '../write-context.ts'
import { batchPlace, createBatch } from './batch.ts'
import { changeContext, type Write } from './contexts.ts'
import { latestOf } from './stored-entries.ts'
import { storedTogether } from './stored-together.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'
import { failedTogether } from './write-errors.ts'
import { performWrite } from './write-path.ts'

/** How many entries are changed together. */
export const entriesAtOnce = 50

/** Splits ids, sorted and without duplicates. */
export function portionsOf(ids: readonly number[]): number[][] {
  const sorted = [...new Set(ids)].sort((left, right) => left - right)
  return Array.from({ length: Math.ceil(sorted.length / entriesAtOnce) }, (_, index) =>
    sorted.slice(index * entriesAtOnce, (index + 1) * entriesAtOnce),
  )
}

/** One of several changes that are made together. */
export interface Change {
  readonly stored: StoredEntry
  readonly data: unknown
  readonly isDraftWrite?: boolean
  /** Overrides the common annotations. */
  readonly annotations?: WriteAnnotations | undefined
}

/** What all the changes have in common. */
export interface Together extends Omit<Write, 'now'> {
  readonly operation: ChangeContext['operation']
  readonly tx: Transaction
  /** The same time for all changes, so that they can share statements. */
  readonly now: string
  /** Builds the error if some changes have failed; by default it reports each entry. */
  readonly explain?: typeof failedTogether
}

/**
 * Changes many entries with few statements; their middleware runs concurrently. Returns nothing for the
 * caller.
 * @throws AppError naming the entries
 */
export async function changeTogether(
  deps: WriteDeps,
  type: WritableType,
  changes: readonly Change[],
  { operation, explain = failedTogether, ...write }: Together,
): Promise<void> {
  const batch = createBatch(changes.length, { type, tx: write.tx })
  const together = changes.map(({ stored }) => latestOf(type, stored))
  const results = await Promise.allSettled(
    batch.map(async (place, index) => {
      try {
        const { stored, data, isDraftWrite = false, annotations: own } = changes[index] as Change
        const annotations = (own ?? write.annotations ?? WriteAnnotations.none)
          .with(batchPlace, place)
          .with(storedTogether, together)
        const context = changeContext(type, operation, { ...write, annotations }, stored, {
          data,
          isDraftWrite,
        })
        return await performWrite(deps, type, context)
      } finally {
        place.leave()
      }
    }),
  )
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ id: changes[index]?.stored.row.id ?? 0, reason: result.reason }] : [],
  )
  if (failures.length > 0) throw explain(type.model.type.name, failures)
}
