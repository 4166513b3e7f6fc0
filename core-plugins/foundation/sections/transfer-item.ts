import type { Value } from './canonical.ts'

/** The name of an item, the same in every environment: `content:article` and a UUID, `roles` and a name. */
export interface ItemName {
  readonly section: string
  readonly key: string
}

/** The current state of an item. */
export interface ItemVersion {
  readonly key: string
  /** Equal for equal items. */
  readonly hash: string
}

/**
 * The file of an item, which is transferred separately from the package, and only if the other side has a different
 * one.
 */
export interface ItemFile {
  /** The file name shown to people. */
  readonly name: string
  /** SHA-256 of its bytes in hexadecimal digits. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/** A file, and the item that has it. */
export interface FileOfItem {
  readonly item: ItemName
  readonly file: ItemFile
}

/** An item with everything that is transferred of it. */
export interface TransferItem extends ItemVersion {
  /** The name shown to people: a title, a file's name. */
  readonly label: string | null
  readonly value: Value
  /** Undefined for items without a file. */
  readonly file?: ItemFile | undefined
  /** The items that it needs to be complete. */
  readonly references: readonly ItemName[]
  /** The time of the last change (ISO 8601); null if unknown. */
  readonly changedAt: string | null
  /** Who made the last change; undefined if unknown, or not visible to the caller. */
  readonly changedBy?: ItemAuthor | undefined
}

/** The author of a change, with their name at that time. */
export interface ItemAuthor {
  /** `admin`, `user` or `token`. */
  readonly kind: string
  readonly username: string
}

/** `content:article:0198…`: how an item is named to people. */
export function nameOf({ section, key }: ItemName): string {
  return `${section}:${key}`
}
