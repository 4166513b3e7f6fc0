/** The operators that the builder offers, by the names of the API without their `$`. */
export const operators = [
  'eq',
  'ne',
  'in',
  'notIn',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'containsi',
  'notContainsi',
  'startsWithi',
  'endsWithi',
  'null',
  'notNull',
] as const

export type Operator = (typeof operators)[number]

/** One condition of a list. */
export interface Filter {
  /** A field, or one of a related entry: `title`, `author.name`. */
  readonly path: string
  readonly operator: Operator
  /** As typed: none for `null` and `notNull`, two for `between`, any number for `in` and `notIn`. */
  readonly values: readonly string[]
}

const isOperator = (name: string): name is Operator => (operators as readonly string[]).includes(name)

/** Whether it takes no value. */
export const isPresence = (operator: Operator) => operator === 'null' || operator === 'notNull'

/** Whether it takes several values. */
export const takesMany = (operator: Operator) => operator === 'in' || operator === 'notIn'

/** Whether the filter has all its values; incomplete filters are ignored. */
export function isComplete({ operator, values }: Filter): boolean {
  if (isPresence(operator)) return true
  const given = values.filter((value) => value !== '')
  return given.length === (operator === 'between' ? 2 : values.length) && given.length > 0
}

/** `author.name:containsi:Ada`, for an address. Values are escaped, so that commas in them do not divide. */
export function filterToText({ path, operator, values }: Filter): string {
  const start = `${path}:${operator}`
  return values.length === 0 ? start : `${start}:${values.map(encodeURIComponent).join(',')}`
}

/** Reads what `filterToText` writes; undefined for anything else. */
export function filterFromText(text: string): Filter | undefined {
  const [path = '', operator = '', ...rest] = text.split(':')
  if (path === '' || !isOperator(operator)) return undefined
  const values = rest.length === 0 ? [] : valuesFromText(rest.join(':'))
  return values === undefined ? undefined : { path, operator, values }
}

function valuesFromText(text: string): readonly string[] | undefined {
  try {
    return text.split(',').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

type Condition = { readonly [name: string]: Condition | string | readonly string[] }

/** As the API takes it: `{ author: { name: { $containsi: 'Ada' } } }`. */
export function toCondition({ path, operator, values }: Filter): Condition {
  const operand = isPresence(operator)
    ? 'true'
    : takesMany(operator) || operator === 'between'
      ? values
      : values[0]
  const comparison: Condition = { [`$${operator}`]: operand ?? '' }
  return path.split('.').reduceRight<Condition>((inner, name) => ({ [name]: inner }), comparison)
}
