import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind, Dialect } from '../database/database.ts'

/** What an operator tests; a field type declares which of these make sense for its values. */
export type Question = 'equality' | 'order' | 'text' | 'place' | 'presence'

/**
 * The operand of an operator: a value of the field, a list of values, a lower and an upper bound, any text, or true
 * or false. For points: a centre and a distance, or the corners of an area.
 */
export type OperatorArgument = 'value' | 'values' | 'pair' | 'text' | 'flag' | 'circle' | 'area'

/** A compared column and its operands, for generating SQL. */
export interface ComparedColumn {
  readonly dialect: Dialect
  readonly column: SQL
  readonly kind: ColumnKind
  /** The placeholder of the value, or of the lower one of two. */
  readonly value: SQL
  /** The placeholder of the upper value of two. */
  readonly upper: SQL
  /** The name under which the value is bound; `inList` creates its own placeholders. */
  readonly slot: string
}

/** A value or operand in JavaScript; each item of a list is an operand. */
export type Comparable = string | number | boolean

/**
 * An operator that compares values. Its SQL is true or false for every value except null, which the caller handles.
 */
export interface ComparingOperator {
  readonly question: Exclude<Question, 'presence' | 'place'>
  readonly argument: Exclude<OperatorArgument, 'flag' | 'circle' | 'area'>
  readonly sql: (compared: ComparedColumn) => SQL
  /**
   * The same in JavaScript, for a value that is not null and operands that JavaScript compares like the database;
   * missing if only the database can decide.
   */
  readonly holds?: (value: Comparable, operands: readonly Comparable[]) => boolean
  /** How many times it scans the text of the column if no index helps; 0 if it can use an index. */
  readonly readings: number
}

/** An operator that is true exactly where another one is false. */
interface OppositeOperator {
  readonly question: Exclude<Question, 'presence' | 'place'>
  readonly argument: Exclude<OperatorArgument, 'flag' | 'circle' | 'area'>
  readonly oppositeOf: string
}

/** An operator that tests whether a field has a value; every field supports it. */
interface PresenceOperator {
  readonly question: 'presence'
  readonly argument: 'flag'
}

/** An operator that tests the position of a point; only for columns of kind `point`. */
interface PlaceOperator {
  readonly question: 'place'
  readonly argument: 'circle' | 'area'
}

/** A filter operator: what it tests, and the operands it takes. */
export type FilterOperator = ComparingOperator | OppositeOperator | PlaceOperator | PresenceOperator

/** Folds case on both sides. */
function folded(compare: (dialect: Dialect, column: SQL, value: SQL) => SQL): ComparingOperator['sql'] {
  return ({ dialect, column, value }) => compare(dialect, dialect.fold(column), dialect.fold(value))
}

/**
 * The filter operators, in documentation order. Parsing, SQL, query weights, OpenAPI, GraphQL and the generated
 * TypeScript all derive from this table. An operator with `oppositeOf` is true exactly where the other is not.
 */
