import type { ValuePath } from './value-path.ts'

/** A value derived from another one until the user changes it. */
export interface Derived {
  readonly source: ValuePath
  readonly target: ValuePath
  readonly derive: (value: unknown) => unknown
}
