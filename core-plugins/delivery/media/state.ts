import { column, type Database, defineTable } from '../../foundation/database/database.ts'

/** The settings and versions from which derived data was last built, so that a start knows whether it is up to date. */
export const stateTable = defineTable(
  'svc_media_state',
  { name: column.string(100), value: column.text() },
  { primaryKey: ['name'] },
)

export interface MediaState {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

export function createMediaState(database: Database): MediaState {
  const state = stateTable.on(database)
  const selection = state.find(['name'], { pick: ['value'] })
  const removal = state.delete(['name'])
  // Two processes may start at the same time and insert the same row.
  const insertion = state.insert({ ignoreDuplicates: true })
  return {
    get: async (name) => (await selection.get({ name }))?.value,
    set: (name, value) =>
      database.transaction(async (tx) => {
        await removal.run({ name }, tx)
        await insertion.run({ name, value }, tx)
      }),
  }
}
