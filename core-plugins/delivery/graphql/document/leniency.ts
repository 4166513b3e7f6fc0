import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  isInputObjectType,
  isUnionType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  type TypeNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { componentFieldName } from '../schema/component-field.ts'

/*
 * This service accepts a few documents that GraphQL forbids, and rewrites them as valid GraphQL before validation: ids are
 * integers, so a variable of type `Int!` may be used for an `ID`, and one of type `ArticleInput` for an update; `__component`
 * may be selected on any block, like `__typename`.
 */

/** Rewrites such a document as valid GraphQL; other errors in it stay. */
export function withoutLeniencies(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  /** The types of the positions in which each variable is used. */
  const uses = new Map<string, Set<GraphQLNamedType | undefined>>()
  const typeInfo = new TypeInfo(schema)
  const visitor: ASTVisitor = {
    Variable({ name }, _key, parent) {
      if (parent !== undefined && 'kind' in parent && parent.kind === Kind.VARIABLE_DEFINITION) return
      const seen = uses.get(name.value) ?? new Set()
      uses.set(name.value, seen.add(getNamedType(typeInfo.getInputType() ?? undefined)))
    },
    SelectionSet(node) {
      const type = typeInfo.getParentType()
      return isUnionType(type) ? withComponentOfMembers(node, type) : undefined
    },
  }
  const spread = visit(document, visitWithTypeInfo(typeInfo, visitor))
  if (![...uses.values()].some((types) => types.size === 1)) return spread
  return visit(spread, {
    VariableDefinition(node: VariableDefinitionNode) {
      const [used, ...others] = uses.get(node.variable.name.value) ?? []
      const taken = used && alsoTakenFor(used)
      if (used === undefined || taken === undefined || others.length > 0) return undefined
      return { ...node, type: withName(node.type, taken, used.name) }
    },
  })
}

/** The name of another type that a variable may have where this type is expected. */
function alsoTakenFor(type: GraphQLNamedType): string | undefined {
  if (type.name === 'ID') return 'Int'
  return isInputObjectType(type) ? (type.extensions.alsoTakes as string | undefined) : undefined
}

/** A union has no fields, so the field is selected on each member. */
function withComponentOfMembers(
  node: SelectionSetNode,
  union: GraphQLUnionType,
): SelectionSetNode | undefined {
  if (!node.selections.some(isComponentField)) return undefined
  const ofMembers = (field: SelectionNode): SelectionNode[] =>
    union.getTypes().map(({ name }) => ({
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
      selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
    }))
  const selections = node.selections.flatMap((each) => (isComponentField(each) ? ofMembers(each) : [each]))
  return { ...node, selections }
}

function isComponentField(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && selection.name.value === componentFieldName
}

function withName(type: TypeNode, from: string, to: string): TypeNode {
  switch (type.kind) {
    case Kind.LIST_TYPE:
      return { ...type, type: withName(type.type, from, to) }
    case Kind.NON_NULL_TYPE:
      return { ...type, type: withName(type.type, from, to) as typeof type.type }
    case Kind.NAMED_TYPE:
      return type.name.value === from ? { ...type, name: { ...type.name, value: to } } : type
  }
}
