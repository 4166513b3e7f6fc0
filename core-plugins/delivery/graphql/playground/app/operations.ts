import { Kind, type OperationDefinitionNode, parse, print, TokenKind } from 'graphql'

/** An operation of a document that was typed. */
export interface TypedOperation {
  readonly name: string | undefined
  readonly isSubscription: boolean
  /** The offsets between which it stands. */
  readonly from: number
  readonly to: number
}

/** Undefined if the document cannot be read: the service says why. */
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

/** The one to run: that with the cursor in it, or else the first one. */
export const operationAt = (
  operations: readonly TypedOperation[],
  offset: number,
): TypedOperation | undefined =>
  operations.find(({ from, to }) => from <= offset && offset <= to) ?? operations[0]

/** The document in the usual layout, below the comments that it begins with. One that would lose others stays as it is. */
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
