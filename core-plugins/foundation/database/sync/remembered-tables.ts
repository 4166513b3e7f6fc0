import type { LiveSchema } from './live-schema.ts'
import type { SchemaConnection } from './schema-store.ts'

/**
 * The same connection with cached table definitions, which are read again only after a write: a sync needs them at
 * each step, other processes do not change them meanwhile, and reading them takes servers longer than most steps.
 */
export function rememberingTables(connection: SchemaConnection): SchemaConnection {
  let known: Promise<LiveSchema> | undefined
  async function forgetting<T>(write: () => T | Promise<T>): Promise<T> {
    try {
      return await write()
    } finally {
      known = undefined
    }
  }
  return {
    ...connection,
    introspect() {
      known ??= connection.introspect()
      return known
    },
    execute: (statement) => forgetting(() => connection.execute(statement)),
    run: (statement, values) => forgetting(() => connection.run(statement, values)),
    canMirror: () => forgetting(() => connection.canMirror()),
  }
}
