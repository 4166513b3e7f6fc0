import type { Value } from './canonical.ts'

/** An item as it is known in every environment: `content:article` and a UUID, `roles` and a name. */
export interface ItemName {
  readonly section: string
  readonly key: string
}

/** What an item is at present. */
export interface ItemVersion {
  readonly key: string
  /** Equal for items that are the same. */
  readonly hash: string
}

/** The file of an item, which travels beside the package, and only where the other side has another one. */
export interface ItemFile {
  /** As people know it. */
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

/** An item with all that travels of it. */
export interface TransferItem extends ItemVersion {
  /** What people know it by: a title, a file's name. */
  readonly label: string | null
  readonly value: Value
  /** Undefined for items that are no files. */
  readonly file?: ItemFile | undefined
  /** The items without which it would not be whole. */
  readonly references: readonly ItemName[]
  /** When it was changed last (ISO 8601); null where that is not known. */
  readonly changedAt: string | null
  /** Who changed it last; undefined where that is not known, or not for the caller. */
  readonly changedBy?: ItemAuthor | undefined
}

/** Who has changed an item, by the name that they had then. */
export interface ItemAuthor {
  /** `admin`, `user` or `token`. */
  readonly kind: string
  readonly username: string
}

/** `content:article:0198…`: how people name an item. */
export function nameOf({ section, key }: ItemName): string {
  return `${section}:${key}`
}
