import type { SchemaChange } from '../schema/schema-change.ts'
import type { TableSpec } from '../tables/table-spec.ts'
import { convertColumn } from './convert-column.ts'
import { fillColumn } from './fill-column.ts'
import { findLostColumns, type GivenName } from './given-names.ts'
import { applyLossy } from './loss.ts'
import { appliedTables, remember, withoutGoneMirrors } from './memory.ts'
import type { MadeTable } from './mirror.ts'
import { planSync } from './plan.ts'
import type { PlanInput } from './plan-input.ts'
import type { SyncProgress } from './progress.ts'
import { askQuestions, type Question } from './question.ts'
import { hashOf, stateTable, writeState } from './schema-state.ts'
import type { SchemaConnection } from './schema-store.ts'
import { missingStandIns, outdatedStandIns } from './stand-ins.ts'
import { describeStep, type PlannedStep, type Step } from './step.ts'
import { type UnconvertedColumn, unconvertedColumns } from './unconverted.ts'

/** A change that was applied; `backup` is the table with the removed data. */
export interface AppliedChange extends SchemaChange {
  readonly backup?: string | undefined
}

export interface SyncResult {
  readonly applied: readonly AppliedChange[]
  /** Changes left undone because they could lose data. */
  readonly blocked: readonly SchemaChange[]
  /** Columns that still hold values of an earlier kind, because some may not fit the new one. */
  readonly unconverted: readonly UnconvertedColumn[]
}

/** What a plan is based on, besides the existing tables. */
export type Planning = Pick<PlanInput, 'declared' | 'canMirror' | 'mayEnd'>

/** What a sync works on. */
export interface Site {
  readonly connection: SchemaConnection
  readonly progress: SyncProgress
}

/** The goal of a sync. */
export interface SyncTarget extends Pick<PlanInput, 'declared' | 'last' | 'mayEnd'> {
  /** Whether to apply a change that loses data; default: no such change is applied. */
  readonly mayLose?: (change: SchemaChange) => boolean
  /** Awaited before columns are dropped or lose values. */
  readonly announceLosses?: (lost: readonly GivenName[]) => Promise<void>
}

interface Work extends Site {
  readonly planning: Planning
  /** The tables as created so far. */
  made: readonly MadeTable[]
}

/** Applies safe changes, and unsafe ones if requested, and records what was created. */
export async function apply(site: Site, target: SyncTarget): Promise<SyncResult> {
  const { declared, last, mayEnd, mayLose, announceLosses } = target
  const { connection } = site
  const canMirror = renamesAny(declared) && (await connection.canMirror())
  const made = withoutGoneMirrors(last, await connection.introspect())
  const work: Work = { ...site, planning: { declared, canMirror, mayEnd }, made }
  // Before any change, since a change keeps its table locked until the end.
  if (mayLose !== undefined && announceLosses !== undefined) await announce(work, mayLose, announceLosses)
  const applied: AppliedChange[] = await applySafe(work)
  if (mayLose !== undefined) {
    // A column cannot be dropped while a stand-in index is on it.
    await dropStandIns(work, await plan(connection, work.made, work.planning))
    applied.push(...(await applyLosses(work, mayLose)))
    applied.push(...(await applySafe(work)))
  }
  const rest = await plan(connection, work.made, work.planning)
  const blocked = rest.map(describeStep)
  await dropStandIns(work, rest)
  await makeStandIns(work, rest)
  const tables = appliedTables(declared, work.made, await connection.introspect(), rest)
  await writeState(
    connection,
    { hash: hashOf(declared), tables, blocked },
    declared.map(({ name }) => name),
  )
  return { applied, blocked, unconverted: unconvertedColumns(declared, tables, blocked) }
}

/** Steps for stand-in indexes are not reported as applied: these exist only as long as a unique index is blocked. */
async function dropStandIns(work: Work, rest: readonly PlannedStep[]): Promise<void> {
  const { connection, planning, made } = work
  const live = await connection.introspect()
  await carryOut(outdatedStandIns(rest, { declared: planning.declared, made, live }), work)
}

