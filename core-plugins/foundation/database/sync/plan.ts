import type { TableSpec } from '../tables/table-spec.ts'
import { lost } from './lost.ts'
import { primaryKeyOf } from './names.ts'
import { planColumn, undeclared } from './plan-columns.ts'
import type { PlanInput, TableInput } from './plan-input.ts'
import { endedMirrors, endingColumns } from './plan-mirrors.ts'
import { replacedColumns, setAside } from './plan-rename.ts'
import { missingIndexes, missingReferences, staleIndexes, staleReferences } from './plan-ties.ts'
import { blocked, type PlannedStep, type Step, safely } from './step.ts'

/**
 * Returns the steps from the existing to the declared tables, in executable order. Only steps that lose nothing are
 * `safe`. Tables that the service has not created are left alone.
 */
export function planSync(input: PlanInput): PlannedStep[] {
  const last = new Map(input.last.map((table) => [table.name, table]))
  const changes = input.declared.map((table): TablePlan => {
    const live = input.live.get(table.name)
    if (live === undefined) return newTable(table)
    return planTable({ table, last: last.get(table.name), live, input })
  })
  const steps = (name: keyof TablePlan) => changes.flatMap((change) => change[name])
  return [...steps('loosened'), ...steps('shaped'), ...steps('tightened'), ...droppedTables(input)]
}

/** The steps of one table by phase: the shape of all tables comes before constraints. */
interface TablePlan {
  /** References and indexes to drop. */
  readonly loosened: readonly PlannedStep[]
  /** Tables and columns. */
  readonly shaped: readonly PlannedStep[]
  /** Indexes, references and required columns. */
  readonly tightened: readonly PlannedStep[]
}

function newTable(table: TableSpec): TablePlan {
  const references = table.references ?? []
  return {
    loosened: [],
    shaped: [safely({ change: 'create-table', table })],
    tightened: references.map((reference) =>
      safely({ change: 'add-reference', table: table.name, reference }),
    ),
  }
}

function planTable(input: TableInput): TablePlan {
  const loosened = [...staleReferences(input), ...staleIndexes(input), ...endedMirrors(input)]
  // Columns under a name that a copy or another attribute still has are planned once that is gone.
  if (endingColumns(input).length > 0) return { loosened, shaped: [], tightened: [] }
  if (replacedColumns(input).length > 0) return { loosened, shaped: setAside(input), tightened: [] }
  const columns = input.table.columns.map((column) => planColumn(column, input))
  return {
    loosened,
    shaped: [...primaryKey(input), ...columns.flatMap(({ shaped }) => shaped), ...undeclared(input)],
    tightened: [
      ...columns.flatMap(({ tightened }) => tightened),
      ...missingIndexes(input),
      ...missingReferences(input),
      ...endingDrafts(input),
      ...endingTrash(input),
    ],
  }
}

function primaryKey({ table, live }: TableInput): PlannedStep[] {
  const columns = primaryKeyOf(table)
  if (columns.join() === live.primaryKey.join()) return []
  const step: Step = { change: 'change-primary-key', table: table.name, columns }
  return [blocked(step, 'a primary key cannot be changed; make a new table and move the rows')]
}

/** Unpublished rows stay hidden until an administrator decides to publish them. */
function endingDrafts({ table, input }: TableInput): PlannedStep[] {
  const drafts = table.endingDrafts
  if (drafts === undefined) return []
  const count = input.answer({ about: 'drafts', table: table.name, drafts })
  if (count === 0) return []
  const what = count === 1 ? '1 entry that is' : `${count} entries that are`
  const remedy = `safe-sync with { "drafts": { "${drafts.type}": "publish" } }, or "delete"`
  const step: Step = { change: 'end-drafts', table: table.name, column: drafts.column }
  return [blocked(step, `${what} not published would become public; decide by ${remedy}`)]
}

/** Deleted rows stay hidden until an administrator decides to restore them. */
function endingTrash({ table, input }: TableInput): PlannedStep[] {
  const trash = table.endingTrash
  if (trash === undefined) return []
  const { type, column } = trash
  const count = input.answer({ about: 'trash', table: table.name, column })
  if (count === 0) return []
  const what = count === 1 ? '1 deleted entry' : `${count} deleted entries`
  const remedy = `safe-sync with { "trash": { "${type}": "restore" } }, or "delete"`
  const step: Step = { change: 'end-trash', table: table.name, column }
  return [blocked(step, `${what} would become public; decide by ${remedy}`)]
}

/** Tables created by us that are no longer declared. Those of plugins that are off are not mentioned. */
function droppedTables({ declared, last, live }: PlanInput): PlannedStep[] {
  const names = new Set(declared.map((table) => table.name))
  return last
    .filter(({ name }) => !names.has(name) && live.has(name) && !isOfPlugin(name))
    .map((table) => blocked({ change: 'drop-table', table }, lost('its rows', table)))
}

function isOfPlugin(name: string): boolean {
  return name.startsWith('svc_') || name.startsWith('x_')
}
