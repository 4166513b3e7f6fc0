import { AppError } from '../../../foundation/http/http.ts'
import { withDraft } from '../drafts/draft-overlay.ts'
import type { Entry } from '../entry/entry.ts'
import type { StoredEntry } from '../write-context.ts'
import { isPublishedAt } from './stored-entries.ts'
import type { WritableType } from './write-deps.ts'

/**
 * Everything that makes an entry public, now or at a time, passes here: drafts may be incomplete, and older than the schema. What is
 * public already may be older, too; of that only what the draft changes is checked, and what the entry lacks. `now` is ISO 8601.
 * @throws AppError 400 with all that is missing, or does not fit the schema
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
 * A change by plugins must take nothing from a public entry that it has to have. What the entry lacked before, because
 * it is older than the rule, is no reason to refuse the change.
 * @throws AppError 400 with all that would be missing
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
