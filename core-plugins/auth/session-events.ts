import type { PluginContext } from '../../kernel/index.ts'
import type { AppError } from '../http/http.ts'
import { loggedIn, loggedOut, loginFailed, passwordChanged } from './account-hooks.ts'
import type { Account } from './accounts.ts'
import type { AccountKind } from './session-tokens.ts'

/** Emits the session hooks of one kind of account; resolves when the listeners have ended. */
export interface SessionEvents {
  loggedIn(account: Account, ip: string): Promise<void>
  loginFailed(identifier: string, ip: string, refusal: AppError): Promise<void>
  loggedOut(account: Pick<Account, 'id' | 'username'>, ip: string): Promise<void>
  passwordChanged(account: Account, ip: string): Promise<void>
}

/** Creates the events for one kind of account. */
export function createSessionEvents(kind: AccountKind, { emit }: Pick<PluginContext, 'emit'>): SessionEvents {
  return {
    loggedIn: ({ id, username }, ip) => emit(loggedIn, { kind, id, username, ip }),
    loginFailed: (identifier, ip, { code }) =>
      emit(loginFailed, { kind, identifier, ip, isLocked: code === 'RATE_LIMITED' }),
    loggedOut: ({ id, username }, ip) => emit(loggedOut, { kind, id, username, ip }),
    passwordChanged: ({ id, username }, ip) => emit(passwordChanged, { kind, id, username, ip }),
  }
}
