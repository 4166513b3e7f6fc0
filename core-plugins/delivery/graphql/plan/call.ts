import type { Awaitable } from '../../../../kernel/index.ts'
import type { Auth, ContentAction } from '../../../accounts/auth/auth.ts'
import type { ContentReads, SystemEntries, UnguardedContent } from '../../../entries/content/content.ts'
import type { Recipient } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import type { EntryEvent } from './entry-event.ts'
import type { CountValues } from './projection.ts'
import type { SharedSelections } from './shared-selections.ts'

/** The caller and the services that resolve fields. */
export interface Call {
  readonly content: UnguardedContent
  /** All reads of the operation go through it. */
  readonly reads: ContentReads
  readonly count: CountValues
  readonly sharedSelections: SharedSelections
  readonly schemas: Schemas
  /** The entries service of a system type. */
  readonly systemEntries: (type: string) => SystemEntries
  /** The maximum number of entries per read. */
  readonly pageSize: number
  readonly auth: Auth
  readonly principal: Principal
  readonly ip: string | undefined
  readonly recipient: Recipient | undefined
  /** The event to send to a subscriber; an error if it cannot be determined. */
  readonly event?: EntryEvent | Error | undefined
}

/** One root field, ready to run for any caller. @throws AppError as REST does */
export type RunRoot = (call: Call) => Awaitable<unknown>

/** @throws AppError 401, 403 */
export function assertAllowed({ auth, principal }: Call, type: string, action: ContentAction): void {
  if (!auth.mayContent(principal, type, action)) auth.refuse(principal)
}
