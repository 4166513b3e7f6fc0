import { type HookToken, hook } from '../../../../kernel/index.ts'

/** A difference between the database and the declared tables. */
export interface SchemaChange {
  /** What would be done: `drop-column`, `convert-column`, `create-unique-index`, … */
  readonly change: string
  readonly table: string
  /** Several columns of an index are joined by commas; null for a whole table. */
  readonly column: string | null
  /** Whether nothing is lost. */
  readonly safe: boolean
  /** Why it is not safe. */
  readonly reason: string | null
  /** The plugin whose table or column would be dropped, which is kept for as long as the plugin is off. */
  readonly plugin: string | null
}

/**
 * A sync left changes undone because they would lose something; emitted at every start until they are
 * applied. Data of plugins that are off is no reason.
 */
export const schemaSyncBlocked: HookToken<{ changes: readonly SchemaChange[] }> = hook('database:syncBlocked')

/**
 * The tables were compared with the declared ones, at the start or on demand; `blocked` is what was left
 * undone, and `kept` the tables and columns of plugins that are off.
 */
export const schemaSynced: HookToken<{
  blocked: readonly SchemaChange[]
  kept: readonly SchemaChange[]
}> = hook('database:synced')

/**
 * A sync on demand has changed tables, so what was read before may be outdated although no entry was written: values that
 * did not fit are gone or converted. `isOwn` if this process was asked for it, and not another one.
 */
export const storedValuesChanged: HookToken<{ isOwn: boolean }> = hook('database:storedValuesChanged')
