import { AppError } from '../../../foundation/http/http.ts'
import { withDraft } from '../drafts/draft-overlay.ts'
import type { Entry } from '../entry/entry.ts'
import type { StoredEntry } from '../write-context.ts'
import { isPublishedAt } from './stored-entries.ts'
import type { WritableType } from './write-deps.ts'

/**
 * Every publication, immediate or scheduled, passes this check: drafts may be incomplete, and older than the schema. An entry
 * that is already public may be older, too: only the draft's changes are checked, and missing values. `now` is ISO 8601.
 * @throws AppError 400 with everything that is missing or does not fit the schema
 */
export function assertComplete(
  { checker, model }: WritableType,
  { row, draft }: StoredEntry,
  now: string,
): void {
  const entry = withDraft(model, row, draft)
  const problems = isPublishedAt(row, now) ? checker.lackingIn(entry) : checker.problemsIn(entry)
  if (problems.length > 0) throw AppError.invalid([...problems])
}

/**
 * Refuses a plugin's change that would remove required values from a published entry. Values that were already missing, because
 * the entry is older than the rule, are no reason to refuse.
 * @throws AppError 400 with everything that would be missing
 */
export function assertStaysComplete(
  { checker }: Pick<WritableType, 'checker'>,
  entry: Entry,
  change: Readonly<Record<string, unknown>>,
): void {
  const nameOf = (path: string) => path.split('.', 1)[0] ?? path
  const problems = checker
    .lackingIn({ ...entry, ...change })
    .filter(({ path }) => Object.hasOwn(change, nameOf(path)))
  if (problems.length > 0) throw AppError.invalid(problems)
}
