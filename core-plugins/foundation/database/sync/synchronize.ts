import type { Driver } from '../driver.ts'
import type { SchemaChange } from '../schema/schema-change.ts'
import type { TableSpec } from '../tables/table-spec.ts'
import { apply, plan, type SyncResult, type SyncTarget } from './apply.ts'
import { announceGivenNames, findGivenNames, type GivenName } from './given-names.ts'
import { isOutdated, isRenamed } from './mirror.ts'
import { type SyncObserver, unobserved, withProgress } from './progress.ts'
import { rememberingTables } from './remembered-tables.ts'
import { hashOf, madeTables, readState, type SchemaState, stateTable } from './schema-state.ts'
import type { SchemaConnection } from './schema-store.ts'
import { describeStep } from './step.ts'
import { unconvertedColumns } from './unconverted.ts'

export type { AppliedChange, SyncResult } from './apply.ts'

/*
 * Hand-written: drizzle-kit and similar tools compare two states, ask questions at a terminal and drop what is not
 * declared. This compares three states (declared, last applied, live), so that it never asks, and never loses data by
 * itself.
 */

/**
 * Makes the database match the declared tables at the start. Reads only one row if nothing has changed. `announce` is
 * awaited before names are given to other attributes.
 */
export async function synchronize(
  driver: Driver,
  declared: readonly TableSpec[],
  observer: SyncObserver = unobserved,
  announce = announceGivenNames,
): Promise<SyncResult> {
  const hash = hashOf(declared)
  const done = (state: SchemaState | undefined): SyncResult | undefined =>
    state?.hash === hash && !hasOutdatedMirrors(state, declared)
      ? {
          applied: [],
          blocked: state.blocked,
          unconverted: unconvertedColumns(declared, state.tables, state.blocked),
        }
      : undefined
  const alreadyDone = done(await readState(driver, driver.schema))
  if (alreadyDone !== undefined) return alreadyDone
  return withProgress(observer, (progress) =>
    exclusively(driver, async (connection) => {
      const state = await lastState(connection, driver)
      const doneMeanwhile = done(state)
      if (doneMeanwhile !== undefined) return doneMeanwhile
      const given = findGivenNames(state, declared)
      if (given.length > 0) await announce(driver, declared, given)
      return apply({ connection, progress }, { declared, last: madeTables(state), mayEnd: isOutdated })
    }),
  )
}

/** Returns the differences from the declaration, safe or not, in the order in which they would be applied. */
export async function previewSync(driver: Driver, declared: readonly TableSpec[]): Promise<SchemaChange[]> {
  return driver.schema.inspect(async (connection) => {
    const state = await readState(driver, driver.schema)
    const planning = { declared, canMirror: false, mayEnd: () => false }
    return (await plan(connection, madeTables(state), planning)).map(describeStep)
  })
}

export interface DemandOptions extends Pick<SyncTarget, 'mayLose'> {
  readonly observer?: SyncObserver
  /** Awaited before columns that other processes may use are dropped or lose values. */
  readonly announce?: typeof announceGivenNames
}

/** Applies pending changes, and of those that lose data the ones that `mayLose` allows, after copying the data. */
export async function syncOnDemand(
  driver: Driver,
  declared: readonly TableSpec[],
  { mayLose, observer = unobserved, announce }: DemandOptions,
): Promise<SyncResult> {
  return withProgress(observer, (progress) =>
    exclusively(driver, async (connection) => {
      const state = await lastState(connection, driver)
      const target = { declared, last: madeTables(state), mayEnd: () => true, ...(mayLose && { mayLose }) }
      const announceLosses = async (lost: readonly GivenName[]) => announce?.(driver, declared, lost)
      return apply({ connection, progress }, { ...target, announceLosses })
    }),
  )
}

const exclusively = <T>(driver: Driver, work: (connection: SchemaConnection) => Promise<T>) =>
  driver.schema.exclusively((connection) => work(rememberingTables(connection)))

function hasOutdatedMirrors({ tables }: SchemaState, declared: readonly TableSpec[]): boolean {
  return tables.some(({ name, mirrors = [] }) => {
    const table = declared.find((each) => each.name === name)
    return table !== undefined && mirrors.some((mirror) => isOutdated(mirror) && isRenamed(table, mirror))
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
