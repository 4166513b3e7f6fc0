import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'

/** A mail to one person. */
export interface EmailMessage {
  /** One address: `ann@example.com`. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Not sent after this moment, and forgotten; ISO 8601. A week from now unless told otherwise. */
  readonly expiresAt?: string
}

/** Sends mail by the SMTP server that `email.*` names. */
export interface Email {
  /** False where no server or sender is set, or mail is switched off. Cheap. */
  readonly isConfigured: boolean
  /**
   * Sends after the commit, by a job that is tried again while the server cannot be reached. The job names the mail
   * and does not hold it; when it was sent its text is deleted.
   */
  send(tx: Transaction, message: EmailMessage): Promise<void>
}

export const emailService: ServiceToken<Email> = service('email')
