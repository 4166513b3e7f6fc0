import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Queries, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** An action of a principal; see docs/operations.md. Never contains a secret. */
export interface AuditRecord {
  /** `<area>.<verb>`: `backup.restore`. */
  readonly action: string
  /** Null for actions of the service itself. */
  readonly principal: Principal | null
  /** The resource concerned, e.g. `backup:7`. */
  readonly resource?: string | undefined
  /** JSON, kept short: names of fields rather than their values. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The client's address. */
  readonly ip?: string | undefined
}

/** A write of an entry. */
export interface RecordedWrite {
  /** `update`, `publish` and so on. */
  readonly operation: string
  /** `article:7` */
  readonly resource: string
  readonly admin: { readonly id: number; readonly username: string }
  /** ISO 8601. */
  readonly at: string
}

/**
 * The append-only log of who did what. Requests to admin routes are recorded automatically (see `audit` of
 * RouteDefinition); other actions are recorded by the code that performs them.
 */
export interface Audit {
  /** If `queries` is a transaction, the entry is committed with what it records. */
  record(record: AuditRecord, queries?: Queries): Promise<void>
  /** Records many actions with few statements. */
  recordMany(records: readonly AuditRecord[], queries?: Queries): Promise<void>
  /** Records actions without waiting: they are sent with the next statement of the transaction. */
  recordSoon(records: readonly AuditRecord[], tx: Transaction): void
  /** The latest writes of entries among the last few hundred records, newest first: those of one admin user, or of all others. */
  latestWrites(by: { readonly admin: number } | { readonly exceptAdmin: number }): Promise<RecordedWrite[]>
}

/** Records who did what. */
export const auditService: ServiceToken<Audit> = service('audit')
