import {
  type GraphQLError,
  Kind,
  type TypeNode,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
} from 'graphql'

/** Ids are whole numbers here, so a variable of the type `Int!` does where an `ID` is expected. */
export function lenientRules(rules: readonly ValidationRule[]): ValidationRule[] {
  return rules.map((rule) => (rule === VariablesInAllowedPositionRule ? lenientPositions : rule))
}

const lenientPositions: ValidationRule = (context) => {
  const lenient: ValidationContext = Object.create(context)
  lenient.reportError = (error: GraphQLError) => {
    if (!isIdInPlace(error)) context.reportError(error)
  }
  return VariablesInAllowedPositionRule(lenient)
}

/** The error's first node is the definition of the variable; its message ends with the type that is expected. */
function isIdInPlace({ nodes, message }: GraphQLError): boolean {
  const definition = nodes?.[0]
  if (definition?.kind !== Kind.VARIABLE_DEFINITION) return false
  const expected = /expecting type "(\S+)"\.$/.exec(message)?.[1]
  const given = typeText(definition.type)
  return expected !== undefined && isSameWithIds(given, expected)
}

/** `Int!` fits `ID` and `ID!`, `[Int!]!` fits `[ID!]`; `Int` does not fit `ID!`. */
function isSameWithIds(given: string, expected: string): boolean {
  if (!/^\[*Int\b/.test(given)) return false
  const asId = given.replace('Int', 'ID')
  const isAtLeast = (left: string, right: string): boolean => {
    if (left === right || left === `${right}!`) return true
    const [inLeft, inRight] = [/^\[(.*)\](!?)$/.exec(left), /^\[(.*)\](!?)$/.exec(right)]
    if (inLeft === null || inRight === null) return false
    return (inLeft[2] === '!' || inRight[2] === '') && isAtLeast(inLeft[1] ?? '', inRight[1] ?? '')
  }
  return isAtLeast(asId, expected)
}

function typeText(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value
  return type.kind === Kind.LIST_TYPE ? `[${typeText(type.type)}]` : `${typeText(type.type)}!`
}
