import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

export interface SelectionDeps {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Readonly<Record<string, unknown>>
}

/** All nodes with the same response key; at least one. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]]

/** The selected fields of an object type by response key, in the order of the document. */
export function selectedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  deps: SelectionDeps,
): ReadonlyMap<string, FieldNodes> {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>()
  const seen = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, deps)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        const same = found.get(key)
        if (same === undefined) found.set(key, [selection])
        else same.push(selection)
      } else {
        const fragment = fragmentOf(selection, seen, deps)
        if (fragment !== undefined && isAbout(fragment.typeCondition, type, deps))
          collect(fragment.selectionSet)
      }
    }
  }
  for (const set of sets) collect(set)
  return found
}

/** Like `selectedFields`, for what `nodes` select. */
export function subfields(type: GraphQLObjectType, nodes: readonly FieldNode[], deps: SelectionDeps) {
  return selectedFields(
    type,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    deps,
  )
}

/** Undefined for a fragment that was already spread on this level. */
function fragmentOf(
  selection: Exclude<SelectionNode, FieldNode>,
  seen: Set<string>,
  { fragments }: Pick<SelectionDeps, 'fragments'>,
) {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection
  const { value: name } = selection.name
  if (seen.has(name)) return undefined
  seen.add(name)
  return fragments.get(name)
}

function isIncluded(node: SelectionNode, { variables }: SelectionDeps): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
}

function isAbout(
  condition: NamedTypeNode | undefined,
  type: GraphQLObjectType,
  { schema }: SelectionDeps,
): boolean {
  if (condition === undefined || condition.name.value === type.name) return true
  const named = schema.getType(condition.name.value)
  return isAbstractType(named) && schema.isSubType(named, type)
}

/** The type conditions of fragments on one level, whether the fragments are included or not. */
export function namedTypes(
  nodes: readonly FieldNode[],
  { fragments }: Pick<SelectionDeps, 'fragments'>,
): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) continue
      const fragment = fragmentOf(selection, seen, { fragments })
      if (fragment === undefined) continue
      if (fragment.typeCondition !== undefined) names.add(fragment.typeCondition.name.value)
      collect(fragment.selectionSet)
    }
  }
  for (const { selectionSet } of nodes) if (selectionSet !== undefined) collect(selectionSet)
  return names
}
