import type { ComponentType, ReferenceAttribute } from '../../../../foundation/schemas/schemas.ts'

/** What a caller sees of the ids that are stored. */
export interface LinkView {
  readonly components: ReadonlyMap<string, ComponentType>
  /** Whether it is the id of an entry that exists, but not for the caller. */
  isHidden(attribute: ReferenceAttribute, id: number): boolean
  /** False for ids that are left out when the entry is read: those that are hidden, and of entries that are gone. */
  isShown(attribute: ReferenceAttribute, id: number): boolean
}
