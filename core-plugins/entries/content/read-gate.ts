import { type Awaitable, type ExtensionPoint, extensionPoint, isPromise } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'

/**
 * All reads with the same statements: same type, fields, conditions and order, by callers with the same visibility. One object
 * per shape, kept as long as its statements; what a gate stores in it is dropped with them.
 */
export interface ReadShape {
  /** Whether its query suggests that the database may need a long time. */
  readonly isCostly: boolean
  /** How many of its statements run at once, each on a connection. */
  readonly statements: number
  /** The measured cost of one read, in milliseconds. Maintained by the gate. */
  costMs: number
}

/**
 * Delays or refuses reads of lists and single entries before their first statement. Reads answered from a cache do not get here.
 */
export interface ReadGate {
  /** Returns a promise if the read has to wait. @throws AppError to refuse the read; then `end` is not called */
  begin(shape: ReadShape, principal: Principal): Awaitable<void>
  /** `durationMs` counts from the end of `begin`. A synchronous read ran alone during that time. */
  end(shape: ReadShape, durationMs: number, isSynchronous: boolean): void
}

/** At most one plugin contributes a gate. */
export const readGates: ExtensionPoint<ReadGate> = extensionPoint('readGates')

/** A new shape, for the first read with its statements. */
export function newShape(known: Pick<ReadShape, 'isCostly' | 'statements'>): ReadShape {
  return { ...known, costMs: 0 }
}

/** Runs `read` as soon as the gate admits it, and notifies the gate when it has ended. @throws AppError if it is refused */
export function throughGate<T>(
  gate: ReadGate,
  { shape, principal }: { readonly shape: ReadShape; readonly principal: Principal },
  read: () => Awaitable<T>,
): Awaitable<T> {
  const begun = gate.begin(shape, principal)
  return isPromise(begun) ? begun.then(() => timed(gate, shape, read)) : timed(gate, shape, read)
}

function timed<T>(gate: ReadGate, shape: ReadShape, read: () => Awaitable<T>): Awaitable<T> {
  const startedAt = performance.now()
  const end = (isSynchronous: boolean) => gate.end(shape, performance.now() - startedAt, isSynchronous)
  let result: Awaitable<T>
  try {
    result = read()
  } catch (error) {
    end(true)
    throw error
  }
  if (isPromise(result)) return result.finally(() => end(false))
  end(true)
  return result
}
