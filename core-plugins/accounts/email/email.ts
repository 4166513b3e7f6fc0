import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'

export { escapeHtml } from './escape-html.ts'

/** A mail to one recipient. */
export interface EmailMessage {
  /** One address: `ann@example.com`. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** The mail is discarded if it has not been sent by then; ISO 8601. By default a week from now. */
  readonly expiresAt?: string
}

/** Sends mail through the SMTP server configured in `email.*`. */
export interface Email {
  /** False if no server or sender is set, or mail is switched off. Cheap. */
  readonly isConfigured: boolean
  /**
   * Sends after the commit, in a job that is retried while the server is unreachable. The job does not contain the text of the
   * mail, which is deleted once it has been sent.
   */
  send(tx: Transaction, message: EmailMessage): Promise<void>
}

/** Sends mail through the configured SMTP server, in jobs enqueued with the caller's transaction. */
export const emailService: ServiceToken<Email> = service('email')
