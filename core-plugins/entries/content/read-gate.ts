import { type Awaitable, type ExtensionPoint, extensionPoint, isPromise } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'

/**
 * All reads with the same statements: the same type, fields, conditions and order, by callers who see the same. There is
 * one object for each as long as its statements are kept; what a gate notes in it goes with them.
 */
export interface ReadShape {
  /** Whether it may take the database a long time, as far as its query tells. */
  readonly isCostly: boolean
  /** How many of its statements run at once, each on a connection. */
  readonly statements: number
  /** What one costs by experience, in milliseconds. Kept by the gate. */
  costMs: number
}

/**
 * Holds up or refuses lists and single entries before their first statement. Whoever answers such a read from memory
 * does so before.
 */
export interface ReadGate {
  /** Returns a promise if the read has to wait. @throws AppError to refuse; then `end` is not called */
  begin(shape: ReadShape, principal: Principal): Awaitable<void>
  /** `durationMs` is from the end of `begin`. A synchronous read was the only one meanwhile. */
  end(shape: ReadShape, durationMs: number, isSynchronous: boolean): void
}

/** There can be one. */
export const readGates: ExtensionPoint<ReadGate> = extensionPoint('readGates')

/** For the first read with new statements. */
export function newShape(known: Pick<ReadShape, 'isCostly' | 'statements'>): ReadShape {
  return { ...known, costMs: 0 }
}

/** Runs `read` once the gate lets it, and tells the gate when it has ended. @throws AppError if it is refused */
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
