import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { JudgedChange } from '../../../foundation/sections/sections.ts'

/** What a change of an entry takes. */
export function rightsFor({ action, value, present }: JudgedChange): ReadonlySet<ContentAction> {
  if (action === 'remove') return new Set(['delete'])
  const rights = new Set<ContentAction>([present === undefined ? 'create' : 'update'])
  // Versions of an entry share values, so another one changes them all.
  if (typeof value?.source === 'string') rights.add('update')
  // Whatever is or becomes public is changed in public.
  if ([value, present].some((each) => typeof each?.published_at === 'string')) rights.add('publish')
  return rights
}
