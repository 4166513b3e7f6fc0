import { type HookToken, hook } from '../../../../kernel/index.ts'

/** A difference between the database and the declared tables. */
export interface SchemaChange {
  /** What would be done: `drop-column`, `convert-column`, `create-unique-index`, … */
  readonly change: string
  readonly table: string
  /** The columns of an index are joined by commas; null for a whole table. */
  readonly column: string | null
  /** Whether no data is lost. */
  readonly safe: boolean
  /** Why it is not safe. */
  readonly reason: string | null
  /** The plugin that declared the table or column to be dropped; it is kept as long as the plugin is off. */
  readonly plugin: string | null
}

/**
 * A sync left changes undone because they would lose data; emitted at every start until they are applied. Not emitted
 * for data of plugins that are off.
 */
export const schemaSyncBlocked: HookToken<{ changes: readonly SchemaChange[] }> = hook('database:syncBlocked')

/**
 * The tables were compared with the declared ones, at the start or on demand; `blocked` are the changes left undone,
 * and `kept` the tables and columns of plugins that are off.
 */
export const schemaSynced: HookToken<{
  blocked: readonly SchemaChange[]
  kept: readonly SchemaChange[]
}> = hook('database:synced')

/**
 * A sync on demand has changed tables, so data that was read before may be outdated although no entry was written:
 * values that did not fit are gone or converted. `isOwn`: this process ran the sync, and not another one.
 */
export const storedValuesChanged: HookToken<{ isOwn: boolean }> = hook('database:storedValuesChanged')
