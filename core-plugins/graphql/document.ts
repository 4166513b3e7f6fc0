import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
} from 'graphql'
import { fieldDefinition } from './component-field.ts'
import { refuseInvalid, refuseRule } from './errors.ts'
import { lenientRules } from './id-variables.ts'
import { checkStructure, maxTokens } from './limits.ts'

/** A document that may be executed. */
export interface CheckedDocument {
  readonly document: DocumentNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operations: readonly OperationDefinitionNode[]
}

const maxErrors = 20

/** @throws RefusedRequest 400 for what cannot be read, or is too much to look at */
export function readDocument(source: string, maxDepth: number): DocumentNode {
  return withinStack(() => {
    const document = parse(source, { maxTokens })
    checkStructure(document, maxDepth)
    return document
  })
}

/** @throws RefusedRequest 400 */
export function checkDocument(document: DocumentNode, schema: GraphQLSchema): CheckedDocument {
  const errors = withinStack(() =>
    validate(
      schema,
      document,
      lenientRules(specifiedRules),
      { maxErrors, hideSuggestions: true },
      // Knows `__component`, which no schema may declare.
      new TypeInfo(schema, undefined, fieldDefinition),
    ),
  )
  if (errors.length > 0) throw refuseInvalid(errors.slice(0, maxErrors))
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  return { document, fragments, operations }
}

/** Reading and checking follow the nesting of the document; one that is too deep for the stack is refused. */
function withinStack<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw refuseInvalid([error])
    if (error instanceof RangeError) throw refuseRule('depth', 'is nested too deeply')
    throw error
  }
}

/** The operation that a request means. @throws RefusedRequest 400 */
export function operationNamed(
  { operations }: CheckedDocument,
  name: string | undefined,
): OperationDefinitionNode {
  const found = name === undefined ? operations : operations.filter((each) => each.name?.value === name)
  const [operation] = found
  if (operation === undefined) {
    throw refuseRule('operation', name === undefined ? 'has no operation' : `has no operation ${name}`)
  }
  if (found.length > 1) throw refuseRule('operation', 'has several operations; say which in operationName')
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    throw refuseRule('operation', 'subscriptions are not served')
  }
  return operation
}
