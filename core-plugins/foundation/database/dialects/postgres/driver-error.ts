import postgres from 'postgres'

/*
 * What has to be taken from the driver before anything uses it. The driver is pinned to one version, and
 * test/contract/postgres-client.test.ts holds it to all of this.
 */

/** Why a prepared statement no longer fits the tables; names of the server's own functions, whatever its language. */
const outdatedRoutines: ReadonlySet<string> = new Set([
  'RevalidateCachedQuery',
  'FetchPreparedStatement',
  'transformAssignedExpr',
])

/** Where in the server each error comes from. */
const routines = new WeakMap<object, string>()

// A prepared statement that the server refuses is sent again by the driver itself, behind all that was sent
// meanwhile: a statement of a transaction then runs after its end, and with parameters, answers go to the
// wrong queries from there on. The driver decides by `routine` whether to, so that it never sees one.
Object.defineProperty(postgres.PostgresError.prototype, 'routine', {
  get: () => undefined,
  set(this: object, routine: string) {
    routines.set(this, routine)
  },
})

// To every error without `query`, the driver adds where the query was made, and keeps each such query in a
// map for ever: a leak that any caller who provokes errors could fill.
Object.defineProperty(postgres.PostgresError.prototype, 'query', { value: undefined, writable: true })

/**
 * Whether the server refused a statement because it was prepared for columns of other types, or for another
 * session. It has not run then.
 */
export function refusesPrepared(error: unknown): boolean {
  return outdatedRoutines.has(routines.get(error as object) ?? '')
}
