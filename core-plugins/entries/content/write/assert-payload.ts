import { unstorable } from '../entry/waiting-conversion.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import type { WriteContext } from '../write-context.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/**
 * @throws AppError 400 with all problems of a payload: its shape, what stages reported, and its references
 */
export function assertPayload(
  { references: checker }: WriteDeps,
  { model }: WritableType,
  { principal, tx, additions }: WriteContext,
  { problems, columns, references }: Pick<CheckedPayload, 'problems' | 'columns' | 'references'>,
): Promise<void> {
  const payload = {
    problems: [...additions.problems, ...problems, ...unstorable(model, columns)],
    references,
  }
  return checker.check(payload, { model, principal, queries: tx })
}
