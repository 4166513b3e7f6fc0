import type { Agreement, NewAgreement } from '../agreements.ts'
import type { ApplyResult } from '../apply-result.ts'
import type { ItemName, ItemVersion, TransferItem } from '../transfer-item.ts'

/** Who one side of a transfer is, and what of it the caller may read. */
export interface SideDescription {
  readonly environment: string
  /** Of Mortise. */
  readonly version: string
  readonly sections: readonly string[]
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
  /** In the order of their keys. */
  page(section: string, after: string): Promise<readonly ItemVersion[]>
  /** Those that exist. */
  find(section: string, keys: readonly string[]): Promise<readonly TransferItem[]>
  /** What was agreed with a peer, in the order of the keys. */
  agreements(peer: string, section: string, after: string): Promise<readonly Agreement[]>
  agreementsOn(peer: string, section: string, keys: readonly string[]): Promise<readonly Agreement[]>
  remember(peer: string, agreements: readonly NewAgreement[], at: string): Promise<void>
  /** Applies a package, completely or not at all. */
  apply(written: WrittenPackage): Promise<ApplyResult>
  /** What is in a release, by its number there. */
  release(id: number): Promise<readonly ItemName[]>
}

/** How many items are asked for at once. */
export const pageSize = 1_000
/** How many are read whole at once. */
export const itemsAtOnce = 200
