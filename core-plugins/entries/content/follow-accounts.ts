import type { AccountWriteListener } from '../../accounts/auth/auth.ts'
import { releaseReferrers } from './operations/delete.ts'
import { compileReferrers, type Referrers } from './write/removal.ts'
import type { WriteDeps } from './write/write-deps.ts'

/** The system type of content users, to which entries may refer. */
const userType = 'user'

/**
 * Entries show content users, so changing a user changes what they show, and removing one updates the entries that refer to it as
 * deleting an entry would, with new versions and events.
 */
export function followAccounts(deps: WriteDeps): AccountWriteListener {
  let referrers: Referrers | undefined
  return async ({ kind, id, operation, principal }, tx) => {
    const model = deps.models.get(userType)
    if (kind !== 'user' || model === undefined) return
    if (operation === 'update') {
      deps.changed({ type: model.type, kind: 'update', id }, tx)
      return
    }
    referrers ??= compileReferrers(model, deps)
    await releaseReferrers(deps, referrers, { id, principal, ip: undefined, tx, isForGood: true })
    deps.changed({ type: model.type, kind: 'delete', id }, tx)
  }
}
