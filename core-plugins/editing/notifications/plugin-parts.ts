import type { Auth } from '../../accounts/auth/auth.ts'
import type { Email } from '../../accounts/email/email.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Letters } from './letters.ts'
import type { PreferenceStore } from './preference-store.ts'

/** The dependencies of jobs that send mail to admin users. */
export interface NotificationParts {
  readonly database: Database
  readonly auth: Auth
  readonly inbox: Inbox
  readonly email: Email
  readonly letters: Letters
  readonly store: PreferenceStore
}
