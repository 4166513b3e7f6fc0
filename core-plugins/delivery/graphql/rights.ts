import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { type Auth, contentActions } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import { isAdmitted } from './root-access.ts'
import type { SchemaFor } from './schema/caller-schemas.ts'
import { rootMeaningOf } from './schema/meaning.ts'

export interface Rights {
  /**
   * Refuses an invalid document without its errors if the caller may not use its fields anyway, so that errors reveal nothing
   * of types closed to the caller. REST, too, checks the caller before the request. Rejects with an AppError 401 or 403.
   */
  refuseStrangers(document: DocumentNode, principal: Principal): Promise<void>
  /**
   * Refuses a valid document that names a content type with which the caller may do nothing, in the same way as one that names
   * an unknown type.
   * @throws AppError 401, 403
   */
  assertKnown(types: ReadonlySet<string>, principal: Principal): void
}

export interface RightsParts {
  /** The schema of all content types. */
  readonly schema: GraphQLSchema
  readonly schemaFor: SchemaFor
  readonly auth: Auth
}

export function createRights({ schema, schemaFor, auth }: RightsParts): Rights {
  /** Unknown fields count as closed to callers who may not read every type. */
  function mayUse(
    principal: Principal,
    operation: OperationTypeNode,
    name: string,
  ): boolean | Promise<boolean> {
    if (name.startsWith('__')) return true
    const meaning = rootMeaningOf(schema.getRootType(operation)?.getFields()[name])
    if (meaning === undefined) return auth.mayContent(principal, '', 'read')
    switch (meaning.kind) {
      // The types depend on the arguments.
      case 'entities':
      case 'service':
        return true
      case 'plugin':
      case 'feature':
        return isAdmitted(meaning, principal)
      case 'create':
      case 'update':
      case 'delete':
      case 'publish':
      case 'unpublish':
        return auth.mayContent(principal, meaning.type, meaning.right)
      default:
        return auth.mayContent(principal, meaning.type, 'read')
    }
  }

  return {
    async refuseStrangers(document, principal) {
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue
        for (const name of fieldNames(definition.selectionSet, document, new Set())) {
          if (!(await mayUse(principal, definition.operation, name))) auth.refuse(principal)
        }
      }
      if (auth.mayContent(principal, '', 'read')) return
      if (namesStrangers(document, schema, await schemaFor(principal))) auth.refuse(principal)
    },
    assertKnown(types, principal) {
      if (auth.mayContent(principal, '', 'read')) return
      for (const type of types) {
        if (!contentActions.some((action) => auth.mayContent(principal, type, action))) auth.refuse(principal)
      }
    },
  }
}

/** Whether a document names a type that is missing in `own`, or a field or value of `whole` that is missing in `own`. */
function namesStrangers(document: DocumentNode, whole: GraphQLSchema, own: GraphQLSchema): boolean {
  const typeInfo = new TypeInfo(whole)
  let found = false
  const meet = (type: GraphQLNamedType | null | undefined, field: string) => {
    if (type === null || type === undefined || field.startsWith('__')) return
    const left = own.getType(type.name)
    if (left === undefined || (hasField(type, field) && !hasField(left, field))) found = true
  }
  const visitor: ASTVisitor = {
    NamedType({ name }) {
      if (own.getType(name.value) === undefined) found = true
    },
    Field({ name }) {
      meet(typeInfo.getParentType(), name.value)
    },
    EnumValue({ value }) {
      const type = getNamedType(typeInfo.getInputType())
      const left = isEnumType(type) ? own.getType(type.name) : undefined
      if (isEnumType(type) && type.getValue(value) && !(isEnumType(left) && left.getValue(value)))
        found = true
    },
    ObjectField({ name }) {
      meet(getNamedType(typeInfo.getParentInputType()), name.value)
    },
  }
  visit(document, visitWithTypeInfo(typeInfo, visitor))
  return found
}

function hasField(type: GraphQLNamedType | undefined, name: string): boolean {
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
  return hasFields && Object.hasOwn(type.getFields(), name)
}

function fieldNames({ selections }: SelectionSetNode, document: DocumentNode, seen: Set<string>): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value]
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldNames(selection.selectionSet, document, seen)
    const { value: name } = selection.name
    if (seen.has(name)) return []
    seen.add(name)
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? fieldNames(fragment.selectionSet, document, seen)
      : []
  })
}
