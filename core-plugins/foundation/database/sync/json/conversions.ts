import type { JsonMember, JsonMembers, JsonShape } from '../../tables/json-shape.ts'
import type { JsonLoss } from './losses.ts'
import type { Item } from './place.ts'

/** What makes stored values fit the shape that is declared. */
export interface JsonConversion {
  /** Rewrites a value, not null, in place or anew; undefined if no value has to change. Nothing is lost. */
  readonly convert: ((value: unknown) => unknown) | undefined
  /** What the values consist of once all are converted: what is declared, and what is kept beside it. */
  shape(): JsonShape
  /** What is kept, or will be, until it may be lost. */
  readonly losses: readonly JsonLoss[]
}

/** The same for the members of an object, which is changed in place. */
export interface MembersConversion {
  readonly changes: readonly ItemChange[]
  members(): JsonMembers
  readonly losses: readonly JsonLoss[]
}

/** The same for one member. */
export interface MemberConversion {
  readonly changes: readonly ItemChange[]
  member(): JsonMember
  /** What is kept under names of its own, because it does not fit; nothing if no value needed it. */
  asides(): JsonMembers
  readonly losses: readonly JsonLoss[]
}

export type ItemChange = (item: Item) => void

/** What a shape is, for messages. */
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

/** Why values wait for a decision, in the words that columns have. */
export function describeJsonLoss(from: JsonShape, to: JsonShape): string {
  return `values of ${wordsOf(from)} may not fit into ${wordsOf(to)}`
}
