import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Queries } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

/** Something that somebody did; decisions.md, 8. Never with a secret in it. */
export interface AuditRecord {
  /** `<area>.<verb>`: `backup.restore`. */
  readonly action: string
  /** Null for what the service does by itself. */
  readonly principal: Principal | null
  /** What it was done to, such as `backup:7`. */
  readonly resource?: string | undefined
  /** JSON, in few words: names of fields rather than their values. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The client's address. */
  readonly ip?: string | undefined
}

/**
 * The log of who did what; nothing in it is ever changed. What admin routes and content writes do is recorded without
 * any doing (see `audit` of RouteDefinition); this is for the rest.
 */
export interface Audit {
  /** Within a transaction where `queries` is one, so that it is committed with what it tells of. */
  record(record: AuditRecord, queries?: Queries): Promise<void>
}

export const auditService: ServiceToken<Audit> = service('audit')
