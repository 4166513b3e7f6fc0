import type { SchemaChange } from '../schema/schema-change.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../tables/table-spec.ts'
import type { JsonConversion } from './json/conversions.ts'
import type { JsonLoss } from './json/losses.ts'
import type { LiveReference } from './live-schema.ts'
import type { MirrorGroup } from './mirror.ts'

/** One change of the schema. */
export type Step =
  | { readonly change: 'create-table'; readonly table: TableSpec }
  | {
      readonly change: 'rename-column'
      readonly table: string
      readonly from: string
      readonly column: string
      /** The earlier names, including `from`, whose columns stay and are kept in sync with it. */
      readonly mirrored: readonly string[]
    }
  | { readonly change: 'add-column'; readonly table: string; readonly column: ColumnSpec }
  | { readonly change: 'widen-column'; readonly table: string; readonly column: ColumnSpec }
  | {
      readonly change: 'convert-column'
      readonly table: string
      readonly from: ColumnSpec
      readonly column: ColumnSpec
      /** Set if the change is inside the column's JSON. */
      readonly inside?: JsonConversion
    }
  | {
      readonly change: JsonLoss['change']
      readonly table: string
      readonly column: ColumnSpec
      readonly loss: JsonLoss
    }
  | { readonly change: 'make-nullable'; readonly table: string; readonly column: ColumnSpec }
  | { readonly change: 'make-required'; readonly table: string; readonly column: ColumnSpec }
  | {
      readonly change: 'drop-column'
      readonly table: string
      readonly column: ColumnSpec
      /** The columns that it was kept in sync with, including itself, and those that stay in sync. */
      readonly mirror?: { readonly ended: MirrorGroup; readonly rest: readonly string[] } | undefined
    }
  | {
      readonly change: 'fill-column'
      readonly table: string
      readonly column: string
      readonly from: string
    }
  | {
      readonly change: 'end-drafts' | 'end-trash'
      readonly table: string
      readonly column: string
    }
  | { readonly change: 'drop-table'; readonly table: TableSpec }
  | { readonly change: 'create-index'; readonly table: TableSpec; readonly index: IndexSpec }
  | { readonly change: 'create-unique-index'; readonly table: TableSpec; readonly index: IndexSpec }
  | {
      readonly change: 'drop-index'
      readonly table: string
      readonly name: string
      readonly index: IndexSpec
    }
  | { readonly change: 'add-reference'; readonly table: string; readonly reference: ReferenceSpec }
  | { readonly change: 'drop-reference'; readonly table: string; readonly reference: LiveReference }
  | { readonly change: 'change-primary-key'; readonly table: string; readonly columns: readonly string[] }

export type StepOf<Change extends Step['change']> = Extract<Step, { change: Change }>

/** A step and whether it can lose or break anything. */
export interface PlannedStep {
  readonly step: Step
  readonly safe: boolean
  /** Why it is not safe. */
  readonly reason?: string
}

/** A planned step as the API shows it. */
export function describeStep({ step, safe, reason }: PlannedStep): SchemaChange {
  return {
    change: step.change,
    table: tableOf(step),
    column: columnOf(step),
    safe,
    reason: reason ?? null,
    plugin: ownerOf(step) ?? null,
  }
}

/** The plugin whose data a step drops. Other steps concern declared columns, so their plugin is on. */
function ownerOf(step: Step): string | undefined {
  if (step.change === 'drop-table') return step.table.plugin
  if ('loss' in step) return step.loss.plugin
  return step.change === 'drop-column' ? step.column.plugin : undefined
}

export function tableOf({ table }: Step): string {
  return typeof table === 'string' ? table : table.name
}

function columnOf(step: Step): string | null {
  if ('loss' in step) return [step.column.name, step.loss.path].filter((name) => name !== '').join('.')
  if ('column' in step) return typeof step.column === 'string' ? step.column : step.column.name
  if ('index' in step) return step.index.columns.join(',')
  if ('reference' in step) return step.reference.column
  return 'columns' in step ? step.columns.join(',') : null
}

export const safely = (step: Step): PlannedStep => ({ step, safe: true })

export const blocked = (step: Step, reason: string): PlannedStep => ({ step, safe: false, reason })

/** Marks a step as safe, unless a reason against it is given. */
export const safeUnless = (step: Step, reason: string | undefined): PlannedStep =>
  reason === undefined ? safely(step) : blocked(step, reason)
