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

/** Describes one side of a transfer and the sections that the caller may read there. */
export interface SideDescription {
  readonly environment: string
  /** The version of Mortise. */
  readonly version: string
  /** In the order in which they are written. */
  readonly sections: readonly DescribedSection[]
}

/** A section that the caller may read. */
export interface DescribedSection {
  readonly name: string
  /** Its name for `--only`: `content`, `media`, `roles`. */
  readonly group: string
  /** Whether it is applied separately, before the other sections. */
  readonly isStep: boolean
  /** The reason why the caller cannot write the section here; null if nothing is known to prevent it. */
  readonly refusal: string | null
  /** The names of the companions of its entries. */
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
  /** The size in bytes. */
  readonly size: number
}

/** One of the two environments of a transfer: this one, or one that is reached over HTTP. */
export interface TransferSide {
  /** Its name for people: `here`, or its address. */
  readonly name: string
  describe(): Promise<SideDescription>
  /** A page of items in the order of keys. `beside` names the companions to include. */
  page(section: string, after: string, beside?: readonly string[]): Promise<readonly ItemVersion[]>
  /** The items that exist. */
  find(section: string, keys: readonly string[], beside?: readonly string[]): Promise<readonly TransferItem[]>
  /** The agreements with a peer, in the order of keys. */
  agreements(peer: string, section: string, after: string): Promise<readonly Agreement[]>
  agreementsOn(peer: string, section: string, keys: readonly string[]): Promise<readonly Agreement[]>
  remember(peer: string, agreements: readonly NewAgreement[], at: string): Promise<void>
  /** The bytes of an item's file from an offset. */
  readFile(wanted: FileOfItem, offset: number): Promise<Readable>
  /**
   * Receives a file for a package that is applied later; continues where an earlier attempt has ended.
   * @param read its bytes from an offset
   */
  putFile(file: ItemFile, read: (offset: number) => Promise<Readable>): Promise<void>
  /** Applies a package, completely or not at all. */
  apply(written: WrittenPackage): Promise<ApplyResult>
  /** The entries of a release, by its id on this side. */
  release(id: number): Promise<readonly ItemName[]>
}

/** The number of items in one request. */
export const pageSize = 1_000
/** How many are read whole at once. */
export const itemsAtOnce = 200
