/** The interface that everything logs through. Fields come first, as in pino, which satisfies it directly. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** A child log whose lines all carry `bindings`. */
  child(bindings: Record<string, unknown>): Log
}

/** A log that discards everything, for tests and for commands that print their own output. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
}
