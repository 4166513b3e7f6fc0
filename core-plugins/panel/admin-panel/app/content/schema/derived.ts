import type { ValuePath } from './value-path.ts'

/** A value that follows another one, until it is something else than what follows from it. */
export interface Derived {
  readonly source: ValuePath
  readonly target: ValuePath
  readonly derive: (value: unknown) => unknown
}
