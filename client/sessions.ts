import type { Transport } from './transport.ts'

/** A signed-in account. */
export interface Session {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: Account
}

/** An account; has the attributes of `user.extension.json` as well. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly role: string
  readonly [attribute: string]: unknown
}

/** Accounts of one of the two systems. Nothing here changes the client's own token. */
export interface Sessions {
  login(identifier: string, password: string): Promise<Session>
  /** A new token in exchange for the current one, which expires soon. */
  refresh(): Promise<Session>
  me(): Promise<Account>
  logout(): Promise<void>
}

/** Content users can also register, and reset a forgotten password. */
export interface UserSessions extends Sessions {
  register(account: {
    readonly email: string
    readonly username: string
    readonly password: string
  }): Promise<Account>
  forgotPassword(email: string): Promise<void>
  resetPassword(token: string, password: string): Promise<Account>
}

/** Makes the sessions of admin users, at `/admin/auth`. */
export function createAdminSessions(transport: Transport): Sessions {
  return sessionsAt(transport, '/admin/auth')
}

/** Makes the sessions of content users, at `/auth`. */
export function createUserSessions(transport: Transport): UserSessions {
  const post = async <Data>(path: string, body: unknown) =>
    (await transport.send<Data>('POST', path, { body })).data
  return {
    ...sessionsAt(transport, '/auth'),
    register: (account) => post<Account>('/auth/register', account),
    async forgotPassword(email) {
      await post('/auth/forgot-password', { email })
    },
    resetPassword: (token, password) =>
      post<Account>('/auth/reset-password', { token, password, passwordConfirmation: password }),
  }
}

function sessionsAt(transport: Transport, path: string): Sessions {
  return {
    login: async (identifier, password) =>
      (await transport.send<Session>('POST', `${path}/login`, { body: { identifier, password } })).data,
    refresh: async () => (await transport.send<Session>('POST', `${path}/refresh`)).data,
    me: async () => (await transport.send<Account>('GET', `${path}/me`)).data,
    async logout() {
      await transport.send('POST', `${path}/logout`)
    },
  }
}
