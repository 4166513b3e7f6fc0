import type { TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { Value } from './canonical.ts'

/**
 * Data that a plugin stores for the entries of a type, such as their workflow states: it is transferred with them.
 */
export interface EntryCompanion {
  /** The name for the option `--without`: `workflow`. */
  readonly name: string
  matches(type: ContentType): boolean
  /** The schema of its values. */
  readonly valueSchema: TSchema
  /**
   * Reads the values by entry ids, with few queries. Entries whose value is the default of new entries are left out.
   * The rows are locked until the end of the transaction, if there is one.
   */
  read(
    type: ContentType,
    ids: readonly number[],
    tx: Transaction | undefined,
  ): Promise<ReadonlyMap<number, Value>>
  /** The rights that a change requires and the caller lacks, in words: `the right to publish`. */
  missingRights(principal: Principal, type: ContentType, change: CompanionChange): Iterable<string>
  /**
   * Writes values that differ, after all entries of the package have been written.
   * @throws AppError
   */
  write(type: ContentType, changes: readonly CompanionWrite[], by: CompanionWriter): Promise<void>
}

/** Undefined: the default of new entries. */
export interface CompanionChange {
  readonly value: Value | undefined
  readonly present: Value | undefined
}

/** A change of an entry's companion value. */
export interface CompanionWrite extends CompanionChange {
  readonly id: number
  /** How problems name the entry: `content:article:0198…`. */
  readonly name: string
}

/** The caller who applies a package, and the transaction. */
export interface CompanionWriter {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
}

/** Contribute in `register` or `init`. */
export const entryCompanions: ExtensionPoint<EntryCompanion> = extensionPoint('entryCompanions')
