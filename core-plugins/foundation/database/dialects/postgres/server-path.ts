/**
 * What stands between the service and PostgreSQL, as `PostgresConnector` has found out:
 * - `none`: the server itself, or something that passes everything on
 * - `session`: a pooler that gives a connection the same session of the server until it ends
 * - `transaction`: a pooler that gives it one for each transaction, so that nothing outlives a transaction but, if
 *   the pooler sees to it, prepared statements
 */
export type ServerPath =
  | { readonly pooling: 'none' | 'session' }
  | { readonly pooling: 'transaction'; readonly keepsStatements: boolean }

/** Whether a connection that was opened on this path has one session of the server for itself. */
export function hasOwnSession({ pooling }: ServerPath): boolean {
  return pooling !== 'transaction'
}

export function keepsStatements(path: ServerPath): boolean {
  return path.pooling !== 'transaction' || path.keepsStatements
}

/**
 * The commands that limit what a query may take, in milliseconds (0 for no limit): for the rest of the session, or of the
 * transaction (`set local`). Statements are short and prepared once: JIT compilation costs more than it saves.
 */
export function limitCommands(set: 'set' | 'set local', queryTimeoutMs: number): string {
  const limits = Object.entries(limitParameters(queryTimeoutMs))
  return limits.map(([name, value]) => `${set} ${name} to ${value}`).join('; ')
}

/** The same as parameters of a new connection, which poolers do not take. */
export function limitParameters(queryTimeoutMs: number) {
  return {
    statement_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: queryTimeoutMs,
    jit: 'off',
  }
}
