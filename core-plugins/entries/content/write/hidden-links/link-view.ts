import type { ComponentType, ReferenceAttribute } from '../../../../foundation/schemas/schemas.ts'

/** Which of the stored ids a caller sees. */
export interface LinkView {
  readonly components: ReadonlyMap<string, ComponentType>
  /** Whether the id belongs to an entry that exists but is hidden from the caller. */
  isHidden(attribute: ReferenceAttribute, id: number): boolean
  /** False for ids that reads omit: those of hidden entries and of entries that are gone. */
  isShown(attribute: ReferenceAttribute, id: number): boolean
}
