import type { ColumnKind } from './column-kind.ts'

/**
 * The structure of the values of a JSON column. A sync compares it with the structure that the column was created
 * with, and converts stored values.
 */
export type JsonShape = JsonValue | JsonIds | JsonItems | JsonBlocks

/** A value of a column kind. */
export interface JsonValue {
  readonly is: 'value'
  readonly kind: ColumnKind
}

/** The id of a row, or a list of them. */
export interface JsonIds {
  readonly is: 'ids'
  readonly table: string
  readonly isList: boolean
}

/** An object, or a list of them. */
export interface JsonItems {
  readonly is: 'items'
  /** The component of the objects; among blocks, each block has it as `__component`. */
  readonly component: string
  readonly members: JsonMembers
  readonly isList: boolean
  /** Whether an empty list is stored as null. */
  readonly isNullIfEmpty?: true
}

/** A list of objects of several kinds, each named by its `__component`. */
export interface JsonBlocks {
  readonly is: 'blocks'
  readonly components: Readonly<Record<string, JsonMembers>>
}

export type JsonMembers = Readonly<Record<string, JsonMember>>

/** A member of an object. */
export type JsonMember = JsonShape & JsonMemberFacts

interface JsonMemberFacts {
  /** The earlier name, whose values the member takes over. */
  readonly renamedFrom?: string
  /** The plugin that adds it; its values are kept while the plugin is off. */
  readonly plugin?: string
  /** Set while it is no longer declared but its values are kept. */
  readonly isUnused?: true
  /** Set if the member keeps values that no longer fit another member: which one, and why. */
  readonly asideOf?: { readonly member: string; readonly reason: string }
}

/** The member of blocks that names their component. */
export const blockName = '__component'

/** Whether a value is an object and not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
