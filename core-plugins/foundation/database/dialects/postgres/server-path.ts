/**
 * What is between the service and PostgreSQL, as `PostgresConnector` has found out:
 * - `none`: nothing, or something that passes everything on
 * - `session`: a pooler that gives a connection the same server session until it ends
 * - `transaction`: a pooler that gives it a session for each transaction, so that nothing outlives a transaction,
 *   except prepared statements if the pooler supports them
 */
export type ServerPath =
  | { readonly pooling: 'none' | 'session' }
  | { readonly pooling: 'transaction'; readonly keepsStatements: boolean }

/** Whether a connection on this path has a server session to itself. */
export function hasOwnSession({ pooling }: ServerPath): boolean {
  return pooling !== 'transaction'
}

export function keepsStatements(path: ServerPath): boolean {
  return path.pooling !== 'transaction' || path.keepsStatements
}

/**
 * The commands that set the time limit for queries, in milliseconds (0 for no limit), for the rest of the session or
 * of the transaction (`set local`). They also switch off JIT compilation, which costs more than it saves for short
 * statements that are prepared once.
 */
export function limitCommands(set: 'set' | 'set local', queryTimeoutMs: number): string {
  const limits = Object.entries(limitParameters(queryTimeoutMs))
  return limits.map(([name, value]) => `${set} ${name} to ${value}`).join('; ')
}

/** The same as parameters of a new connection, which poolers do not accept. */
export function limitParameters(queryTimeoutMs: number) {
  return {
    statement_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: queryTimeoutMs,
    jit: 'off',
  }
}
