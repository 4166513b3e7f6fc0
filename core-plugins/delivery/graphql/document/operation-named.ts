import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql'
import { refuseRule } from '../errors.ts'

/** The operation of a document that a request selects. @throws RefusedRequest 400 */
export function operationNamed(
  { definitions }: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode {
  const found = definitions.filter(
    (each): each is OperationDefinitionNode =>
      each.kind === Kind.OPERATION_DEFINITION && (name === undefined || each.name?.value === name),
  )
  const [operation] = found
  if (operation === undefined) {
    throw refuseRule('operation', name === undefined ? 'has no operation' : `has no operation ${name}`)
  }
  if (found.length > 1) throw refuseRule('operation', 'has several operations; say which in operationName')
  return operation
}
