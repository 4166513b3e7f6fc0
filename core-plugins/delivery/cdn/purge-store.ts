import { sql } from 'drizzle-orm'
import type { Database } from '../../foundation/database/database.ts'
import { cdnStateTable } from './tables.ts'

const name = 'cdn'

/** The position up to which changes have been purged. */
export interface PurgeState {
  readonly epoch: string
  readonly position: number
  readonly asked: number
  readonly done: number
}

/** The row of `svc_cdn_state`. */
export interface PurgeStore {
  state(): Promise<PurgeState>
  /** Creates the row if it does not exist; if the fingerprint differs from the last one, requests a purge of everything. */
  begin(first: Pick<PurgeState, 'epoch' | 'position'>, fingerprint: string): Promise<void>
  /** Requests a purge of everything. */
  askForEverything(): Promise<void>
  move(to: Omit<PurgeState, 'asked'>): Promise<void>
}

export function createPurgeStore(database: Database): PurgeStore {
  const states = cdnStateTable.on(database)
  const { name: nameColumn, asked, fingerprint } = cdnStateTable.columns
  const queries = {
    find: states.find(['name']),
    begin: states.insert({ ignoreDuplicates: true }),
    ask: states.update(() => sql`${asked} = ${asked} + 1`, ['name']),
    renew: states.update(
      (value) => sql`${asked} = ${asked} + 1, ${fingerprint} = ${value(fingerprint)}`,
      (value) => sql`${nameColumn} = ${value(nameColumn)} and ${fingerprint} <> ${value(fingerprint)}`,
    ),
    move: states.update(['epoch', 'position', 'done'], ['name']),
  }
  return {
    async state() {
      const state = await queries.find.get({ name })
      if (state === undefined) throw new Error('svc_cdn_state has no row: the plugin cdn has not started')
      return { ...state, position: Number(state.position) }
    },
    async begin(first, current) {
      await queries.begin.run({ name, ...first, asked: 0, done: 0, fingerprint: current })
      await queries.renew.run({ name, fingerprint: current })
    },
    async askForEverything() {
      await queries.ask.run({ name })
    },
    async move({ epoch, position, done }) {
      await queries.move.run({ name, epoch, position, done })
    },
  }
}
