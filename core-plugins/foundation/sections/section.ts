import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { Value } from './canonical.ts'
import type { EntryCompanion } from './entry-companion.ts'
import type { ItemName, ItemVersion, TransferItem } from './transfer-item.ts'

/** Items of one kind, such as the entries of a type, or the roles. */
export interface Section {
  /** `content:article`, `media-folders`, `roles` */
  readonly name: string
  /** The right required for reading it: the same as for downloading a backup that contains it. */
  readonly readingTakes: string
  mayRead(principal: Principal): boolean
  /** The data that plugins store for its items, if these are entries. */
  readonly companions?: readonly EntryCompanion[]
  /**
   * The versions of items after a key, in the order of keys. A page may have fewer items than the limit; an empty
   * page means that there are no more.
   * @param beside the names of the entry companions to include
   */
  page(after: string, limit: number, beside?: readonly string[]): Promise<readonly ItemVersion[]>
  /** The items that exist, in any order. */
  find(keys: readonly string[], options?: FindOptions): Promise<readonly TransferItem[]>
  /**
   * Checks that a value has the form of the section's values, without judging its content.
   * @throws AppError 400
   */
  assertForm(item: ItemName & { readonly value: Value }): void
  /** The rights that a change requires and the caller lacks, in words: `the right to publish`. */
  missingRights(principal: Principal, change: JudgedChange): Iterable<string>
}

export interface FindOptions {
  /** Items are locked until the transaction ends. */
  readonly tx?: Transaction | undefined
  /** See `page`. */
  readonly beside?: readonly string[] | undefined
  /** The caller who reads who last changed an item; names are included only with the permission to see them. */
  readonly reader?: Principal
}

/** The parts of a change that rights depend on. */
export interface JudgedChange {
  readonly key: string
  readonly action: 'put' | 'remove'
  /** Undefined for a removal. */
  readonly value: Value | undefined
  /** The item's current value here; undefined if it does not exist. */
  readonly present: Value | undefined
}

/**
 * A section that a plugin adds to transfers. Its changes are applied in the transaction of the package, together with
 * those of all sections: all or none.
 */
export interface TransferSection extends Section {
  /** The name for the option `--only`, shared by sections that belong together: `media`. Default: its name. */
  readonly group?: string
  /** Whether entries may refer to its items, so that they are written before entries and removed after them. */
  readonly isBeforeContent?: boolean
  /**
   * Whether it is a separate step, because it cannot be part of the transaction: `begin` writes it, all or nothing,
   * and may find that a process that died has already written it.
   */
  readonly isStep?: boolean
  /**
   * Why the caller cannot write to the section at all, if so: it is then only compared, and left out unless requested
   * explicitly.
   */
  refusal(principal: Principal): string | undefined
  /** The bytes of an item's file from an offset; undefined if the item has no file. */
  readFile?(key: string, offset: number): Promise<Readable | undefined>
  /**
   * Prepares changes before the transaction: for slow work, such as checking files.
   * @throws AppError
   */
  begin(work: SectionWork): Promise<SectionWriter>
}

/** The changes that a package makes to a section. */
export interface SectionWork {
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
  /** The items to put; may be called several times. */
  puts(): AsyncIterable<ItemToPut>
  /** The keys of the items to remove. */
  readonly removals: readonly string[]
  /**
   * The path of a file that has been received completely.
   * @throws AppError 409 if it has not
   */
  file(hash: string): Promise<string>
}

/** An item as contained in the package. */
export interface ItemToPut {
  readonly key: string
  readonly value: Value
}

/** Writes the changes of a section. */
export interface SectionWriter {
  /**
   * Writes some items; returns the keys of those with references to missing items, which are put once more after all
   * entries.
   * @throws AppError
   */
  put(items: readonly ItemToPut[], write: SectionWrite): Promise<readonly string[]>
  /**
   * Removes existing items.
   * @throws AppError
   */
  remove(keys: readonly string[], write: SectionWrite): Promise<void>
  /** Undoes the preparation if nothing was applied. */
  abandon?(): Promise<void>
}

/** The caller who applies a package, and the transaction. */
export interface SectionWrite {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
  /**
   * True on the last pass: missing targets of references will not be added, so these are left out, or the package is
   * refused.
   */
  readonly isLast: boolean
  /** References to missing items are left out, instead of refusing the package. */
  readonly dropsMissing: boolean
}

/** Contribute in `register` or `init`. */
export const transferSections: ExtensionPoint<TransferSection> = extensionPoint('transferSections')
