import { sql } from 'drizzle-orm'
import { type Awaitable, andThen } from '../../../kernel/index.ts'
import {
  type Database,
  type NewRowOf,
  selectList,
  type Transaction,
} from '../../foundation/database/database.ts'
import type { Image } from '../content/content.ts'
import type { Change } from './changes.ts'
import { type ChangeRow, changesStateTable, changesTable } from './tables.ts'

/** The maximum number of changes that one check of the log reads. */
export const maxLook = 1_000

const stateName = 'log'

/** The stored state of the log. */
export interface LogState {
  readonly epoch: string
  /** The key that encrypts positions for clients. */
  readonly secret: string
  readonly position: number
  readonly floor: number
}

/** The rows of `svc_changes` and `svc_changes_state`. */
export interface ChangeStore {
  /** Inserts rows with the next statement of the open transaction. */
  insertSoon(rows: readonly NewChange[], tx: Transaction): void
  /** The changes after a position and those without a position: the oldest first, at most `maxLook`. Synchronous on SQLite. */
  look(position: number): Awaitable<readonly Change[]>
  /** Numbered changes after a position, in their order. */
  after(position: number, limit: number): Promise<readonly Change[]>
  state(): Promise<LogState>
  /** Creates the state if it does not exist yet. */
  begin(names: Pick<LogState, 'epoch' | 'secret'>): Promise<void>
  /** The highest position so far. */
  newestPosition(): Promise<number>
  /** Assigns positions to at most `limit` changes without one; returns how many it numbered. */
  number(limit: number): Promise<number>
  /** Marks the changes up to a position as no longer complete. */
  raiseFloor(floor: number): Promise<void>
  /** The first changes that have a position. */
  oldest(limit: number): Promise<readonly OldChange[]>
  remove(changes: readonly OldChange[]): Promise<void>
  /**
   * Whether ids increase in the order of commits, so that they can serve as positions: true for databases with only one writing
   * transaction at a time.
   */
  readonly isOrderedById: boolean
}

/** The fields of a change that pruning needs. */
export interface OldChange {
  readonly id: number
  readonly position: number
  /** ISO 8601. */
  readonly at: string
}

/** All columns except the position, which is assigned later. */
const writtenColumns = [
  ...(['uid', 'type', 'entryId', 'kind', 'locale', 'wasPublic', 'isPublic'] as const),
  ...(['fields', 'before', 'after', 'origin', 'createdAt'] as const),
] as const

export type NewChange = Pick<NewRowOf<typeof changesTable>, (typeof writtenColumns)[number]>

export function createChangeStore(database: Database): ChangeStore {
  const isOrderedById = !database.dialect.hasRowLocks
  const { id, position } = changesTable.columns
  // A statement that is compiled once and runs without a promise if the database is synchronous.
  const place = isOrderedById ? id : position
  const isUnnumbered = isOrderedById ? sql`` : sql` or ${position} is null`
  // Not sorted: for a reader that is far behind, the database would sort the whole log, only to find that it is too much.
  const looking = database.prepare<ChangeRow>(
    sql`select ${selectList(database, changesTable.columns)} from ${changesTable}
      where ${place} > ${database.dialect.placeholder('after', 'bigint')}${isUnnumbered}
      limit ${sql.raw(String(maxLook))}`,
    Object.fromEntries(Object.entries(changesTable.columns).map(([name, { kind }]) => [name, kind])),
  )
  const queries = changeQueries(database, isOrderedById)
  const changeOf = (row: ChangeRow) => toChange(row, isOrderedById)
  const stateNow = async (): Promise<LogState> => {
    const state = await queries.state.get({ name: stateName })
    if (state === undefined)
      throw new Error('svc_changes_state has no row: the plugin changes has not started')
    return {
      epoch: state.epoch,
      secret: state.secret,
      position: Number(state.position),
      floor: Number(state.floor),
    }
  }

  async function numberWithin(limit: number, tx: Transaction): Promise<number> {
    // Takes the lock first: a snapshot from before the lock would show rows as unnumbered that have been numbered since.
    const state = await queries.lock.get({ name: stateName }, tx)
    const rows = await queries.unnumbered.all({ limit, offset: 0 }, tx)
    const [first, last] = [rows[0], rows.at(-1)]
    if (state === undefined || first === undefined || last === undefined) return 0
    const shift = Number(state.position) + 1 - first.id
    await Promise.all([
      queries.number.run({ ids: rows.map((row) => row.id), shift }, tx),
      queries.move.run({ name: stateName, position: last.id + shift }, tx),
    ])
    return rows.length
  }

  return {
    isOrderedById,
    insertSoon: (rows, tx) => queries.insert.soon(rows, tx),
    look: (after) =>
      andThen(database.all(looking, { after }), (rows) => [...rows].sort(byPlace).map(changeOf)),
    after: async (after, limit) => (await queries.after.all({ after, limit, offset: 0 })).map(changeOf),
    state: stateNow,
    async begin({ epoch, secret }) {
      await queries.begin.run({ name: stateName, epoch, secret, position: 0, floor: 0 })
    },
    newestPosition: async () =>
      isOrderedById ? ((await queries.newest.get())?.id ?? 0) : (await stateNow()).position,
    number: (limit) =>
      isOrderedById ? Promise.resolve(0) : database.transaction((tx) => numberWithin(limit, tx)),
    async raiseFloor(floor) {
      await queries.raise.run({ name: stateName, floor })
    },
    async oldest(limit) {
      const rows = await queries.oldest.all({ limit, offset: 0 })
      return rows.map(({ id, position, createdAt: at }) => ({
        ...{ id, at },
        position: isOrderedById ? id : Number(position),
      }))
    },
    async remove(changes) {
      await queries.remove.run({ ids: changes.map(({ id }) => id) })
    },
  }
}

