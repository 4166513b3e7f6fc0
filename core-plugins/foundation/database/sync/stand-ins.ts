import type { IndexSpec, TableSpec } from '../tables/table-spec.ts'
import type { LiveSchema } from './live-schema.ts'
import type { MadeTable } from './mirror.ts'
import { indexesOf, indexName } from './names.ts'
import type { PlannedStep, StepOf } from './step.ts'

/*
 * While rows have equal values, a unique index cannot be created, and every write searches for rows with its values
 * instead. A plain index stands in for it, so that this is fast in a large table. It is not declared: it does not
 * appear in plans, and is remembered separately from declared indexes.
 */

/** The plain indexes that stand in for unique ones, by table. */
type StandIns = ReadonlyMap<string, readonly IndexSpec[]>

/** The stand-ins for unique indexes that could not be created. */
export function wantedStandIns(rest: readonly PlannedStep[]): StandIns {
  const wanted = new Map<string, IndexSpec[]>()
  for (const { step } of rest) {
    if (step.change !== 'create-unique-index') continue
    const { table, index } = step
    wanted.set(table.name, [...(wanted.get(table.name) ?? []), { ...index, type: 'index' }])
  }
  return wanted
}

export function missingStandIns(
  rest: readonly PlannedStep[],
  declared: readonly TableSpec[],
  live: LiveSchema,
): readonly StepOf<'create-index'>[] {
  const wanted = wantedStandIns(rest)
  return declared.flatMap((table) =>
    (wanted.get(table.name) ?? [])
      .filter((index) => !isThere(live, table.name, index))
      .map((index) => ({ change: 'create-index', table, index })),
  )
}

/** The stand-ins of earlier syncs that are no longer needed, and that have not been declared meanwhile. */
export function outdatedStandIns(
  rest: readonly PlannedStep[],
  {
    declared,
    made,
    live,
  }: {
    readonly declared: readonly TableSpec[]
    readonly made: readonly MadeTable[]
    readonly live: LiveSchema
  },
): readonly StepOf<'drop-index'>[] {
  const wanted = wantedStandIns(rest)
  return made.flatMap(({ name: table, standIns = [] }) => {
    const own = declared.filter(({ name }) => name === table).flatMap(indexesOf)
    const kept = new Set([...own, ...(wanted.get(table) ?? [])].map((index) => indexName(table, index)))
    return standIns
      .filter((index) => isThere(live, table, index) && !kept.has(indexName(table, index)))
      .map((index) => ({ change: 'drop-index', table, name: indexName(table, index), index }))
  })
}

function isThere(live: LiveSchema, table: string, index: IndexSpec): boolean {
  return live.get(table)?.indexes.has(indexName(table, index)) === true
}
