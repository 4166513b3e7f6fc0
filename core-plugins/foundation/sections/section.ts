import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { Value } from './canonical.ts'
import type { EntryCompanion } from './entry-companion.ts'
import type { ItemName, ItemVersion, TransferItem } from './transfer-item.ts'

/** Items of one sort, such as the entries of a type, or the roles. */
export interface Section {
  /** `content:article`, `media-folders`, `roles` */
  readonly name: string
  /** What reading it takes: the same as for downloading a backup with it. */
  readonly readingTakes: string
  mayRead(principal: Principal): boolean
  /** What plugins keep beside its items, if those are entries. */
  readonly companions?: readonly EntryCompanion[]
  /**
   * The versions of items after a key, in the order of keys. A page may have fewer items than the limit; an empty page
   * means that there are no more.
   * @param beside the names of the companions of entries to include
   */
  page(after: string, limit: number, beside?: readonly string[]): Promise<readonly ItemVersion[]>
  /** Those that exist, in any order. */
  find(keys: readonly string[], options?: FindOptions): Promise<readonly TransferItem[]>
  /** Whether a value has the form of one of the section, whatever it says. @throws AppError 400 */
  assertForm(item: ItemName & { readonly value: Value }): void
  /** The rights that a change takes and the caller lacks, in words: `the right to publish`. */
  missingRights(principal: Principal, change: JudgedChange): Iterable<string>
}

export interface FindOptions {
  /** Items are locked until its end. */
  readonly tx?: Transaction | undefined
  /** See `page`. */
  readonly beside?: readonly string[] | undefined
  /** The reader of the last changes, who learns the authors only with the permission to see them. */
  readonly reader?: Principal
}

/** A change as far as rights depend on it. */
export interface JudgedChange {
  readonly key: string
  readonly action: 'put' | 'remove'
  /** Undefined for a removal. */
  readonly value: Value | undefined
  /** The item's value here; undefined if it does not exist. */
  readonly present: Value | undefined
}

/**
 * A section that a plugin brings into transfers. Its changes are applied in the transaction of the package, with those of
 * all sections: all of them or none.
 */
export interface TransferSection extends Section {
  /** What `--only` calls it, with others where several belong together: `media`. Default: its name. */
  readonly group?: string
  /** Whether entries may refer to its items, so that it is written before them, and removed after them. */
  readonly isBeforeContent?: boolean
  /**
   * Whether it is a step of its own, as it cannot be a part of the transaction: `begin` writes it, all or nothing, and may find
   * it written already by a process that died.
   */
  readonly isStep?: boolean
  /** Why nothing of it can be written here by the caller, if so: it is compared then, and left out unless it is asked for. */
  refusal(principal: Principal): string | undefined
  /** The bytes of an item's file from an offset; undefined if the item has no file. */
  readFile?(key: string, offset: number): Promise<Readable | undefined>
  /** Prepares changes, before the transaction: for what takes long, such as checking files. @throws AppError */
  begin(work: SectionWork): Promise<SectionWriter>
}

/** What a package does to a section. */
export interface SectionWork {
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
  /** The items that are put, which may be read several times. */
  puts(): AsyncIterable<ItemToPut>
  /** The keys of items that are removed. */
  readonly removals: readonly string[]
  /** A file that has arrived whole. @throws AppError 409 unless it has */
  file(hash: string): Promise<string>
}

/** An item as the package has it. */
export interface ItemToPut {
  readonly key: string
  readonly value: Value
}

/** Writes the changes of a section. */
export interface SectionWriter {
  /**
   * Writes some items; returns the keys of those that refer to what is not here, which are put once more when all
   * entries are. @throws AppError
   */
  put(items: readonly ItemToPut[], write: SectionWrite): Promise<readonly string[]>
  /** Removes items that exist. @throws AppError */
  remove(keys: readonly string[], write: SectionWrite): Promise<void>
  /** Undoes what was prepared, after nothing was applied. */
  abandon?(): Promise<void>
}

/** Who applies a package, and in which transaction. */
export interface SectionWrite {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
  /** What is not here now will not come: it is left out, or refused. */
  readonly isLast: boolean
  /** References to what is missing are left out, instead of refusing the package. */
  readonly dropsMissing: boolean
}

/** Contribute in `register` or `init`. */
export const transferSections: ExtensionPoint<TransferSection> = extensionPoint('transferSections')
