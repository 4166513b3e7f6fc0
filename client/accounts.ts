import type { AdminUser, InvitedUser, OwnSession } from './answers.ts'
import type { Client } from './client.ts'
import type { Account, Session } from './sessions.ts'

/** Admin users, and the caller's own account. */
export interface AdminAccounts {
  /** Super-admins may change all, others those of roles below their own. A new role or block ends sessions. */
  update(
    id: number,
    change: Partial<Pick<AdminUser, 'email' | 'username' | 'role' | 'blocked'>>,
  ): Promise<AdminUser>
  delete(id: number): Promise<{ readonly id: number }>
  /** For super-admins. */
  invite(person: Pick<Account, 'email' | 'username' | 'role'>): Promise<InvitedUser>
  /** Sends another invitation, which makes former ones void. */
  inviteAgain(id: number): Promise<InvitedUser>
  /** Changes the own account; a new address takes `currentPassword`. */
  updateMe(change: {
    readonly username?: string
    readonly email?: string
    readonly currentPassword?: string
  }): Promise<AdminUser>
  changePassword(currentPassword: string, newPassword: string): Promise<Session>
  sessions(options?: { readonly signal?: AbortSignal }): Promise<readonly OwnSession[]>
  endSession(id: number): Promise<{ readonly id: number }>
  /** Signs out everywhere; with `keepThis`, everywhere else, and answers the session that goes on. */
  endSessions(options: { readonly keepThis: boolean }): Promise<Session | null>
}

/** Makes the access to them. */
export function createAdminAccounts({ send }: Pick<Client<never>, 'send'>): AdminAccounts {
  const own = '/admin/auth'
  return {
    update: (id, body) => send('PUT', `/admin/users/${id}`, { body }),
    delete: (id) => send('DELETE', `/admin/users/${id}`),
    invite: (body) => send('POST', '/admin/users/invitations', { body }),
    inviteAgain: (id) => send('POST', `/admin/users/${id}/invitation`),
    updateMe: (body) => send('PUT', `${own}/me`, { body }),
    changePassword: (currentPassword, newPassword) =>
      send('POST', `${own}/change-password`, { body: { currentPassword, newPassword } }),
    sessions: (options) => send('GET', `${own}/sessions?limit=100`, options),
    endSession: (id) => send('DELETE', `${own}/sessions/${id}`),
    endSessions: (body) => send('POST', `${own}/sessions/end`, { body }),
  }
}
