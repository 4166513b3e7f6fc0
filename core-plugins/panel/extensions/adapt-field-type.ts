import {
  assertFieldColumn,
  compileColumnCheck,
  type FieldColumn,
  type GraphqlValue,
  operatorNamed,
  type ValueAttributeBase,
  type ValueFieldType,
} from '../../foundation/schemas/schemas.ts'
import {
  answeringDefault,
  answeringStorable,
  assertCompleted,
  assertGraphqlValue,
  assertJsonSchema,
  assertParsed,
  assertTypescript,
  atOnce,
  optionProblems,
} from './field-type-answers.ts'
import { blamedCall, type ErrorReport, reportedCall, reportedInstead } from './report-errors.ts'

/** The members that every field type must have, besides its descriptions. */
const needed = ['complete', 'column', 'compileCheck', 'jsonSchema', 'graphql', 'typescript'] as const

/** The plugin that the type belongs to. */
interface Owner {
  readonly plugin: string
  readonly space: string
  readonly report: ErrorReport
}

/**
 * Checks a field type, and every value that it returns at the start and in requests; reports its errors under its
 * plugin's name. @throws Error saying what is wrong with it
 */
export function adaptFieldType({ plugin, space, report }: Owner, type: ValueFieldType): ValueFieldType {
  checkFieldType(space, type)
  const where = `the field type ${type.name}`
  return {
    ...type,
    ...blamedCalls(plugin, { ...type, ...soundAnswers(type, where, report) }),
    ...reportedCalls({ plugin, space, report }, type, where),
  }
}

/** The functions called while the service starts. */
function blamedCalls(plugin: string, type: ValueFieldType): Partial<ValueFieldType> {
  const calls = Object.entries(type).filter(([, member]) => typeof member === 'function')
  return Object.fromEntries(calls.map(([name, call]) => [name, blamedCall(plugin, call)]))
}

/** Checks results that are used much later, while it is still known which plugin they come from. */
function soundAnswers(type: ValueFieldType, where: string, report: ErrorReport): Partial<ValueFieldType> {
  return {
    complete: (options, place) => assertCompleted(type.complete(options, place)),
    column: (attribute) => soundColumn(type, attribute),
    jsonSchema: (attribute) => assertJsonSchema(type.jsonSchema(attribute)),
    typescript: (attribute) => assertTypescript(type.typescript(attribute)),
    graphql: (attribute) => adaptGraphql(assertGraphqlValue(type.graphql(attribute)), where, report),
  }
}

function soundColumn(type: ValueFieldType, attribute: ValueAttributeBase): FieldColumn {
  const column: unknown = type.column(attribute)
  assertFieldColumn(column)
  return column
}

function adaptGraphql(value: GraphqlValue, where: string, report: ErrorReport): GraphqlValue {
  if (!('ownScalar' in value)) return value
  const { ownScalar } = value
  const takes = reportedInstead(where, (given: unknown) => ownScalar.takes(given), report)
  return { ownScalar: { ...ownScalar, takes: (given) => takes(given) === true } }
}

/** The functions called during requests. */
function reportedCalls(
  { plugin, report }: Owner,
  type: ValueFieldType,
  where: string,
): Pick<ValueFieldType, 'compileCheck' | 'compileDefault' | 'normalize' | 'filter'> {
  const { compileDefault, normalize, filter } = type
  const { parse } = filter
  const columnCheck = (attribute: ValueAttributeBase) => compileColumnCheck(soundColumn(type, attribute))
  return {
    compileCheck: blamedCall(plugin, (attribute) => {
      const check = answeringStorable(callable(type.compileCheck(attribute)), columnCheck(attribute))
      return reportedCall(where, check, report)
    }),
    ...(normalize && {
      normalize: reportedCall(where, (value) => atOnce(normalize(value), 'normalize'), report),
    }),
    ...(compileDefault && {
      compileDefault: blamedCall(plugin, (attribute) => {
        const defaultOf = compileDefault(attribute)
        if (defaultOf === undefined) return undefined
        return reportedCall(where, answeringDefault(callable(defaultOf), columnCheck(attribute)), report)
      }),
    }),
    filter: {
      ...filter,
      ...(parse && {
        parse: reportedCall(
          where,
          (value, attribute) => assertParsed(parse(value, attribute), value),
          report,
        ),
      }),
    },
  }
}

function callable<T>(value: T): T {
  if (typeof value === 'function') return value
  throw new Error('what its values are checked with, and their default, must be functions')
}

function checkFieldType(space: string, type: ValueFieldType): void {
  const { name } = type
  if (typeof name !== 'string' || (name !== space && !isOwnName(name, space))) {
    throw new Error(`the field type ${String(name)} must be named ${space} or ${space}.<what>`)
  }
  if (type.shape !== 'value') throw new Error(`the shape of the field type ${name} must be value`)
  for (const member of needed) {
    if (typeof type[member] !== 'function') throw new Error(`${member} of ${name} must be a function`)
  }
  for (const member of ['options', 'filter', 'index'] as const) {
    if (typeof type[member] !== 'object' || type[member] === null) {
      throw new Error(`${member} of ${name} must be an object`)
    }
  }
  if (typeof type.index.characters !== 'function') {
    throw new Error(`index.characters of ${name} must be a function`)
  }
  checkOperators(type)
  for (const problem of optionProblems(type.options)) throw new Error(`${name} ${problem}`)
}

function isOwnName(name: string, space: string): boolean {
  return name.startsWith(`${space}.`) && /^[a-z][A-Za-z0-9-]*$/.test(name.slice(space.length + 1))
}

function checkOperators({ name, filter: { operators } }: ValueFieldType): void {
  if (!Array.isArray(operators)) throw new Error(`filter.operators of ${name} must be a list`)
  const unknown = operators.filter((operator) => operatorNamed(operator) === undefined)
  if (unknown.length > 0) throw new Error(`${name} cannot be filtered by ${unknown.join(', ')}`)
}
