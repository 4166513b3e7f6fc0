import { type DocumentNode, GraphQLError, type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import { AppError } from '../../../foundation/http/http.ts'
import { operationNamed } from '../document/operation-named.ts'
import { RefusedRequest, refuseByAppError, refuseInvalid, refuseRule } from '../errors.ts'
import type { GraphqlRequest } from '../graphql.ts'
import { maxErrors } from './mercurius.ts'

/**
 * The selected operation, unless it is a subscription or a mutation in a read-only request.
 * @throws RefusedRequest, AppError 405
 */
export function executable(
  document: DocumentNode,
  { operationName, isReadOnly }: GraphqlRequest,
): OperationDefinitionNode {
  const operation = operationNamed(document, operationName)
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    throw refuseRule('operation', 'subscribe over a WebSocket, or with Accept: text/event-stream')
  }
  if (isReadOnly && operation.operation !== OperationTypeNode.QUERY) throw mutationOverGet()
  return operation
}

/**
 * The reason why nothing was executed.
 * @param refuseStrangers called before any error of a document is revealed; may reject instead
 * @throws error if it is not the client's fault
 */
export async function refusalFor(
  error: unknown,
  refuseStrangers: () => Promise<void>,
): Promise<RefusedRequest> {
  if (error instanceof AppError) return refuseByAppError(error)
  if (error instanceof GraphQLError) return refuseInvalid([error])
  if (error instanceof RangeError) return refuseRule('depth', 'is nested too deeply')
  const refusal = error instanceof RefusedRequest ? error : refusalOfInvalid(error)
  try {
    await refuseStrangers()
  } catch (reason) {
    return refusalFor(reason, async () => {})
  }
  return refusal
}

/** @throws error if it is not the client's fault */
function refusalOfInvalid(error: unknown): RefusedRequest {
  const problems = (error as { readonly errors?: readonly GraphQLError[] }).errors
  if (problems === undefined) throw error
  return refuseInvalid(problems.slice(0, maxErrors))
}

function mutationOverGet(): AppError {
  return new AppError('METHOD_NOT_ALLOWED', 'send mutations with POST', { headers: { allow: 'POST' } })
}
