import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'

/** A link with which an admin user sets a password. It is a secret: anyone who has it can use it, once. */
export interface PasswordLink {
  readonly purpose: 'invitation' | 'reset'
  readonly email: string
  readonly username: string
  readonly url: string
  /** When it expires; ISO 8601. */
  readonly expiresAt: string
}

/** Mails such links. */
export interface PasswordLinkMail {
  /** Whether mail can be sent at present; a cheap check. */
  readonly isConfigured: boolean
  /** Called in the transaction that stores the token: the mail is sent if and only if that is committed. */
  send(tx: Transaction, link: PasswordLink): Promise<void>
}

export const passwordLinkMail: ExtensionPoint<PasswordLinkMail> = extensionPoint('passwordLinkMail')
