import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { type CheckedDocument, checkDocument, operationNamed, readDocument } from './document.ts'
import type { GraphqlRequest } from './graphql.ts'
import { type PreparedOperation, prepareOperation } from './operation.ts'

export interface OperationLimits {
  readonly maxDepth: number
  readonly maxCost: number
  readonly defaultLimit: number
  readonly maxLimit: number
}

/** Parses, checks and compiles what clients send; what they send over and over only once. */
export interface KeptOperations {
  /**
   * @param refuse called before a document is said to be invalid; may throw in place of that
   * @throws RefusedRequest
   */
  document(source: string, refuse?: (document: DocumentNode) => void): CheckedDocument
  /** @throws RefusedRequest for variables that do not fit, and for what costs too much */
  prepare(request: GraphqlRequest, document: CheckedDocument): Prepared
  /** Works everything out anew, after limits have changed. */
  clear(): void
}

export interface Prepared {
  readonly operation: OperationDefinitionNode
  /** @throws RefusedRequest */
  compile(): PreparedOperation
}

const maxKeptDocuments = 500
const maxKeptOperations = 1_000
/** Longer ones are worked out each time. In characters, variables included. */
const maxKeptLength = 20_000

export function keepOperations(schema: GraphQLSchema, limits: () => OperationLimits): KeptOperations {
  const documents = new LRUCache<string, CheckedDocument>({ max: maxKeptDocuments })
  const operations = new LRUCache<string, PreparedOperation>({ max: maxKeptOperations })

  function check(document: DocumentNode, refuse?: (document: DocumentNode) => void): CheckedDocument {
    try {
      return checkDocument(document, schema)
    } catch (error) {
      refuse?.(document)
      throw error
    }
  }

  function compile(request: GraphqlRequest, document: CheckedDocument, operation: OperationDefinitionNode) {
    const { source, variables, operationName = '' } = request
    const compiled = () => prepareOperation(document, operation, variables, { schema, ...limits() })
    // What a mutation writes is different each time.
    if (operation.operation !== 'query') return compiled()
    const key = `${JSON.stringify(variables)} ${operationName} ${source}`
    const kept = operations.get(key)
    if (kept !== undefined) return kept
    const made = compiled()
    if (key.length <= maxKeptLength) operations.set(key, made)
    return made
  }

  return {
    document(source, refuse) {
      const kept = documents.get(source)
      if (kept !== undefined) return kept
      const checked = check(readDocument(source, limits().maxDepth), refuse)
      if (source.length <= maxKeptLength) documents.set(source, checked)
      return checked
    },
    prepare(request, document) {
      const operation = operationNamed(document, request.operationName)
      return { operation, compile: () => compile(request, document, operation) }
    },
    clear() {
      documents.clear()
      operations.clear()
    },
  }
}