function changeQueries(database: Database, isOrderedById: boolean) {
  const changes = changesTable.on(database)
  const states = changesStateTable.on(database)
  const { id, position } = changesTable.columns
  const place = isOrderedById ? id : position
  // An index on a nullable column is only in this order.
  const inOrder = database.dialect.orderBy(sql`${place}`, 'asc', true)
  const { floor } = changesStateTable.columns
  return {
    insert: changes.insertMany({ columns: writtenColumns }),
    after: changes.list((value) => sql`${place} > ${value('after', 'bigint')}`, { orderBy: inOrder }),
    newest: changes.find([], { pick: ['id'], orderBy: sql`${id} desc`, limit: 1 }),
    unnumbered: changes.list(() => sql`${position} is null`, { pick: ['id'], orderBy: sql`${id}` }),
    number: changes.update(
      (value) => sql`${position} = ${id} + ${value('shift', 'bigint')}`,
      (_, inList) => inList(id, 'ids'),
    ),
    oldest: changes.list(() => sql`${place} is not null`, {
      pick: ['id', 'position', 'createdAt'],
      orderBy: inOrder,
    }),
    remove: changes.delete((_, inList) => inList(id, 'ids')),
    state: states.find(['name']),
    lock: states.find(['name'], { lock: true }),
    move: states.update(['position'], ['name']),
    raise: states.update(
      ['floor'],
      (value) =>
        sql`${changesStateTable.columns.name} = ${value('name', 'string')} and ${floor} < ${value(floor)}`,
    ),
    begin: states.insert({ ignoreDuplicates: true }),
  }
}

/** In the order in which they became visible; changes without a position come last. */
function byPlace(one: ChangeRow, other: ChangeRow): number {
  const [first, second] = [
    one.position ?? Number.POSITIVE_INFINITY,
    other.position ?? Number.POSITIVE_INFINITY,
  ]
  return first === second ? one.id - other.id : Number(first) - Number(second)
}

function toChange(row: ChangeRow, isOrderedById: boolean): Change {
  const { id, position, uid, type, entryId, kind, locale, wasPublic, isPublic, fields, origin, createdAt } =
    row
  const place = isOrderedById ? id : position
  return {
    uid,
    position: place === null ? undefined : Number(place),
    type: type ?? undefined,
    entryId: entryId ?? undefined,
    kind,
    locale: locale ?? undefined,
    wasPublic,
    isPublic,
    fields: fields === null ? undefined : new Set(fields),
    before: kind === 'create' ? null : known(row.before),
    after: kind === 'delete' ? null : known(row.after),
    origin: origin ?? undefined,
    at: createdAt,
  }
}

const known = (image: Image | null): Image | undefined => image ?? undefined
