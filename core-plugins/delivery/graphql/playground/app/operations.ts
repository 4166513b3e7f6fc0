import { Kind, type OperationDefinitionNode, parse, print, TokenKind } from 'graphql'

/** An operation in the edited document. */
export interface TypedOperation {
  readonly name: string | undefined
  readonly isSubscription: boolean
  /** The offsets of its beginning and end. */
  readonly from: number
  readonly to: number
}

/** Undefined if the document cannot be parsed; then the service reports the error. */
export function operationsIn(text: string): readonly TypedOperation[] | undefined {
  try {
    return parse(text)
      .definitions.filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION)
      .map(({ name, operation, loc }) => ({
        name: name?.value,
        isSubscription: operation === 'subscription',
        from: loc?.start ?? 0,
        to: loc?.end ?? 0,
      }))
  } catch {
    return undefined
  }
}

/** The operation to run: the one at the cursor, or else the first one. */
export const operationAt = (
  operations: readonly TypedOperation[],
  offset: number,
): TypedOperation | undefined =>
  operations.find(({ from, to }) => from <= offset && offset <= to) ?? operations[0]

/**
 * The document in the standard layout, with its leading comments. A document with other comments stays unchanged, since they
 * would be lost.
 */
export function tidied(text: string): string {
  const [leading = ''] = /^(?:\s*#.*\n)*/.exec(text) ?? []
  const rest = text.slice(leading.length)
  try {
    const document = parse(rest)
    for (let token = document.loc?.startToken; token; token = token.next ?? undefined) {
      if (token.kind === TokenKind.COMMENT) return text
    }
    return `${leading}${print(document)}\n`
  } catch {
    return text
  }
}
