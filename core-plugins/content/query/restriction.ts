import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import type { ErrorDetail } from '../../http/http.ts'
import type { EntryParameters, EntrySearch, ReadPlace, RestrictedEntry, Restriction } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import type { Slots } from './condition.ts'
import { tableAs } from './sql-scope.ts'
import { columnOf } from './visibility.ts'

/** What the parameters of other plugins ask for, with its values in the slots of a query. */
export interface BoundRestriction {
  readonly restriction: Restriction
  readonly slots: readonly string[]
}

/** What a restriction's SQL is made in. */
export interface RestrictionScope {
  readonly model: EntryModel
  readonly dialect: Dialect
  nextAlias(): string
  /** What must hold for another entry, so that the read may show it. */
  shown(alias: string): SQL | undefined
}

/** Reads parameters of a query. */
interface ParameterReader {
  readonly problems: ErrorDetail[]
  readonly slots: Slots
  read(name: string): string | undefined
}

/** The plugins that add parameters to reads of a type; `contributed` is complete at the first read. */
export function createParametersOf(contributed: () => readonly EntryParameters[]) {
  const kept = new Map<EntryModel, readonly EntryParameters[]>()
  return (model: EntryModel): readonly EntryParameters[] => {
    const found = kept.get(model) ?? contributed().filter((plugin) => plugin.matches(model.type))
    kept.set(model, found)
    return found
  }
}

/** The plugin that finds entries of a type by words, if there is one. */
export function createSearchOf(contributed: () => readonly EntrySearch[]) {
  const kept = new Map<EntryModel, EntrySearch | undefined>()
  return (model: EntryModel): EntrySearch | undefined => {
    if (!kept.has(model))
      kept.set(
        model,
        contributed().find((search) => search.matches(model.type)),
      )
    return kept.get(model)
  }
}

/** With the values of a restriction in the slots of a query. */
export function bindRestriction(restriction: Restriction, slots: Slots): BoundRestriction {
  return { restriction, slots: restriction.values.map(({ kind, value }) => slots.add(kind, value)) }
}

/** Asks each of the plugins; what is wrong goes to the reader's problems. */
export function bindRestrictions(
  plugins: readonly EntryParameters[],
  { type }: EntryModel,
  place: ReadPlace,
  { read, problems, slots }: ParameterReader,
): BoundRestriction[] {
  return plugins.flatMap((plugin) => {
    const names = Object.keys(plugin.parameters)
    const values = Object.fromEntries(names.map((name) => [name, read(name)]))
    const restriction = plugin.restrict({ type, place, values, problems })
    return restriction === undefined ? [] : [bindRestriction(restriction, slots)]
  })
}

/** The condition on the entries that `alias` stands for. */
export function restrictionSql(
  { restriction, slots }: BoundRestriction,
  alias: string,
  scope: RestrictionScope,
): SQL {
  const { dialect, model } = scope
  const entryAs = (own: string): RestrictedEntry => ({
    column: (name) => columnOf(own, name),
    value: (index) => dialect.placeholder(slots[index] ?? '', restriction.values[index]?.kind ?? 'text'),
    exists(condition) {
      const other = scope.nextAlias()
      const shown = scope.shown(other)
      const where = sql`${condition(entryAs(other))}${shown === undefined ? sql`` : sql` and ${shown}`}`
      return sql`exists (select 1 from ${tableAs(model, other)} where ${where})`
    },
  })
  return restriction.where(entryAs(alias))
}

/** Equal for restrictions that need the same SQL. */
export function shapeOfRestrictions(restrictions: readonly BoundRestriction[]): string {
  return restrictions.map(({ restriction, slots }) => `${restriction.shape} ${slots.join(',')}`).join('&')
}
