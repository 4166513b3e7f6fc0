import { shortenIdentifier } from '../tables/identifier.ts'
import type { ColumnSpec, TableSpec } from '../tables/table-spec.ts'
import type { LiveColumn } from './live-schema.ts'
import { earlierNamesOf, type MadeTable } from './mirror.ts'
import type { TableInput } from './plan-input.ts'
import { type PlannedStep, safely } from './step.ts'

/** If a column had a default, it would be impossible to tell which of the two columns was written. */
export function canBeMirrored(column: ColumnSpec, earlier: LiveColumn, { live, input }: TableInput): boolean {
  const hasDefault = earlier.default !== null || (column.default ?? null) !== null
  return input.canMirror && !hasDefault && !live.primaryKey.includes(earlier.name)
}

/**
 * The column whose data a renamed one takes over. Both exist if MySQL was interrupted in between, or if the column
 * had the new name before and a copy under it still exists.
 */
export function earlierColumn(
  { name, renamedFrom }: ColumnSpec,
  { table, live, last, input }: TableInput,
): LiveColumn | undefined {
  if (renamedFrom === undefined) return undefined
  const isMade = (wanted: string) => last?.columns.some((column) => column.name === wanted) === true
  const isHalfDone = input.canMirror && isMade(renamedFrom) && !isMade(name)
  const isRenamedBack = input.canMirror && earlierNamesOf(renamedFrom, last).includes(name)
  if (live.columns.has(name) && !isHalfDone && !isRenamedBack) return undefined
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  return isStillDeclared ? undefined : live.columns.get(renamedFrom)
}

/**
 * Whether a column with the new name of a renamed one has the values of another attribute, which was removed earlier
 * or is being removed now. A column created by the same rename has the values of this attribute, as when schema files
 * are switched back and forth.
 */
export function replaces(
  { name, renamedFrom }: ColumnSpec,
  table: TableSpec,
  last: MadeTable | undefined,
): boolean {
  if (renamedFrom === undefined || last === undefined) return false
  const made = (wanted: string) => last.columns.find((column) => column.name === wanted)
  const isUnused = (wanted: string) => last.unused?.includes(wanted) === true
  const replaced = made(name)
  if (replaced === undefined || replaced.renamedFrom === renamedFrom || made(renamedFrom) === undefined)
    return false
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  const isMirrored =
    earlierNamesOf(name, last).includes(renamedFrom) || earlierNamesOf(renamedFrom, last).includes(name)
  return !isStillDeclared && !isMirrored && (!isUnused(renamedFrom) || isUnused(name))
}

/** The columns whose names are taken over by renamed ones. */
export function replacedColumns({ table, live, last }: TableInput): readonly string[] {
  return table.columns
    .filter((column) => live.columns.has(column.name) && replaces(column, table, last))
    .map(({ name }) => name)
}

/**
 * Renames these columns so that they keep their values, under names that no attribute can have, until dropping them
 * is allowed.
 */
export function setAside(input: TableInput): PlannedStep[] {
  const { table, live } = input
  return replacedColumns(input).map((name) => {
    let number = 1
    while (live.columns.has(asideName(name, number))) number += 1
    const column = asideName(name, number)
    return safely({ change: 'rename-column', table: table.name, from: name, column, mirrored: [] })
  })
}

const asideName = (name: string, number: number) => shortenIdentifier(`${name}@${number}`)
