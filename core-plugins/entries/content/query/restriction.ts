import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, Recipient, Values } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type {
  EntryParameters,
  EntrySearch,
  ParameterRequest,
  ReadPlace,
  RestrictedEntry,
  Restriction,
} from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { BoundRestriction } from './bound-restriction.ts'
import type { Slots } from './condition.ts'
import { type SqlContext, tableAs } from './sql-context.ts'
import { columnOf, visibleWhere } from './visibility.ts'

/** What generating a restriction's SQL needs. */
export interface RestrictionDeps {
  readonly model: EntryModel
  readonly dialect: Dialect
  nextAlias(): string
  /** The condition under which the read may see another entry; undefined: always. */
  shown(alias: string): SQL | undefined
}

/** Other entries of the type count only if the caller may see them. */
export function restrictionDeps(model: EntryModel, context: SqlContext): RestrictionDeps {
  const { dialect, visibility } = context
  return {
    model,
    dialect,
    nextAlias: () => context.nextAlias(),
    shown: (other) => visibleWhere(model.type, other, visibility, dialect),
  }
}

/** Reads parameters of a query. */
export interface ParametersReader {
  readonly problems: ErrorDetail[]
  readonly slots: Slots
  read(name: string): string | undefined
}

/** The plugins that add parameters to reads of a type; `contributed` is complete at the first read. */
export function createParametersOf<Plugin extends Pick<EntryParameters, 'matches'>>(
  contributed: () => readonly Plugin[],
) {
  const kept = new Map<EntryModel, readonly Plugin[]>()
  return (model: EntryModel): readonly Plugin[] => {
    const found = kept.get(model) ?? contributed().filter((plugin) => plugin.matches(model.type))
    kept.set(model, found)
    return found
  }
}

/** The full-text search of a type, if one is contributed. */
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

/** Puts the values of a restriction into the slots of a query. */
export function bindRestriction(restriction: Restriction, slots: Slots): BoundRestriction {
  return { restriction, slots: restriction.values.map(({ kind, value }) => slots.add(kind, value)) }
}

/** Reads the values of restrictions that take them from the database, by slot; undefined if no restriction does. */
export function valuesReader(
  restrictions: readonly BoundRestriction[],
  { bind }: Dialect,
): ((recipient: Recipient | undefined) => Promise<Values>) | undefined {
  const reading = restrictions.filter(({ restriction }) => restriction.readValues !== undefined)
  if (reading.length === 0) return undefined
  return async (recipient) => {
    const read = async ({ restriction, slots }: BoundRestriction) => {
      const values = (await restriction.readValues?.(recipient)) ?? []
      return slots.map(
        (slot, at) => [slot, bind(values[at], restriction.values[at]?.kind ?? 'text')] as const,
      )
    }
    return Object.fromEntries((await Promise.all(reading.map(read))).flat())
  }
}

/** Calls each plugin; adds its problems to `reader.problems`. */
export function bindRestrictions(
  plugins: readonly EntryParameters[],
  model: EntryModel,
  place: ReadPlace,
  reader: ParametersReader,
): BoundRestriction[] {
  return plugins.flatMap((plugin) => {
    const restriction = plugin.restrict(requestedParameters(plugin, model, place, reader))
    return restriction === undefined ? [] : [bindRestriction(restriction, reader.slots)]
  })
}

/** The request that a plugin's `restrict` receives: its parameters in the query. */
export function requestedParameters(
  { parameters }: Pick<EntryParameters, 'parameters'>,
  { type }: EntryModel,
  place: ReadPlace,
  { read, problems }: ParametersReader,
): ParameterRequest {
  const values = Object.fromEntries(Object.keys(parameters).map((name) => [name, read(name)]))
  return { type, place, values, problems }
}

/** The condition on the entries with table alias `alias`. */
export function restrictionSql(
  { restriction, slots }: BoundRestriction,
  alias: string,
  deps: RestrictionDeps,
): SQL {
  const { dialect, model } = deps
  const entryAs = (own: string): RestrictedEntry => ({
    column: (name) => columnOf(own, name),
    value: (index) => dialect.placeholder(slots[index] ?? '', restriction.values[index]?.kind ?? 'text'),
    exists(condition) {
      const other = deps.nextAlias()
      const shown = deps.shown(other)
      const where = sql`${condition(entryAs(other))}${shown === undefined ? sql`` : sql` and ${shown}`}`
      return sql`exists (select 1 from ${tableAs(model, other)} where ${where})`
    },
  })
  return restriction.where(entryAs(alias))
}
