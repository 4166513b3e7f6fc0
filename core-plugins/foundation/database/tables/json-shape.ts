import type { ColumnKind } from './column-kind.ts'

/**
 * What the values of a JSON column consist of. A sync compares it with what the column was made with, and converts
 * stored values.
 */
export type JsonShape = JsonValue | JsonIds | JsonItems | JsonBlocks

/** A value as columns of a kind have it. */
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
  /** The name of what the objects are; where blocks are mixed, each block has it as `__component`. */
  readonly component: string
  readonly members: JsonMembers
  readonly isList: boolean
  /** Without items a list is null. */
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
  /** The earlier name, whose values it takes over. */
  readonly renamedFrom?: string
  /** The plugin that adds it; its values are kept while the plugin is off. */
  readonly plugin?: string
  /** Set while it is not declared any more, and its values are kept. */
  readonly isUnused?: true
  /** Set where values are kept that did not fit another member any more: which one, and why. */
  readonly asideOf?: { readonly member: string; readonly reason: string }
}

/** The member of blocks that names what they are. */
export const blockName = '__component'

/** Whether a value is an object, and no list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
