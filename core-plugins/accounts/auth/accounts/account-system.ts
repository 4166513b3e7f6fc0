import type { TSchema } from 'typebox'
import type { AccountKind, SessionTokens } from '../sessions/session-tokens.ts'
import type { AccountChanges } from './account-changes.ts'
import type { Account, Accounts } from './accounts.ts'

/** An account in responses. */
export interface AccountView {
  readonly schema: TSchema
  present(account: Account): Record<string, unknown>
}

/** One of the two separate account systems, with everything that differs between them. */
export interface AccountSystem {
  readonly kind: AccountKind
  readonly accounts: Accounts
  readonly changes: AccountChanges
  /** The account as shown to its owner. */
  readonly own: AccountView
  /** The account as shown to users who manage accounts. */
  readonly managed: AccountView
}

/** The response to a sign-in: a new token, the account, and required next steps. `jti` identifies the session. */
export function openSession(system: AccountSystem, sessions: SessionTokens, account: Account, jti?: string) {
  const { id, role, tokenVersion, mustChangePassword } = account
  const session = sessions.sign({ kind: system.kind, id, role, tokenVersion, jti })
  const duty = system.kind === 'admin' ? { mustChangePassword: mustChangePassword === true } : {}
  return { ...session, user: system.own.present(account), ...duty }
}
