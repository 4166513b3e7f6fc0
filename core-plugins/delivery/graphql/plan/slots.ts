import { type GraphQLObjectType, type GraphQLUnionType, isObjectType } from 'graphql'
import type { EntryQuery } from '../../../entries/content/content.ts'
import { entryTypeOf } from '../schema/object-types.ts'
import { assertAllowed, type Call } from './call.ts'
import type { Step } from './projection.ts'
import { type FieldNodes, namedTypes } from './selected-fields.ts'
import { type CompileContext, compileSelection } from './selection.ts'

/** The selection of entries of one type at one place of a response. */
export interface Slot {
  readonly type: string
  readonly query: Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'>
  readonly steps: readonly Step[]
}

export function compileSlot(
  of: GraphQLObjectType,
  nodes: FieldNodes,
  weight: number,
  deps: CompileContext,
): Slot {
  const type = entryTypeOf(of)
  if (type === undefined) throw new Error(`${of.name} is no type of entries`)
  const { fields, expansions, steps } = compileSelection(of, nodes, weight, deps)
  const query = { fields: [...fields], populate: expansions, showsIds: false }
  return { type, query, steps: [{ kind: 'type', name: of.name }, ...steps] }
}

/** Refuses a selection of entries that the caller may not read. @throws AppError 401, 403 */
export type AssertReadable = (call: Call) => void

/**
 * Refuses fragments on types that the caller may not read, even if no such entry is found, just as fragments on unknown types
 * are refused.
 */
export function compileNamedTypes(
  union: GraphQLUnionType,
  nodes: FieldNodes,
  deps: CompileContext,
): AssertReadable {
  const named = [...namedTypes(nodes, deps)].flatMap((name) => {
    const type = name === union.name ? undefined : deps.schema.getType(name)
    return isObjectType(type) ? (entryTypeOf(type) ?? []) : []
  })
  return (call) => {
    for (const type of named) assertAllowed(call, type, 'read')
  }
}
