import type { PluginContext } from '../../kernel/index.ts'
import type { Account } from './accounts.ts'
import { loggedIn, loggedOut, loginFailed, passwordChanged } from './auth.ts'
import type { AccountKind } from './session-tokens.ts'

/** Tells the hooks what happens in sessions of one kind of accounts; nobody waits for the listeners. */
export interface SessionEvents {
  loggedIn(account: Account, ip: string): void
  loginFailed(identifier: string, ip: string): void
  loggedOut(account: Pick<Account, 'id' | 'username'>): void
  passwordChanged(account: Account): void
}

/** Makes the events of one kind of accounts. */
export function createSessionEvents(kind: AccountKind, { emit }: Pick<PluginContext, 'emit'>): SessionEvents {
  return {
    loggedIn: ({ id, username }, ip) => void emit(loggedIn, { kind, id, username, ip }),
    loginFailed: (identifier, ip) => void emit(loginFailed, { kind, identifier, ip }),
    loggedOut: ({ id, username }) => void emit(loggedOut, { kind, id, username }),
    passwordChanged: ({ id, username }) => void emit(passwordChanged, { kind, id, username }),
  }
}
