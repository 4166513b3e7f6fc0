import { Type } from 'typebox'
import { defineFieldType, type ValueAttributeBase, type ValueReport } from '../field-type.ts'
import { compact, schemaDefault } from './options.ts'
import { isStorable, storableRule } from './texts.ts'

export interface JsonAttribute extends ValueAttributeBase {
  readonly type: 'json'
  readonly default?: unknown
}

const options = { default: Type.Optional(Type.Unknown()) }

export const jsonType = defineFieldType<typeof options, JsonAttribute>({
  name: 'json',
  shape: 'value',
  description: 'Any JSON value.',
  options,
  complete: (file) => compact({ default: file.default }),
  column: () => ({ kind: 'json' }),
  compileCheck: () => checkJson,
  jsonSchema: (attribute) => Type.Unknown(schemaDefault(attribute.default)),
  accountSchema: () => Type.Unknown(),
  filter: { operators: [] },
  graphql: () => ({ scalar: 'JSON' }),
  typescript: () => 'unknown',
  index: { isText: false, characters: () => undefined },
})

/**
 * The maximum nesting of objects and arrays within a column, including components around a `json` field. MariaDB's
 * JSON functions support at most 31.
 */
export const maxDepth = 30

/** The maximum length of a key: MySQL's JSON type limits keys to 64 KiB. */
const maxKeyLength = 10_000

/** Accepts any JSON value that every database can store. */
function checkJson(value: unknown, report: ValueReport): unknown {
  const problem = problemOf(value, report.depth)
  return problem === undefined ? value : problem(report)
}

type ReportProblem = (report: ValueReport) => void

const reportDepth: ReportProblem = (report) => report.problem('depth', depthRule)
const reportText: ReportProblem = (report) => report.problem('format', storableRule)
const reportKey: ReportProblem = (report) =>
  report.problem('format', `must have no key of more than ${maxKeyLength} characters`)
const reportType: ReportProblem = (report) =>
  report.problem('type', 'must be a JSON value; numbers must be within the range of a double')

export const depthRule = `must not be nested more than ${maxDepth} levels deep`

function problemOf(value: unknown, depth: number): ReportProblem | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : reportText
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : reportType
  if (typeof value === 'boolean' || value === null) return undefined
  if (typeof value !== 'object') return reportType
  if (depth >= maxDepth) return reportDepth
  return Array.isArray(value) ? problemOfItems(value, depth + 1) : problemOfMembers(value, depth + 1)
}

function problemOfItems(items: readonly unknown[], depth: number): ReportProblem | undefined {
  for (const item of items) {
    const problem = problemOf(item, depth)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfMembers(object: object, depth: number): ReportProblem | undefined {
  for (const [key, member] of Object.entries(object)) {
    if (key.length > maxKeyLength) return reportKey
    const problem = isStorable(key) ? problemOf(member, depth) : reportText
    if (problem !== undefined) return problem
  }
  return undefined
}
