import type { ItemName } from '../../../foundation/sections/sections.ts'
import type { Comparison } from './comparison.ts'
import type { TransferPlan } from './plan-transfer.ts'
import { sectionOf } from './side.ts'

/** A plan that can be applied at once, and what is left for a transfer after it. */
export interface FirstStep {
  readonly plan: TransferPlan
  /** The sections that were applied by themselves; the target uses them from its next start on. */
  readonly alone: readonly string[]
  /** How many changes are left. */
  readonly left: number
}

/** What of a plan is applied first: a section that is a step of its own, such as the schema files, or else everything. */
export function firstStep({ target }: Comparison, plan: TransferPlan): FirstStep {
  const isStep = ({ section }: ItemName) => sectionOf(target.described, section)?.isStep === true
  const alone = new Set([...plan.puts, ...plan.removals].filter(isStep).map(({ section }) => section))
  const [first] = alone
  if (first === undefined) return { plan, alone: [], left: 0 }
  const isFirst = ({ section }: ItemName) => section === first
  const step = {
    ...plan,
    puts: plan.puts.filter(isFirst),
    removals: plan.removals.filter(isFirst),
    agreements: plan.agreements.filter(isFirst),
  }
  const left = plan.puts.length + plan.removals.length - step.puts.length - step.removals.length
  return { plan: step, alone: [first], left }
}
