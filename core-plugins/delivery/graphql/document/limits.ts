import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { refuseRule } from '../errors.ts'

/*
 * Limits the cost of a document before it is validated. Validation compares all fields of one name with each other, which
 * takes quadratic time, and nested fragments double the work with every level. So the document is first walked as in
 * execution, and refused if it is too large.
 */

/** The maximum number of tokens: names, punctuators and values. */
export const maxTokens = 8_000

const maxFields = 2_000
const maxAlike = 50
const maxFragments = 200
/** Introspection queries are deep by nature: types of types of types. */
const maxIntrospectionDepth = 20

interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  fieldsLeft: number
}

/** @throws RefusedRequest */
export function checkStructure(document: DocumentNode, maxDepth: number): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  if (fragments.size > maxFragments) throw refuseRule('fragments', `has more than ${maxFragments} fragments`)
  const walk: Walk = { fragments, fieldsLeft: maxFields }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walkLevel([definition.selectionSet], 1, maxDepth, walk)
  }
  // Validation also visits each fragment separately.
  const apart: Walk = { fragments, fieldsLeft: 2 * maxFields }
  for (const { selectionSet } of fragments.values())
    walkLevel([selectionSet], 1, maxIntrospectionDepth, apart)
}

function walkLevel(sets: readonly SelectionSetNode[], depth: number, maxDepth: number, walk: Walk): void {
  if (depth > maxDepth)
    throw refuseRule('depth', `fields stand more than ${maxDepth} deep inside one another`)
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  for (const set of sets) collect(set, fields, seen, walk)
  for (const [key, nodes] of fields) {
    if (nodes.length > maxAlike) throw refuseRule('fields', `${key} is asked for more than ${maxAlike} times`)
    const inside = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (inside.length === 0) continue
    const isIntrospection = depth === 1 && nodes[0]?.name.value.startsWith('__') === true
    walkLevel(inside, depth + 1, isIntrospection ? maxIntrospectionDepth : maxDepth, walk)
  }
}

function collect(
  { selections }: SelectionSetNode,
  fields: Map<string, FieldNode[]>,
  seen: Set<string>,
  walk: Walk,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) addField(selection, fields, walk)
    else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, fields, seen, walk)
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value)
      const fragment = walk.fragments.get(selection.name.value)
      if (fragment !== undefined) collect(fragment.selectionSet, fields, seen, walk)
    }
  }
}

function addField(node: FieldNode, fields: Map<string, FieldNode[]>, walk: Walk): void {
  walk.fieldsLeft--
  if (walk.fieldsLeft < 0) throw refuseRule('fields', `has more than ${maxFields} fields`)
  const key = node.alias?.value ?? node.name.value
  // This key would set the prototype of the result object.
  if (key === '__proto__') throw refuseRule('alias', 'no field can be called __proto__')
  const alike = fields.get(key)
  if (alike === undefined) fields.set(key, [node])
  else alike.push(node)
}
