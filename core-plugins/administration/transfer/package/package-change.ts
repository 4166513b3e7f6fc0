import { Type } from 'typebox'
import {
  AppError,
  bodyValidator,
  type ErrorDetail,
  parseJson,
  strict,
  whenNeeded,
} from '../../../foundation/http/http.ts'
import type { ItemName, Value } from '../../../foundation/sections/sections.ts'
import { besideSchema, sectionSchema } from '../answer-schemas.ts'

/** The first line of a package. */
export interface PackageHeader {
  readonly format: 1
  /** The environment that it comes from. */
  readonly environment: string
  /** The environment that it was made for. */
  readonly target: string
  /** How references to missing items are handled. */
  readonly missing: 'refuse' | 'drop'
  /** The names of the companions of entries, by section. */
  readonly beside?: Readonly<Record<string, readonly string[]>> | undefined
}

/**
 * One of the other lines. `put` makes an item equal to that of the source, `remove` removes it, and `agree` changes nothing:
 * both sides only store an agreement.
 */
export interface PackageChange extends ItemName {
  readonly action: 'put' | 'remove' | 'agree'
  /** The hash that the target had when this was computed; null if the item did not exist. */
  readonly before: string | null
  /** The hash at the source; null if the item does not exist. */
  readonly source: string | null
  readonly value?: Value
}

const hash = Type.Union([Type.String({ maxLength: 43, minLength: 43 }), Type.Null()])
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

const headerSchema = Type.Object(
  {
    format: Type.Literal(1),
    environment: uuid,
    target: uuid,
    missing: Type.Union([Type.Literal('refuse'), Type.Literal('drop')]),
    beside: Type.Optional(Type.Record(sectionSchema, besideSchema)),
  },
  strict,
)
const changeSchema = Type.Object(
  {
    section: Type.String({ minLength: 1, maxLength: 100 }),
    key: Type.String({ minLength: 1, maxLength: 255 }),
    action: Type.Union([Type.Literal('put'), Type.Literal('remove'), Type.Literal('agree')]),
    before: hash,
    source: hash,
    value: Type.Optional(Type.Object({})),
  },
  strict,
)

const checkHeader = whenNeeded(() => bodyValidator(headerSchema))
const checkChange = whenNeeded(() => bodyValidator(changeSchema))

/** @throws AppError 400 */
export function headerIn(line: Buffer): PackageHeader {
  return checked<PackageHeader>(line, 1, checkHeader)
}

/** @throws AppError 400 naming the line */
export function changeIn(line: Buffer, number: number): PackageChange {
  const change = checked<PackageChange>(line, number, checkChange)
  if ((change.action === 'put') === (change.value !== undefined)) return change
  throw invalid(number, 'has a value if and only if it puts an item')
}

function checked<T>(line: Buffer, number: number, problemsOf: (value: unknown) => readonly ErrorDetail[]): T {
  const value = parsed(line, number)
  const [problem] = problemsOf(value)
  if (problem === undefined) return value as T
  throw invalid(number, `${problem.path} ${problem.message}`)
}

function parsed(line: Buffer, number: number): unknown {
  try {
    return parseJson(line)
  } catch (error) {
    throw error instanceof AppError ? invalid(number, error.message) : error
  }
}

function invalid(number: number, message: string): AppError {
  return AppError.invalid([{ path: `lines.${number}`, code: 'format', message }])
}
