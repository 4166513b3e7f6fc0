import type { TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { Value } from './canonical.ts'

/** What a plugin keeps beside the entries of a type, such as their states in a workflow: it travels with them. */
export interface EntryCompanion {
  /** What `--without` calls it: `workflow`. */
  readonly name: string
  matches(type: ContentType): boolean
  /** The form of its values. */
  readonly valueSchema: TSchema
  /**
   * By the ids of entries, with few queries; those of which there is nothing to tell, because they are as entries are made,
   * are left out. Locked until the end of the transaction, if there is one.
   */
  read(
    type: ContentType,
    ids: readonly number[],
    tx: Transaction | undefined,
  ): Promise<ReadonlyMap<number, Value>>
  /** The rights that a change takes and the caller lacks, in words: `the right to publish`. */
  missingRights(principal: Principal, type: ContentType, change: CompanionChange): Iterable<string>
  /** Writes what differs, after all entries of the package were written. @throws AppError */
  write(type: ContentType, changes: readonly CompanionWrite[], by: CompanionWriter): Promise<void>
}

/** Undefined: there is nothing to tell. */
export interface CompanionChange {
  readonly value: Value | undefined
  readonly present: Value | undefined
}

/** A change of what is kept beside an entry. */
export interface CompanionWrite extends CompanionChange {
  readonly id: number
  /** The entry as problems name it: `content:article:0198…`. */
  readonly name: string
}

/** Who applies a package, and in which transaction. */
export interface CompanionWriter {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
}

/** Contribute in `register` or `init`. */
export const entryCompanions: ExtensionPoint<EntryCompanion> = extensionPoint('entryCompanions')
