import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../kernel/index.ts'
import type { TransferSide } from './plan/side.ts'
import type { EntryCompanion } from './sections/entry-companion.ts'
import type { TransferSection } from './sections/section.ts'

export type { ApplyResult } from './apply-result.ts'
export { differingMembers, type Value } from './canonical.ts'
export { type Comparison, comparisonBetween, type DescribedSide } from './plan/comparison.ts'
export { changeText } from './plan/conflict-changes.ts'
export type {
  Difference,
  ItemDifference,
  LastChange,
  LastChanges,
  SectionDifference,
} from './plan/difference.ts'
export {
  assertDecided,
  type ComparedSections,
  comparedSections,
  type Decision,
  itemNamed,
  type PlanOptions,
  planTransfer,
  type TransferPlan,
} from './plan/plan-transfer.ts'
export type { Selection } from './plan/selection.ts'
export { sendFiles } from './plan/send-files.ts'
export type { TransferSide } from './plan/side.ts'
export { type FirstStep, firstStep } from './plan/steps.ts'
export { type OnMissing, writePackage } from './plan/write-package.ts'
export type { RemoteOptions } from './remote/remote-client.ts'
export { openRemoteSide } from './remote/remote-side.ts'
export type {
  CompanionChange,
  CompanionWrite,
  CompanionWriter,
  EntryCompanion,
} from './sections/entry-companion.ts'
export { type ListedItem, type ListedSectionDefinition, listedSection } from './sections/listed-section.ts'
export { oncePerTransaction } from './sections/once-per-transaction.ts'
export { scopedRights } from './sections/scoped-rights.ts'
export type {
  ItemToPut,
  JudgedChange,
  Section,
  SectionWork,
  SectionWrite,
  SectionWriter,
  TransferSection,
} from './sections/section.ts'
export {
  type ItemAuthor,
  type ItemFile,
  type ItemName,
  type ItemVersion,
  nameOf,
  type TransferItem,
} from './transfer-item.ts'

/** This environment as one side of a transfer, for the command line. */
export interface Transfer {
  /** With the rights of whoever works on this machine. */
  readonly side: TransferSide
  /** A path for a package that is made here. */
  newPath(): Promise<string>
  /** Gives this environment an id of its own, after its database was copied. */
  renewId(): Promise<string>
}

/** Contribute in `register` or `init`. */
export const entryCompanions: ExtensionPoint<EntryCompanion> = extensionPoint('entryCompanions')

/** Contribute in `register` or `init`. */
export const transferSections: ExtensionPoint<TransferSection> = extensionPoint('transferSections')

export const transferService: ServiceToken<Transfer> = service('transfer')
