import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
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
 * What is taken here beyond what GraphQL allows is written in the words of GraphQL before a document is validated:
 * ids are whole numbers, so a variable of the type `Int!` does where an `ID` is expected, and `__component` can be asked
 * for of any block, as `__typename` can.
 */

/** The document as GraphQL would have it written. What is wrong with it otherwise stays as it is. */
export function withoutLeniencies(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const ids = new Set<string>()
  const others = new Set<string>()
  const typeInfo = new TypeInfo(schema)
  const visitor: ASTVisitor = {
    Variable({ name }, _key, parent) {
      if (parent !== undefined && 'kind' in parent && parent.kind === Kind.VARIABLE_DEFINITION) return
      const isId = getNamedType(typeInfo.getInputType())?.name === 'ID'
      ;(isId ? ids : others).add(name.value)
    },
    SelectionSet(node) {
      const type = typeInfo.getParentType()
      return isUnionType(type) ? withComponentOfMembers(node, type) : undefined
    },
  }
  const spread = visit(document, visitWithTypeInfo(typeInfo, visitor))
  if (ids.size === 0) return spread
  return visit(spread, {
    VariableDefinition(node: VariableDefinitionNode) {
      const { value: name } = node.variable.name
      return ids.has(name) && !others.has(name) ? { ...node, type: withIds(node.type) } : undefined
    },
  })
}

/** A union has no fields, its members have. */
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

function withIds(type: TypeNode): TypeNode {
  switch (type.kind) {
    case Kind.LIST_TYPE:
      return { ...type, type: withIds(type.type) }
    case Kind.NON_NULL_TYPE:
      return { ...type, type: withIds(type.type) as typeof type.type }
    case Kind.NAMED_TYPE:
      return type.name.value === 'Int' ? { ...type, name: { ...type.name, value: 'ID' } } : type
  }
}
