import type { JsonMember, JsonMembers, JsonShape } from '../../tables/json-shape.ts'
import type { JsonLoss } from './losses.ts'
import type { Item } from './place.ts'

/** How to make stored values fit the declared shape. */
export interface JsonConversion {
  /** Rewrites a value, never null, in place or as a new one; undefined if no value has to change. Loses nothing. */
  readonly convert: ((value: unknown) => unknown) | undefined
  /** The shape of the values once all are converted: what is declared, and what is kept in addition. */
  shape(): JsonShape
  /** Values without a place in the declared shape, which are kept until they may be lost. */
  readonly losses: readonly JsonLoss[]
}

/** The conversion of the members of an object, which is changed in place. */
export interface MembersConversion {
  readonly changes: readonly ItemChange[]
  members(): JsonMembers
  readonly losses: readonly JsonLoss[]
}

/** The conversion of one member. */
export interface MemberConversion {
  readonly changes: readonly ItemChange[]
  member(): JsonMember
  /** Members in which values that do not fit are kept; empty if no value needed it. */
  asides(): JsonMembers
  readonly losses: readonly JsonLoss[]
}

export type ItemChange = (item: Item) => void

/** A shape in words, for messages. */
export function wordsOf(shape: JsonShape): string {
  switch (shape.is) {
    case 'value':
      return shape.kind
    case 'ids':
      return shape.isList ? `references to ${shape.table}` : `a reference to ${shape.table}`
    case 'items':
      return shape.isList ? `several ${shape.component}` : `one ${shape.component}`
    case 'blocks':
      return 'a dynamic zone'
  }
}

/** Why values wait for a decision, in the same words as for columns. */
export function describeJsonLoss(from: JsonShape, to: JsonShape): string {
  return `values of ${wordsOf(from)} may not fit into ${wordsOf(to)}`
}
