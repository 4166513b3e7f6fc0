import { type HookToken, hook } from '../../../kernel/index.ts'
import type { DatabaseError } from './database-error.ts'

/**
 * The database ran out of space for a write and still has none: emitted every few seconds until
 * `storageFreed`.
 */
export const storageFull: HookToken<{ error: DatabaseError }> = hook('database:storageExhausted')

/** There is space again. */
export const storageFreed: HookToken<Record<string, never>> = hook('database:storageFreed')
