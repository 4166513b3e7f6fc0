import { AjvCompiler, type ErrorObject } from '@fastify/ajv-compiler'
import type { TSchema } from 'typebox'
import { AppError, type ErrorDetail } from './answers/app-error.ts'
import { emailAddressOf } from './email-address.ts'

const buildCompiler = AjvCompiler()

/** In addition to the JSON Schema formats of ajv-formats. */
const formats = { 'idn-email': (text: string) => emailAddressOf(text) !== undefined }

/** Bodies are typed JSON: values of the wrong type are refused; nothing is converted or dropped. */
const compileStrictly = buildCompiler(
  {},
  {
    customOptions: {
      formats,
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: true,
      allErrors: true,
    },
  },
)

/**
 * Params and queries are text: `?limit=5` becomes the number 5, and a single value becomes an array of one.
 */
const compileWithCoercion = buildCompiler(
  {},
  {
    customOptions: {
      formats,
      coerceTypes: 'array',
      removeAdditional: false,
      useDefaults: true,
      allErrors: true,
    },
  },
)

/** A longer list helps no reader, and would make the answer as large as the payload. */
const maxDetails = 100

const noDetails: readonly ErrorDetail[] = Object.freeze([])

/** Returns all problems of a value, none if it is valid; fills in defaults. */
export type Validator = (value: unknown) => readonly ErrorDetail[]

/** Validates JSON values without converting them. */
export function bodyValidator(schema: TSchema): Validator {
  return validatorOf(compileStrictly, schema)
}

/** Validates an object of strings and converts them, in place. */
export function textValidator(schema: TSchema): Validator {
  const validate = validatorOf(compileWithCoercion, schema)
  const numbers = numericProperties(schema)
  return (values) => {
    const details = misspeltNumbers(values as Record<string, unknown>, numbers)
    return details.length > 0 ? details : validate(values)
  }
}

/** A validator that is compiled at its first use, since most processes never use it. */
export function whenNeeded(compile: () => Validator): Validator {
  let validate: Validator | undefined
  return (value) => {
    validate ??= compile()
    return validate(value)
  }
}

type Compile = typeof compileStrictly

function validatorOf(compile: Compile, schema: TSchema): Validator {
  const validate = compile({ schema } as never)
  return (value) => (validate(value) ? noDetails : describeErrors(validate.errors ?? []))
}

function numericProperties(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const names = Object.keys(properties)
  return names.filter((name) => ['integer', 'number'].includes(String(properties[name]?.type)))
}

/**
 * Ajv accepts anything that JavaScript converts to a number: `0x10`, `1e3`, a space, more digits than a
 * double has, and any of these in brackets.
 */
function misspeltNumbers(values: Record<string, unknown>, names: readonly string[]): ErrorDetail[] {
  const details: ErrorDetail[] = []
  for (const name of names) {
    if (isMisspelt(values[name])) details.push({ path: name, code: 'type', message: 'must be a number' })
  }
  return details
}

function isMisspelt(value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value !== 'string') return true
  return !/^-?\d+(\.\d+)?$/.test(value) || !Number.isFinite(Number(value))
}

function describeErrors(errors: readonly ErrorObject[]): ErrorDetail[] {
  const branches = new Set(errors.filter(isAlternative).map((error) => error.schemaPath))
  const told = errors.filter((error) => ![...branches].some((path) => isWithin(error.schemaPath, path)))
  return told.slice(0, maxDetails).map(describeError)
}

/**
 * The error of the alternative itself is enough; one error for each alternative that failed would mislead.
 */
function isAlternative({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function isWithin(schemaPath: string, alternativePath: string): boolean {
  return schemaPath.startsWith(`${alternativePath}/`)
}

function describeError(error: ErrorObject): ErrorDetail {
  const at = error.instancePath.slice(1).split('/').map(unescapePointer).filter(Boolean)
  const params = error.params as Record<string, unknown>
  const named = params.missingProperty ?? params.additionalProperty
  const path = [...at, ...(named === undefined ? [] : [String(named)])].join('.')
  return { path, code: error.keyword, message: messageOf(error) }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function messageOf({ keyword, params, parentSchema, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'anyOf' || keyword === 'oneOf') return alternatives(parentSchema)
  return message ?? 'is not valid'
}

function alternatives(schema: unknown): string {
  const { anyOf, oneOf } = (schema ?? {}) as Record<string, { const?: unknown; type?: unknown }[]>
  const options = (anyOf ?? oneOf ?? []).map((option) => option.const ?? option.type)
  return options.length > 0 && options.every((option) => option !== undefined)
    ? `must be one of ${options.join(', ')}`
    : 'must match one of the allowed forms'
}

/**
 * Returns the valid members of a refused body; undefined if it is not an object or has more problems than are
 * reported.
 */
export function faultlessMembers(body: unknown, problems: readonly ErrorDetail[]): object | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  if (problems.length >= maxDetails) return undefined
  const faulty = new Set(problems.map(({ path }) => path.split('.', 1)[0]))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !faulty.has(name)))
}

/** @throws AppError 400 with all problems, if there are any */
export function assertValid(details: readonly ErrorDetail[]) {
  if (details.length > 0) throw AppError.invalid(details)
}
