import { AppError } from '../../http/http.ts'
import type { Entry } from '../entry.ts'
import type { WritableType } from './write-deps.ts'

/**
 * Everything that makes an entry public, now or at a time, passes here: drafts may be incomplete.
 * @throws AppError 400 with all that is missing
 */
export function assertComplete({ checker }: Pick<WritableType, 'checker'>, entry: Entry): void {
  const problems = checker.lackingIn(entry)
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
