import { type ServiceToken, service } from '../../../../kernel/index.ts'

/** The values of a new admin user. */
export interface NewAdminUser {
  readonly email: string
  readonly username: string
  readonly password: string
  readonly role: string
}

/** An admin user, as shown to the service's operators. */
export interface AdminUser {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly role: string
  readonly blocked: boolean
}

/**
 * Manages admin users for operators who have access to the machine but no account. The rules for passwords, names and roles
 * are those of the API. Callers must record the action.
 */
export interface AdminRecovery {
  /** The user must change the password at the next login. @throws AppError 400, 409 */
  create(user: NewAdminUser): Promise<AdminUser>
  /**
   * By e-mail address or username. Ends all sessions, forgets failed logins, and makes the user change the
   * password at the next login.
   * @throws AppError 400, 404
   */
  resetPassword(identifier: string, password: string): Promise<AdminUser>
}

export const adminRecoveryService: ServiceToken<AdminRecovery> = service('admin-recovery')
