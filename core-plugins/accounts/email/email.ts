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
  /** Discarded if not sent by then; ISO 8601. A week from now by default. */
  readonly expiresAt?: string
}

/** Sends mail through the SMTP server configured in `email.*`. */
export interface Email {
  /** False if no server or sender is set, or mail is switched off. Cheap. */
  readonly isConfigured: boolean
  /**
   * Sends after the commit, in a job that is retried while the server is unreachable. The job refers to the
   * mail without containing it; the text is deleted once it is sent.
   */
  send(tx: Transaction, message: EmailMessage): Promise<void>
}

/** Sends mail through the configured SMTP server, in jobs of the transaction at hand. */
export const emailService: ServiceToken<Email> = service('email')
