import { type SQL, sql } from 'drizzle-orm'
import { isReference, targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { ReadPlace, StandInChoice, StandIns } from '../entry/entry-extensions.ts'
import type { ColumnField, EntryModel, LinkField } from '../entry/entry-model.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'
import type { PopulateTree } from './populate.ts'
import {
  bindRestriction,
  type ParametersReader,
  requestedParameters,
  restrictionDeps,
  restrictionSql,
} from './restriction.ts'
import { type SqlContext, tableAs } from './sql-context.ts'
import { columnOf, isClosed, visibleWhere } from './visibility.ts'

/** The stand-ins that a plugin has chosen for a query. */
export interface ChosenStandIns {
  readonly choice: StandInChoice
  readonly bound: BoundRestriction
}

/** Calls each plugin; adds its problems to `reader.problems`. */
export function chooseStandIns(
  plugins: readonly StandIns[],
  model: EntryModel,
  place: ReadPlace,
  reader: ParametersReader,
): ChosenStandIns[] {
  return plugins.flatMap((plugin) => {
    const choices = plugin.choose(requestedParameters(plugin, model, place, reader))
    return choices.map((choice) => ({ choice, bound: bindRestriction(choice.restriction, reader.slots) }))
  })
}

/** Undefined if entries of the type are shown themselves. */
export function standInsFor(
  chosen: readonly ChosenStandIns[],
  { type }: EntryModel,
): ChosenStandIns | undefined {
  return chosen.find(({ choice }) => choice.matches(type))
}

/** The stand-ins for the entries that a field refers to, if it is expanded. */
export type StandInsOfField = (field: ColumnField | LinkField) => ChosenStandIns | undefined

/** Undefined if no field has stand-ins, as in nearly all queries. */
export function standInsOfFields(
  tree: PopulateTree,
  chosen: readonly ChosenStandIns[],
  models: ReadonlyMap<string, EntryModel>,
): StandInsOfField | undefined {
  if (chosen.length === 0 || tree.size === 0) return undefined
  const expanded = new Set([...tree.values()].map(({ field }) => field))
  return ({ name, attribute }) => {
    const target = isReference(attribute) ? models.get(targetNameOf(attribute)) : undefined
    return target === undefined || !expanded.has(name) ? undefined : standInsFor(chosen, target)
  }
}

/** Equal for stand-ins that are found by the same SQL. */
export function shapeOfStandIns({ bound }: ChosenStandIns): string {
  return shapeOfRestriction(bound)
}

/** Whether an entry is the one to show: the condition that selects it among the visible entries that share a value. */
export function isStandIn(
  { bound }: ChosenStandIns,
  model: EntryModel,
  alias: string,
  deps: SqlContext,
): SQL {
  const isChosen = sql`(${restrictionSql(bound, alias, restrictionDeps(model, deps))})`
  const visible = visibleWhere(model.type, alias, deps.visibility, deps.dialect)
  return visible === undefined ? isChosen : sql`${visible} and ${isChosen}`
}

/** Whether two entries of a type are the same or stand in for one another. */
export function sharesStandIn({ choice }: ChosenStandIns, alias: string, other: string): SQL {
  const { sharing } = choice.restriction
  return sql`${columnOf(other, sharing)} = ${columnOf(alias, sharing)}`
}

/** The condition for an entry to have a stand-in that the caller may see; undefined if every entry has one. */
export function hasVisibleStandIn(
  chosen: ChosenStandIns,
  model: EntryModel,
  alias: string,
  deps: SqlContext,
): SQL | undefined {
  if (isClosed(model.type, deps.visibility)) return sql`1 = 0`
  const other = deps.nextAlias()
  const visible = visibleWhere(model.type, other, deps.visibility, deps.dialect)
  if (visible === undefined) return undefined
  const shares = sharesStandIn(chosen, alias, other)
  return sql`exists (select 1 from ${tableAs(model, other)} where ${shares} and ${visible})`
}
