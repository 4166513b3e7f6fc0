/**
 * A service that checks the caller's permission for each operation (401 or 403), and the same without that
 * check, for callers whose permission something else has checked, such as the route's policy.
 */
export type Guarded<Operations> = Operations & { readonly unguarded: Operations }
