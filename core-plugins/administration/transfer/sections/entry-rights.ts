import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { JudgedChange } from '../../../foundation/sections/sections.ts'

/** The permissions that a change of an entry requires. */
export function rightsFor({ action, value, present }: JudgedChange): ReadonlySet<ContentAction> {
  if (action === 'remove') return new Set(['delete'])
  const rights = new Set<ContentAction>([present === undefined ? 'create' : 'update'])
  // Versions of an entry share values, so adding a version changes all of them.
  if (typeof value?.source === 'string') rights.add('update')
  // Changing a public entry, or making one public, requires the permission to publish.
  if ([value, present].some((each) => typeof each?.published_at === 'string')) rights.add('publish')
  return rights
}
