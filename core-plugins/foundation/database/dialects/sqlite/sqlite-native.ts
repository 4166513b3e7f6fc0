import BetterSqlite from 'better-sqlite3'
import { foldText } from './fold-text.ts'
import { addArithmetic } from './sqlite-arithmetic.ts'
import { addJson } from './sqlite-json.ts'

export interface NativeOptions {
  readonly file: string
  /** How long to wait for another process, in milliseconds. The wait blocks this thread. */
  readonly busyTimeoutMs: number
  readonly pragmas: readonly string[]
}

/**
 * Opens a file with the SQL functions that the dialect's reads use. Threads load this module at their start, so it
 * imports little.
 */
export function openNative({ file, busyTimeoutMs, pragmas }: NativeOptions): BetterSqlite.Database {
  const native = new BetterSqlite(file, { timeout: busyTimeoutMs })
  for (const pragma of pragmas) native.pragma(pragma)
  native.function('fold', { deterministic: true }, foldText)
  addArithmetic(native)
  addJson(native)
  return native
}
