import type { Auth } from '../auth/auth.ts'
import type { Database } from '../database/database.ts'
import type { Email } from '../email/email.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Letters } from './letters.ts'
import type { PreferenceStore } from './preference-store.ts'

/** What jobs need that write to admin users. */
export interface NotificationParts {
  readonly database: Database
  readonly auth: Auth
  readonly inbox: Inbox
  readonly email: Email
  readonly letters: Letters
  readonly store: PreferenceStore
}
