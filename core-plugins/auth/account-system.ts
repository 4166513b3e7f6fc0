import type { TSchema } from 'typebox'
import type { AccountChanges } from './account-changes.ts'
import type { Account, Accounts } from './accounts.ts'
import type { AccountKind, SessionTokens } from './session-tokens.ts'

/** One of the two separate account systems, with everything that differs between them. */
export interface AccountSystem {
  readonly kind: AccountKind
  readonly accounts: Accounts
  readonly changes: AccountChanges
  /** The schema of an account in responses. */
  readonly schema: TSchema
  present(account: Account): Record<string, unknown>
}

/** A new token for an account, with the account and what it has to do first. `jti` names the session. */
export function openSession(system: AccountSystem, sessions: SessionTokens, account: Account, jti?: string) {
  const { id, role, tokenVersion, mustChangePassword } = account
  const session = sessions.sign({ kind: system.kind, id, role, tokenVersion, jti })
  const duty = system.kind === 'admin' ? { mustChangePassword: mustChangePassword === true } : {}
  return { ...session, user: system.present(account), ...duty }
}
