import { isPromise } from '../../../kernel/index.ts'
import {
  type GraphqlScalar,
  type GraphqlValue,
  graphqlScalarNames,
  type ParsedValue,
  type ValueCheck,
  type ValueReport,
} from '../../foundation/schemas/schemas.ts'

/*
 * Checks of the results of third-party field types. A wrong result becomes an error under the plugin's name here; later it
 * would be a database error, or an unhandled rejection that ends the process.
 */

/** @throws Error if the result is a promise: values are checked synchronously */
export function atOnce<T>(answer: T, what: string): T {
  if (!isPromise<unknown>(answer)) return answer
  answer.catch(() => undefined)
  throw new Error(`${what} answered a promise, but must answer at once`)
}

/** A plugin's value check whose results must also fit into the column. */
export function answeringStorable(check: ValueCheck, checkColumn: ValueCheck): ValueCheck {
  return (value, report) => {
    const watched = new WatchedReport(report)
    const answer = atOnce(check(value, watched), 'its check')
    return watched.hasProblem ? undefined : assertStorable(answer, 'its check', { checkColumn, report })
  }
}

/** A plugin's default value; undefined stands for none. */
export function answeringDefault(
  defaultOf: (report: ValueReport) => unknown,
  checkColumn: ValueCheck,
): (report: ValueReport) => unknown {
  return (report) => {
    const answer = atOnce(defaultOf(report), 'its default')
    return answer === undefined ? undefined : assertStorable(answer, 'its default', { checkColumn, report })
  }
}

interface Storage {
  readonly checkColumn: ValueCheck
  readonly report: ValueReport
}

function assertStorable(answer: unknown, what: string, { checkColumn, report }: Storage): unknown {
  if (answer === undefined || answer === null)
    throw new Error(`${what} answered no value and told no problem`)
  const { now, depth } = report
  return checkColumn(answer, {
    now,
    depth,
    problem(_, message) {
      throw new Error(`${what} answered what its column cannot hold: it ${message}`)
    },
  })
}

/** Passes problems on and remembers whether there were any. */
class WatchedReport implements ValueReport {
  readonly #report: ValueReport
  hasProblem = false

  constructor(report: ValueReport) {
    this.#report = report
  }

  get now(): string {
    return this.#report.now
  }

  get depth(): number {
    return this.#report.depth
  }

  problem(code: string, message: string): void {
    this.hasProblem = true
    if (typeof code !== 'string' || typeof message !== 'string')
      throw new Error('a problem is a code and a text')
    this.#report.problem(code, message)
  }
}

/** Checks a parsed filter operand: it must be of the original kind, or a problem. @throws Error if it is neither */
export function assertParsed(answer: ParsedValue, given: unknown): ParsedValue {
  const { value, problem } = atOnce(answer ?? {}, 'its filter') as { value?: unknown; problem?: unknown }
  const isProblem = typeof problem === 'string'
  const isSame = typeof value === typeof given && (typeof value !== 'number' || Number.isFinite(value))
  if (isProblem || isSame) return answer
  throw new Error('its filter answered neither a problem nor a value of the kind that its column holds')
}

const pascalCase = /^[A-Z][A-Za-z0-9]*$/

/** @throws Error if it cannot be part of a GraphQL schema */
export function assertGraphqlValue(answer: unknown): GraphqlValue {
  const { scalar, values, ownScalar } = (answer ?? {}) as Record<string, unknown>
  const isSound =
    graphqlScalarNames.some((name) => name === scalar) ||
    (Array.isArray(values) && values.length > 0 && values.every(isText)) ||
    isScalar(ownScalar)
  if (isSound) return answer as GraphqlValue
  throw new Error(
    `what it is in GraphQL must be a scalar of ${graphqlScalarNames.join(', ')}, a list of texts as values, ` +
      'or a scalar of its own with a name in PascalCase, description, rule and takes',
  )
}

function isScalar(value: unknown): boolean {
  const { name, description, rule, takes } = (value ?? {}) as Partial<Record<keyof GraphqlScalar, unknown>>
  return (
    isText(name) &&
    pascalCase.test(name) &&
    isText(description) &&
    isText(rule) &&
    typeof takes === 'function'
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** @throws Error if it cannot be part of an API document */
export function assertJsonSchema<T>(schema: T): T {
  const isObject = typeof schema === 'object' && schema !== null && !Array.isArray(schema)
  if (isObject && isSerializable(schema)) return schema
  throw new Error('its JSON Schema must be an object that JSON can say')
}

function isSerializable(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

/** @throws Error if it is not a TypeScript type */
export function assertTypescript(type: unknown): string {
  if (typeof type === 'string' && type.trim() !== '') return type
  throw new Error('its TypeScript type must be a text')
}

const ofAllAttributes = [
  ...['name', 'column', 'type', 'definition', 'required', 'localized', 'condition', 'renamedFrom'],
  ...['pluginOptions', 'private', 'plugin', 'description', 'declared'],
]

/** @throws Error if it would change members that attributes of all types have */
export function assertCompleted(members: unknown): object {
  if (typeof members !== 'object' || members === null) throw new Error('complete must answer an object')
  const taken = Object.keys(members).filter((name) => ofAllAttributes.includes(name))
  if (taken.length === 0) return members
  throw new Error(`complete must not answer ${taken.join(', ')}, which all attributes have`)
}

/** The problems with a field type's options, whose names are those in schema files. */
export function optionProblems(options: object): string[] {
  return Object.keys(options)
    .filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name) || ofAllAttributes.includes(name))
    .map((name) => `cannot have an option ${name}`)
}
