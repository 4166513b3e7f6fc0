import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Queries } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

/** An action of a principal; see docs/operations.md. Never contains a secret. */
export interface AuditRecord {
  /** `<area>.<verb>`: `backup.restore`. */
  readonly action: string
  /** Null for actions of the service itself. */
  readonly principal: Principal | null
  /** What it was done to, e.g. `backup:7`. */
  readonly resource?: string | undefined
  /** JSON, kept short: names of fields rather than their values. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The client's address. */
  readonly ip?: string | undefined
}

/**
 * The append-only log of who did what. Admin routes and content writes are recorded automatically (see
 * `audit` of RouteDefinition); this is for everything else.
 */
export interface Audit {
  /** If `queries` is a transaction, the entry is committed with what it records. */
  record(record: AuditRecord, queries?: Queries): Promise<void>
}

export const auditService: ServiceToken<Audit> = service('audit')