export const filterOperators = {
  $eq: {
    question: 'equality',
    argument: 'value',
    readings: 0,
    sql: ({ column, value }) => sql`${column} = ${value}`,
    holds: (value, [operand]) => value === operand,
  },
  $ne: { question: 'equality', argument: 'value', oppositeOf: '$eq' },
  $lt: {
    question: 'order',
    argument: 'value',
    readings: 0,
    sql: ({ column, value }) => sql`${column} < ${value}`,
    holds: (value, [operand]) => value < (operand ?? Number.NaN),
  },
  $lte: {
    question: 'order',
    argument: 'value',
    readings: 0,
    sql: ({ column, value }) => sql`${column} <= ${value}`,
    holds: (value, [operand]) => value <= (operand ?? Number.NaN),
  },
  $gt: {
    question: 'order',
    argument: 'value',
    readings: 0,
    sql: ({ column, value }) => sql`${column} > ${value}`,
    holds: (value, [operand]) => value > (operand ?? Number.NaN),
  },
  $gte: {
    question: 'order',
    argument: 'value',
    readings: 0,
    sql: ({ column, value }) => sql`${column} >= ${value}`,
    holds: (value, [operand]) => value >= (operand ?? Number.NaN),
  },
  $eqi: {
    question: 'text',
    argument: 'text',
    readings: 2,
    sql: folded((_, column, value) => sql`${column} = ${value}`),
  },
  $nei: { question: 'text', argument: 'text', oppositeOf: '$eqi' },
  $contains: {
    question: 'text',
    argument: 'text',
    readings: 1,
    sql: ({ dialect, column, value }) => dialect.contains(column, value),
    holds: (value, [operand]) => String(value).includes(String(operand)),
  },
  $notContains: { question: 'text', argument: 'text', oppositeOf: '$contains' },
  $containsi: {
    question: 'text',
    argument: 'text',
    readings: 2,
    sql: folded((dialect, column, value) => dialect.contains(column, value)),
  },
  $notContainsi: { question: 'text', argument: 'text', oppositeOf: '$containsi' },
  $startsWith: {
    question: 'text',
    argument: 'text',
    readings: 1,
    sql: ({ dialect, column, value }) => dialect.startsWith(column, value),
    holds: (value, [operand]) => String(value).startsWith(String(operand)),
  },
  $startsWithi: {
    question: 'text',
    argument: 'text',
    readings: 2,
    sql: folded((dialect, column, value) => dialect.startsWith(column, value)),
  },
  $endsWith: {
    question: 'text',
    argument: 'text',
    readings: 1,
    sql: ({ dialect, column, value }) => dialect.endsWith(column, value),
    holds: (value, [operand]) => String(value).endsWith(String(operand)),
  },
  $endsWithi: {
    question: 'text',
    argument: 'text',
    readings: 2,
    sql: folded((dialect, column, value) => dialect.endsWith(column, value)),
  },
  $in: {
    question: 'equality',
    argument: 'values',
    readings: 0,
    sql: ({ dialect, column, slot, kind }) => dialect.inList(column, slot, kind),
    holds: (value, operands) => operands.includes(value),
  },
  $notIn: { question: 'equality', argument: 'values', oppositeOf: '$in' },
  $between: {
    question: 'order',
    argument: 'pair',
    readings: 0,
    sql: ({ column, value, upper }) => sql`${column} between ${value} and ${upper}`,
    holds: (value, [lower, upper]) => value >= (lower ?? Number.NaN) && value <= (upper ?? Number.NaN),
  },
  $near: { question: 'place', argument: 'circle' },
  $within: { question: 'place', argument: 'area' },
  $null: { question: 'presence', argument: 'flag' },
  $notNull: { question: 'presence', argument: 'flag' },
} as const satisfies Readonly<Record<`$${string}`, FilterOperator>>

/** The operators of filters: `$eq`, `$in`, `$near`, … */
export type OperatorName = keyof typeof filterOperators

/** Operators that are comparisons themselves, not the opposite of one. */
export type ComparisonName = {
  [Name in OperatorName]: (typeof filterOperators)[Name] extends ComparingOperator ? Name : never
}[OperatorName]

/** Operators that test the position of a point. */
export type PlaceOperatorName = '$near' | '$within'

/** The operator of this name; undefined for any other text. */
export function operatorNamed(name: string): OperatorName | undefined {
  return Object.hasOwn(filterOperators, name) ? (name as OperatorName) : undefined
}

/** Whether an operator has SQL of its own. */
export function isComparison(name: OperatorName): name is ComparisonName {
  return 'sql' in filterOperators[name]
}

/** Whether an operator tests the position of a point. */
export function isPlaceOperator(name: OperatorName): name is PlaceOperatorName {
  return filterOperators[name].question === 'place'
}

/** The operators that test any of these questions, in the order of the table. */
export function operatorsAsking(...questions: readonly Question[]): readonly OperatorName[] {
  const names = Object.keys(filterOperators) as OperatorName[]
  return names.filter((name) => questions.includes(filterOperators[name].question))
}

/** Operators on whole values: equality and order. */
export const valueOperators: readonly OperatorName[] = operatorsAsking('equality', 'order')

/** Operators on texts: those on whole values, and those on parts of a text. */
export const textOperators: readonly OperatorName[] = operatorsAsking('equality', 'order', 'text')
