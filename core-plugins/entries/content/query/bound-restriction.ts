import type { Restriction } from '../entry/entry-extensions.ts'

/** A restriction from another plugin, with its values in the slots of a query. */
export interface BoundRestriction {
  readonly restriction: Restriction
  readonly slots: readonly string[]
}

/** Equal for restrictions that need the same SQL. */
export function shapeOfRestriction({ restriction, slots }: BoundRestriction): string {
  return `${restriction.shape} ${slots.join(',')}`
}
