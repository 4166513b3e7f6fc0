import type { Readable } from 'node:stream'
import type {
  FileOfItem,
  ItemFile,
  ItemName,
  ItemVersion,
  TransferItem,
} from '../../../foundation/sections/sections.ts'
import type { Agreement, NewAgreement } from '../agreements.ts'
import type { ApplyResult } from '../apply-result.ts'

/** Who one side of a transfer is, and what of it the caller may read. */
export interface SideDescription {
  readonly environment: string
  /** Of Mortise. */
  readonly version: string
  /** In the order in which they are written. */
  readonly sections: readonly DescribedSection[]
}

/** A section that the caller may read. */
export interface DescribedSection {
  readonly name: string
  /** What `--only` calls it: `content`, `media`, `roles`. */
  readonly group: string
  /** Whether it is applied by itself, before the others. */
  readonly isStep: boolean
  /** Why the caller cannot have anything of it written here; null if it can, as far as the package tells. */
  readonly refusal: string | null
  /** What is kept there beside each entry, by the names of companions. */
  readonly beside?: readonly string[] | undefined
}

/** The section of a side, if the caller may read it there. */
export function sectionOf({ sections }: SideDescription, name: string): DescribedSection | undefined {
  return sections.find((section) => section.name === name)
}

/** A package on the disk. */
export interface WrittenPackage {
  /** The SHA-256 of its text. */
  readonly id: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** One of the two environments of a transfer: this one, or one that is reached over HTTP. */
export interface TransferSide {
  /** How people call it: `here`, or its address. */
  readonly name: string
  describe(): Promise<SideDescription>
  /** In the order of their keys. `beside`: what belongs to entries beside themselves. */
  page(section: string, after: string, beside?: readonly string[]): Promise<readonly ItemVersion[]>
  /** Those that exist. */
  find(section: string, keys: readonly string[], beside?: readonly string[]): Promise<readonly TransferItem[]>
  /** What was agreed with a peer, in the order of the keys. */
  agreements(peer: string, section: string, after: string): Promise<readonly Agreement[]>
  agreementsOn(peer: string, section: string, keys: readonly string[]): Promise<readonly Agreement[]>
  remember(peer: string, agreements: readonly NewAgreement[], at: string): Promise<void>
  /** The bytes of an item's file from an offset. */
  readFile(wanted: FileOfItem, offset: number): Promise<Readable>
  /**
   * Takes a file, for a package that is applied later; goes on where an earlier attempt has ended.
   * @param read its bytes from an offset
   */
  putFile(file: ItemFile, read: (offset: number) => Promise<Readable>): Promise<void>
  /** Applies a package, completely or not at all. */
  apply(written: WrittenPackage): Promise<ApplyResult>
  /** What is in a release, by its number there. */
  release(id: number): Promise<readonly ItemName[]>
}

/** How many items are asked for at once. */
export const pageSize = 1_000
/** How many are read whole at once. */
export const itemsAtOnce = 200
