import { type DocumentNode, type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql'
import type { Auth } from '../auth/auth.ts'
import type { Principal } from '../http/http.ts'
import { rootMeaningOf } from './schema/meaning.ts'

export interface Rights {
  /**
   * Refuses a document that is not valid because the caller may not use its fields anyway, so that it tells nothing of
   * types that are closed to the caller. REST, too, judges who calls before it looks at what is asked.
   * @throws AppError 401, 403
   */
  refuseStrangers(document: DocumentNode, principal: Principal): void
}

export function createRights(schema: GraphQLSchema, auth: Auth): Rights {
  /** An unknown field is closed to whoever may not read every type. */
  function mayUse(principal: Principal, kind: 'query' | 'mutation', name: string): boolean {
    if (name.startsWith('__')) return true
    const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
    const meaning = rootMeaningOf(root?.getFields()[name])
    if (meaning === undefined) return auth.mayContent(principal, '', 'read')
    switch (meaning.kind) {
      case 'create':
      case 'update':
      case 'delete':
        return auth.mayContent(principal, meaning.type, meaning.kind)
      case 'publish':
      case 'unpublish':
        return auth.mayContent(principal, meaning.type, 'publish')
      default:
        return auth.mayContent(principal, meaning.type, 'read')
    }
  }

  return {
    refuseStrangers(document, principal) {
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue
        const kind = definition.operation === 'mutation' ? 'mutation' : 'query'
        for (const name of fieldNames(definition.selectionSet, document, new Set())) {
          if (!mayUse(principal, kind, name)) auth.refuse(principal)
        }
      }
    },
  }
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
