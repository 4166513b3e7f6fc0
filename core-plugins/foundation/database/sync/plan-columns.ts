import type { ColumnSpec } from '../tables/table-spec.ts'
import type { LiveColumn } from './live-schema.ts'
import { lost } from './lost.ts'
import { earlierNamesOf } from './mirror.ts'
import { primaryKeyOf } from './names.ts'
import type { TableInput } from './plan-input.ts'
import { canBeMirrored, earlierColumn } from './plan-rename.ts'
import { retyped } from './plan-retype.ts'
import { blocked, type PlannedStep, type Step, type StepOf, safely, safeUnless } from './step.ts'

/** The steps of one column by phase. */
export interface ColumnPlan {
  /** The steps that create or change the column. */
  readonly shaped: readonly PlannedStep[]
  /** The steps that make it required. */
  readonly tightened: readonly PlannedStep[]
}

export function planColumn(column: ColumnSpec, input: TableInput): ColumnPlan {
  const earlier = earlierColumn(column, input)
  if (earlier !== undefined) return renamedColumn(column, earlier, input)
  const present = input.live.columns.get(column.name)
  if (present !== undefined) return changedColumn(column, present, input)
  return { shaped: [addedColumn(column, input)], tightened: stillRequired(column, input) }
}

/** Slow steps run under the earlier name, which processes of an earlier version use. */
function renamedColumn(column: ColumnSpec, earlier: LiveColumn, input: TableInput): ColumnPlan {
  const { shaped } = changedColumn({ ...column, name: earlier.name }, earlier, input)
  const { tightened } = changedColumn(column, earlier, input)
  const before = earlierNamesOf(earlier.name, input.last).filter((name) => name !== column.name)
  const rename: Step = {
    change: 'rename-column',
    table: input.table.name,
    from: earlier.name,
    column: column.name,
    mirrored: canBeMirrored(column, earlier, input) ? [earlier.name, ...before] : [],
  }
  return { shaped: [...shaped, safely(rename)], tightened }
}

/** A required column without a default is created nullable if existing rows would have no value in it. */
function addedColumn(column: ColumnSpec, input: TableInput): PlannedStep {
  const nullable = isUnanswered(column, input) || column.nullable === true
  return safely({ change: 'add-column', table: input.table.name, column: { ...column, nullable } })
}

function stillRequired(column: ColumnSpec, input: TableInput): PlannedStep[] {
  if (!isUnanswered(column, input)) return []
  const step: Step = { change: 'make-required', table: input.table.name, column }
  return [blocked(step, 'existing rows have no value for it, and it has no default')]
}

function isUnanswered(column: ColumnSpec, { table, input }: TableInput): boolean {
  if (column.nullable === true || (column.default ?? null) !== null) return false
  return input.answer({ about: 'rows', table: table.name }) > 0
}

function changedColumn(column: ColumnSpec, present: LiveColumn, input: TableInput): ColumnPlan {
  const typed = retyped(column, present, input)
  const isConverted = typed.some(({ step }) => step.change === 'convert-column')
  return {
    shaped: [...typed, ...relaxed(column, present, input), ...filled(column, input)],
    tightened: isConverted ? [] : required(column, present, input),
  }
}

function relaxed(column: ColumnSpec, present: LiveColumn, { table }: TableInput): PlannedStep[] {
  if (column.nullable !== true || present.nullable) return []
  return [safely({ change: 'make-nullable', table: table.name, column })]
}

/** Fills a column that the last start did not have, in a table that it had. */
function filled({ name, filledFrom }: ColumnSpec, { table, last }: TableInput): PlannedStep[] {
  if (filledFrom === undefined || last === undefined) return []
  const isKnown = last.columns.some((column) => column.name === name) && last.unused?.includes(name) !== true
  return isKnown ? [] : [safely({ change: 'fill-column', table: table.name, column: name, from: filledFrom })]
}

function required(column: ColumnSpec, present: LiveColumn, { table, input }: TableInput): PlannedStep[] {
  const isKey = primaryKeyOf(table).includes(column.name)
  if (column.nullable === true || !present.nullable || isKey) return []
  const hasNulls = input.answer({ about: 'nulls', table: table.name, column: present.name }) > 0
  const step: Step = { change: 'make-required', table: table.name, column }
  return [safeUnless(step, hasNulls ? 'existing rows have no value for it' : undefined)]
}

/** Columns created by us that are no longer declared: kept, and made nullable so that inserts need not set them. */
export function undeclared(input: TableInput): PlannedStep[] {
  const { table, live, last } = input
  const taken = new Set(table.columns.flatMap((column) => [column.name, earlierColumn(column, input)?.name]))
  return (last?.columns ?? []).flatMap((column): PlannedStep[] => {
    const present = live.columns.get(column.name)
    if (present === undefined || taken.has(column.name)) return []
    const kept = { ...column, nullable: true }
    const drop: Step = {
      change: 'drop-column',
      table: table.name,
      column: kept,
      mirror: endOf(column.name, input),
    }
    const relax: Step = { change: 'make-nullable', table: table.name, column: kept }
    const isKey = live.primaryKey.includes(column.name)
    return [
      ...(present.nullable || isKey ? [] : [safely(relax)]),
      ...(isCopy(column.name, input) ? [] : [blocked(drop, lost('its values', column))]),
    ]
  })
}

/** The trigger that keeps the column in sync with others, which ends when the column is dropped. */
function endOf(name: string, { last }: TableInput): StepOf<'drop-column'>['mirror'] {
  const mirror = last?.mirrors?.find((each) => [each.column, each.earlier].includes(name))
  if (mirror === undefined) return undefined
  const ended = { column: mirror.column, earlier: earlierNamesOf(mirror.column, last) }
  return { ended, rest: name === mirror.column ? [] : ended.earlier.filter((each) => each !== name) }
}

/** Whether this column is a copy, under an earlier name, of a declared one. */
function isCopy(name: string, { table, last }: TableInput): boolean {
  const declares = (wanted: string) => table.columns.some((column) => column.name === wanted)
  const mirror = last?.mirrors?.find(({ earlier }) => earlier === name)
  if (mirror === undefined) return false
  const { column } = mirror
  return [column, ...earlierNamesOf(column, last)].some(declares)
}