async function makeStandIns(work: Work, rest: readonly PlannedStep[]): Promise<void> {
  const { connection, planning } = work
  await carryOut(missingStandIns(rest, planning.declared, await connection.introspect()), work)
}

function renamesAny(tables: readonly TableSpec[]): boolean {
  return tables.some(({ columns }) => columns.some(({ renamedFrom }) => renamedFrom !== undefined))
}

const maxPasses = 20

/** Applies in passes, each with a new plan, since constraints depend on the rows that earlier passes left. */
async function applySafe(work: Work): Promise<SchemaChange[]> {
  const applied: SchemaChange[] = []
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const safe = (await plan(work.connection, work.made, work.planning)).filter((planned) => planned.safe)
    if (safe.length === 0) return applied
    const first = Math.min(...safe.map(({ step }) => roundOf(step)))
    const due = safe.filter(({ step }) => roundOf(step) === first)
    const steps = due.map(({ step }) => step)
    await carryOut(steps, work)
    work.made = remember(steps, work.made)
    applied.push(...due.map(describeStep))
  }
  throw new Error(
    'the schema sync does not come to an end; a plugin declares a table that contradicts itself',
  )
}

function roundOf({ change }: Step): number {
  switch (change) {
    case 'drop-index':
    case 'drop-reference':
    case 'drop-column':
    case 'create-table':
    case 'add-column':
    case 'widen-column':
    case 'make-nullable':
      return 1
    case 'convert-column':
    case 'fill-column':
      return 2
    // After slow steps, since it may make processes of an earlier version fail.
    case 'rename-column':
      return 3
    default:
      return 4
  }
}

async function carryOut(steps: readonly Step[], { connection, progress }: Site) {
  if (steps.length === 0) return
  const plain = steps.filter(({ change }) => change !== 'convert-column' && change !== 'fill-column')
  if (plain[0] !== undefined) progress.began(plain[0])
  const statements = connection.schemaDialect.statements(plain, await connection.introspect())
  for (const statement of statements) await connection.execute(statement)
  for (const step of steps) {
    if (plain.includes(step)) continue
    progress.began(step)
    if (step.change === 'convert-column') await convertColumn(step, connection, progress)
    if (step.change === 'fill-column') await fillColumn(step, connection)
  }
}

type MayLose = NonNullable<SyncTarget['mayLose']>

async function lossySteps({ connection, made, planning }: Work, mayLose: MayLose): Promise<PlannedStep[]> {
  return (await plan(connection, made, planning)).filter((planned) => mayLose(describeStep(planned)))
}

async function announce(
  work: Work,
  mayLose: MayLose,
  announceLosses: NonNullable<SyncTarget['announceLosses']>,
): Promise<void> {
  const lossy = (await lossySteps(work, mayLose)).filter(({ safe }) => !safe)
  const lost = findLostColumns(lossy.map(({ step }) => step))
  if (lost.length > 0) await announceLosses(lost)
}

async function applyLosses(work: Work, mayLose: MayLose): Promise<AppliedChange[]> {
  const { connection, progress } = work
  const applied: AppliedChange[] = []
  for (const planned of await lossySteps(work, mayLose)) {
    progress.began(planned.step)
    const { isApplied, backup } = await applyLossy(planned.step, connection, progress)
    if (!isApplied) continue
    work.made = remember([planned.step], work.made)
    applied.push({ ...describeStep(planned), backup })
  }
  return applied
}

/** Returns the steps from the existing tables to the declared ones, in order. */
export async function plan(
  connection: SchemaConnection,
  last: readonly MadeTable[],
  planning: Planning,
): Promise<PlannedStep[]> {
  const input: Omit<PlanInput, 'answer'> = {
    ...planning,
    declared: [...planning.declared, stateTable],
    last,
    live: await connection.introspect(),
    dialect: connection.schemaDialect,
  }
  // A first pass collects the questions; their answers raise no further ones.
  const questions: Question[] = []
  const steps = planSync({
    ...input,
    answer(question) {
      questions.push(question)
      return 1
    },
  })
  if (questions.length === 0) return steps
  return planSync({ ...input, answer: await askQuestions(questions, connection) })
}
