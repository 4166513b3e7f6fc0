import postgres from 'postgres'

/*
 * Changes to the driver that have to be made before it is used. The driver is pinned to one version, and
 * test/contract/postgres-client.test.ts checks all of this.
 */

/**
 * Server routines that report that a prepared statement no longer matches the tables; unlike messages, their names do
 * not depend on the server's language.
 */
const outdatedRoutines: ReadonlySet<string> = new Set([
  'RevalidateCachedQuery',
  'FetchPreparedStatement',
  'transformAssignedExpr',
])

/** The server routine that each error comes from. */
const routines = new WeakMap<object, string>()

// The driver itself repeats a prepared statement that the server refuses, after everything sent meanwhile: a
// statement of a transaction would then run after its end, and if it has parameters, all later answers go to the
// wrong queries. The driver decides this by `routine`, so it must not see one.
Object.defineProperty(postgres.PostgresError.prototype, 'routine', {
  get: () => undefined,
  set(this: object, routine: string) {
    routines.set(this, routine)
  },
})

// The driver adds to every error without `query` where the query was made, and keeps each such query in a map for
// ever: a memory leak for any caller who provokes errors.
Object.defineProperty(postgres.PostgresError.prototype, 'query', { value: undefined, writable: true })

/**
 * Whether the server refused a statement because it was prepared for columns of other types, or in another session.
 * It has not run then.
 */
export function refusesPrepared(error: unknown): boolean {
  return outdatedRoutines.has(routines.get(error as object) ?? '')
}
