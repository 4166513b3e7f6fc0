import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import type { Queries, Statement } from '../../../foundation/database/database.ts'
import { parseQueryString } from '../../../foundation/http/http.ts'
import type { EntryParameters, EntrySearch, StandIns } from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryQuery } from '../entry-query.ts'
import { parseSingleQuery } from '../query/read-query.ts'
import { allVisible, nowSlot } from '../query/visibility.ts'
import { bindSlots, compileSingleId } from './compiled-read.ts'
import type { ReadDeps } from './read-deps.ts'

/**
 * Finds the entry of a single type, including drafts. A type has one entry, unless a plugin keeps several apart (by locale, for
 * example).
 */
export interface SingleIds {
  /** The entry that reads without parameters return. */
  first(model: EntryModel, queries: Queries): Awaitable<number | undefined>
  /**
   * The entry that a write concerns, and the values that its query sets on a new one. Without `data`: as for a read.
   * @throws AppError 400
   */
  ofWrite(model: EntryModel, write: SingleWrite, queries: Queries): Awaitable<WrittenSingle>
}

export interface SingleWrite {
  readonly query?: string | Pick<EntryQuery, 'parameters'> | undefined
  /** The payload. */
  readonly data?: unknown
}

export interface WrittenSingle {
  readonly id: number | undefined
  /** Values of parameters that are fields of entries, by name. */
  readonly values: Readonly<Record<string, unknown>>
}

type Values = Readonly<Record<string, unknown>>

export interface SingleDeps extends ReadDeps {
  /** See `ReadQueryOptions`. */
  readonly maxWeight: () => number
  readonly parametersOf: (model: EntryModel) => readonly EntryParameters[]
  readonly standInsOf: (model: EntryModel) => readonly StandIns[]
  readonly searchOf: (model: EntryModel) => EntrySearch | undefined
}

export function createSingleIds(deps: SingleDeps): SingleIds {
  const { database } = deps
  const statements = new Map<string, Statement<{ id: number }>>()

  function find(model: EntryModel, parameters: Values, place: 'single' | 'put', queries: Queries) {
    // There are no pages, so page limits do not matter.
    const options = { ...deps, place, defaultLimit: 0, maxLimit: 0 }
    const query = parseSingleQuery({ parameters }, model, options)
    const key = `${model.type.name} ${query.shape}`
    const statement = statements.get(key) ?? compileSingleId(query, allVisible, deps)
    statements.set(key, statement)
    const now = database.dialect.bind(new Date().toISOString(), 'datetime')
    const values = { ...bindSlots(query.slots, database), [nowSlot]: now }
    return andThen(queries.get(statement, values), (row) => row?.id)
  }

  return {
    first: (model, queries) => find(model, {}, 'single', queries),
    ofWrite(model, { query = '', data }, queries) {
      const names = deps.parametersOf(model).flatMap(({ parameters }) => Object.keys(parameters))
      const asked: Values = typeof query === 'string' ? parseQueryString(query) : (query.parameters ?? {})
      const sent = picked(asked, names)
      const fields = names.filter((name) => model.added.some(({ field }) => field === name))
      const parameters = { ...(data === undefined ? {} : picked(Object(data), fields)), ...sent }
      const id = find(model, parameters, data === undefined ? 'single' : 'put', queries)
      return andThen(id, (found) => ({ id: found, values: picked(sent, fields) }))
    },
  }
}

function picked(values: Values, names: readonly string[]): Values {
  const present = names.filter((name) => Object.hasOwn(values, name) && values[name] !== null)
  return Object.fromEntries(present.map((name) => [name, values[name]]))
}
