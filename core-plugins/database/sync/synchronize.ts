import type { SchemaChange, TableSpec } from '../database.ts'
import type { Driver } from '../driver.ts'
import { convertColumn } from './convert-column.ts'
import { applyLossy } from './loss.ts'
import { appliedTables, remember } from './memory.ts'
import { planSync } from './plan.ts'
import type { PlanInput } from './plan-input.ts'
import { askQuestions, type Question } from './question.ts'
import { hashOf, readState, type SchemaState, stateTable, writeState } from './schema-state.ts'
import type { SchemaConnection } from './schema-store.ts'
import { describeStep, type PlannedStep, type Step } from './step.ts'

/** A change that was applied; `backup` is the table that holds what it took away. */
export interface AppliedChange extends SchemaChange {
  readonly backup?: string
}

export interface SyncResult {
  readonly applied: readonly AppliedChange[]
  /** What stays as it is, as it could lose something. */
  readonly blocked: readonly SchemaChange[]
}

/** Brings the database to the declared tables at the start. Reads one row where nothing was declared anew. */
export async function synchronize(driver: Driver, declared: readonly TableSpec[]): Promise<SyncResult> {
  const hash = hashOf(declared)
  const known = await readState(driver, driver.schema)
  if (known?.hash === hash) return { applied: [], blocked: known.blocked }
  return driver.schema.exclusively(async (connection) => {
    // Another process may have done it while this one waited.
    const state = await lastState(connection, driver)
    if (state?.hash === hash) return { applied: [], blocked: state.blocked }
    return apply({ connection, declared, last: state?.tables ?? [], hash, mayLose: false })
  })
}

/** What is not as declared, safe or not, in the order in which it would be applied. */
export async function previewSync(driver: Driver, declared: readonly TableSpec[]): Promise<SchemaChange[]> {
  return driver.schema.inspect(async (connection) => {
    const state = await readState(driver, driver.schema)
    const planned = await plan(connection, declared, state?.tables ?? [])
    return planned.map(describeStep)
  })
}

/** Applies what is pending; with `mayLose` also what loses something, after a copy of it was made. */
export async function syncOnDemand(
  driver: Driver,
  declared: readonly TableSpec[],
  mayLose: boolean,
): Promise<SyncResult> {
  return driver.schema.exclusively(async (connection) => {
    const state = await lastState(connection, driver)
    return apply({ connection, declared, last: state?.tables ?? [], hash: hashOf(declared), mayLose })
  })
}

async function lastState(connection: SchemaConnection, driver: Driver): Promise<SchemaState | undefined> {
  const live = await connection.introspect()
  if (!live.has(stateTable.name)) {
    const statements = connection.schemaDialect.statements(
      [{ change: 'create-table', table: stateTable }],
      live,
    )
    for (const statement of statements) await connection.execute(statement)
    return undefined
  }
  return readState(connection, driver.schema)
}

interface ApplyInput {
  readonly connection: SchemaConnection
  readonly declared: readonly TableSpec[]
  readonly last: readonly TableSpec[]
  readonly hash: string
  readonly mayLose: boolean
}

async function apply(input: ApplyInput): Promise<SyncResult> {
  const { connection, declared, hash, mayLose } = input
  const memory: Memory = { tables: input.last }
  const applied: AppliedChange[] = await applySafe(connection, declared, memory)
  if (mayLose) {
    applied.push(...(await applyLosses(connection, declared, memory)))
    applied.push(...(await applySafe(connection, declared, memory)))
  }
  const rest = await plan(connection, declared, memory.tables)
  const blocked = rest.map(describeStep)
  const tables = appliedTables(declared, memory.tables, await connection.introspect(), rest)
  await writeState(connection, { hash, tables, blocked })
  return { applied, blocked }
}

/** The tables as they were made so far. */
interface Memory {
  tables: readonly TableSpec[]
}

const maxRounds = 20

/** Applies in rounds, and plans each anew: what ties tables is judged by the rows that the rounds before left. */
async function applySafe(
  connection: SchemaConnection,
  declared: readonly TableSpec[],
  memory: Memory,
): Promise<SchemaChange[]> {
  const applied: SchemaChange[] = []
  for (let round = 0; round < maxRounds; round += 1) {
    const safe = (await plan(connection, declared, memory.tables)).filter((planned) => planned.safe)
    if (safe.length === 0) return applied
    const first = Math.min(...safe.map(({ step }) => roundOf(step)))
    const due = safe.filter(({ step }) => roundOf(step) === first)
    const steps = due.map(({ step }) => step)
    await carryOut(steps, connection)
    memory.tables = remember(steps, memory.tables)
    applied.push(...due.map(describeStep))
  }
  throw new Error(
    'the schema sync does not come to an end; a plugin declares a table that contradicts itself',
  )
}

function roundOf({ change }: Step): number {
  switch (change) {
    case 'rename-column':
      return 0
    case 'drop-index':
    case 'drop-reference':
    case 'create-table':
    case 'add-column':
    case 'widen-column':
    case 'make-nullable':
      return 1
    case 'convert-column':
      return 2
    default:
      return 3
  }
}

async function carryOut(steps: readonly Step[], connection: SchemaConnection) {
  const plain = steps.filter((step) => step.change !== 'convert-column')
  const statements = connection.schemaDialect.statements(plain, await connection.introspect())
  for (const statement of statements) await connection.execute(statement)
  for (const step of steps) if (step.change === 'convert-column') await convertColumn(step, connection)
}

async function applyLosses(
  connection: SchemaConnection,
  declared: readonly TableSpec[],
  memory: Memory,
): Promise<AppliedChange[]> {
  const applied: AppliedChange[] = []
  for (const planned of await plan(connection, declared, memory.tables)) {
    const { isApplied, backup } = await applyLossy(planned.step, connection)
    if (!isApplied) continue
    memory.tables = remember([planned.step], memory.tables)
    applied.push({ ...describeStep(planned), ...(backup === undefined ? {} : { backup }) })
  }
  return applied
}

async function plan(
  connection: SchemaConnection,
  declared: readonly TableSpec[],
  last: readonly TableSpec[],
): Promise<PlannedStep[]> {
  const input: Omit<PlanInput, 'answer'> = {
    declared: [...declared, stateTable],
    last,
    live: await connection.introspect(),
    dialect: connection.schemaDialect,
  }
  // A first pass finds out what has to be asked; the answers lead to no further questions.
  const questions: Question[] = []
  planSync({
    ...input,
    answer(question) {
      questions.push(question)
      return true
    },
  })
  return planSync({ ...input, answer: await askQuestions(questions, connection) })
}
