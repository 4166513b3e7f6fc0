import type { HookToken, PluginContext } from '../../../../kernel/index.ts'
import type { AppError } from '../../../foundation/http/http.ts'
import {
  type AccountEvent,
  invitationAccepted,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
  passwordForgotten,
} from '../accounts/account-hooks.ts'
import type { Account } from '../accounts/accounts.ts'
import type { AccountKind } from './session-tokens.ts'

/** Emits the session hooks of one kind of account; resolves when the listeners have ended. */
export interface SessionEvents {
  loggedIn(account: Account, ip: string): Promise<void>
  loginFailed(identifier: string, ip: string, refusal: AppError): Promise<void>
  loggedOut(account: Pick<Account, 'id' | 'username'>, ip: string): Promise<void>
  passwordChanged(account: Account, ip: string): Promise<void>
  passwordForgotten(account: Account, ip: string): Promise<void>
  invitationAccepted(account: Account, ip: string): Promise<void>
}

/** Creates the events for one kind of account. */
export function createSessionEvents(kind: AccountKind, { emit }: Pick<PluginContext, 'emit'>): SessionEvents {
  const announcing =
    (token: HookToken<AccountEvent>) =>
    ({ id, username }: Pick<Account, 'id' | 'username'>, ip: string) =>
      emit(token, { kind, id, username, ip })
  return {
    loggedIn: announcing(loggedIn),
    loginFailed: (identifier, ip, { code }) =>
      emit(loginFailed, { kind, identifier, ip, isLocked: code === 'RATE_LIMITED' }),
    loggedOut: announcing(loggedOut),
    passwordChanged: announcing(passwordChanged),
    passwordForgotten: announcing(passwordForgotten),
    invitationAccepted: announcing(invitationAccepted),
  }
}
