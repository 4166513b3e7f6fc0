import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { TransferSide } from './plan/side.ts'

export type { ApplyResult } from './apply-result.ts'
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

/** This environment as one side of a transfer, for the command line. */
export interface Transfer {
  /** This environment, with the rights of an operator of the machine. */
  readonly side: TransferSide
  /** A path for a new package. */
  newPath(): Promise<string>
  /** Gives this environment a new id, after its database was copied from another one. */
  renewId(): Promise<string>
}

export const transferService: ServiceToken<Transfer> = service('transfer')
