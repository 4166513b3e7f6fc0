import type { Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { EntryQuery } from './entry-query.ts'
import type { WriteAnnotations } from './write-annotation.ts'

/** One write of an entry. */
export interface WriteRequest {
  /** Singular name of the type. */
  readonly type: string
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip?: string | undefined
  /** An open transaction to take part in; default: a new one. */
  readonly tx?: Transaction
  /** Information for the stages of the write; see `annotate`. */
  readonly annotations?: WriteAnnotations
}

/** A write to an existing entry. */
export interface EntryWriteRequest extends WriteRequest {
  readonly id: number
  /** The `If-Match` header: the write is refused if it names an older version. */
  readonly ifMatch?: string | undefined
}

/** A write to the entry of a single type. */
export interface SingleWriteRequest extends WriteRequest {
  readonly ifMatch?: string | undefined
  /** The query, for parameters of other plugins; everything else in it is ignored. */
  readonly query?: string | Pick<EntryQuery, 'parameters'>
}
