import type { RegisterContext } from '../../../../kernel/index.ts'
import type { Audit } from '../../../background/audit/audit.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import {
  type AccountEvent,
  invitationAccepted,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
  passwordForgotten,
} from '../accounts/account-hooks.ts'

/** Records logins and failed logins in the audit log. */
export function recordSessions(audit: Audit, { on }: Pick<RegisterContext, 'on'>): void {
  const record = (action: string) => (account: AccountEvent) =>
    audit.record({ action, principal: principalOf(account), resource: resourceOf(account), ip: account.ip })

  on(loggedIn, record('auth.login'))
  on(loggedOut, record('auth.logout'))
  on(passwordChanged, record('auth.password_change'))
  on(passwordForgotten, record('auth.password_forgotten'))
  on(invitationAccepted, record('auth.invitation_accepted'))
  on(loginFailed, ({ kind, identifier, ip, isLocked }) => {
    // Failures that led to the lock are recorded; later ones would only fill the log.
    if (isLocked) return undefined
    const details = { kind, identifier: identifier.slice(0, maxIdentifier) }
    return audit.record({ action: 'auth.login_failed', principal: null, details, ip })
  })
}

const maxIdentifier = 255

/** The role is not recorded. */
function principalOf({ kind, id, username }: AccountEvent): Principal {
  return { kind, id, username, role: '' }
}

function resourceOf({ kind, id }: AccountEvent): string {
  return kind === 'admin' ? `user:${id}` : `content_user:${id}`
}
