import type { Seeds } from './content-seeds.ts'
import type { Entry } from './content-world.ts'

/** A filter as it stands in the query, `filters` itself left out. */
export type Filter = { readonly [key: string]: string | readonly string[] | Filter | readonly Filter[] }

/** `filters[title][$eq]=x&…` */
export function filterQuery(filter: Filter): string {
  return pairs('filters', filter)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function pairs(name: string, value: Filter[string]): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  return Object.entries(value).flatMap(([key, member]) => pairs(`${name}[${key}]`, member))
}

/** The order of values of one kind: negative where the first one is smaller. */
export type Compare = (left: string, right: string) => number

const byCodePoint: Compare = (left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))
const byText: Compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0)
const byNumber: Compare = (left, right) => {
  const difference = scaled(left) - scaled(right)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(30, '0'))
  return text.startsWith('-') ? -size : size
}

/** How the fields of a sample or person compare, by name. */
export const comparisons: Readonly<Record<string, Compare>> = {
  id: byNumber,
  title: byCodePoint,
  name: byCodePoint,
  body: byCodePoint,
  mail: byCodePoint,
  kind: byCodePoint,
  count: byNumber,
  age: byNumber,
  big: byNumber,
  price: byNumber,
  isOn: byText,
  day: byText,
  seenAt: byText,
}

/** Whether a sample satisfies a filter: docs/content-api.md, in plain JavaScript. */
export function satisfies(entry: Entry, filter: Filter, seeds: Seeds): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$and') return groups(value).every((group) => satisfies(entry, group, seeds))
    if (key === '$or') return groups(value).some((group) => satisfies(entry, group, seeds))
    if (key === '$not') return !satisfies(entry, value as Filter, seeds)
    const targets = related(entry, key, seeds)
    return targets === undefined ? holds(entry[key], key, value) : leadsTo(targets, value, seeds)
  })
}

function groups(value: Filter[string]): Filter[] {
  return Object.values(value as readonly Filter[])
}

/** What a relation leads to; undefined for fields that are no relation. */
function related(entry: Entry, name: string, { people, tags, samples }: Seeds): Entry[] | undefined {
  const among = (list: readonly Entry[], ids: unknown) =>
    list.filter(({ id }) => (Array.isArray(ids) ? ids.includes(id) : ids === id))
  switch (name) {
    case 'owner':
    case 'boss':
    case 'friends':
      return among(people, entry[name])
    case 'tags':
      return among(tags, entry[name])
    case 'twin':
      return among(samples, entry[name])
    case 'twinOf':
      return samples.filter(({ twin }) => twin === entry.id)
    case 'staff':
      return people.filter(({ boss }) => boss === entry.id)
    default:
      return undefined
  }
}

const negative: Readonly<Record<string, string>> = {
  $ne: '$eq',
  $notIn: '$in',
  $nei: '$eqi',
  $notContains: '$contains',
  $notContainsi: '$containsi',
}

/** Conditions on the related entry must hold together for one of them; negative ones for none. */
function leadsTo(targets: readonly Entry[], value: Filter[string], seeds: Seeds): boolean {
  if (typeof value === 'string' || Array.isArray(value))
    return targets.some(({ id }) => holds(id, 'id', value))
  const about = Object.entries(value as Filter)
  const positive = about.filter(([key]) => !(key in negative) && !['$null', '$notNull', '$not'].includes(key))
  const rest = about.filter((member) => !positive.includes(member))
  const isFound = (target: Entry) =>
    positive.every(([key, operand]) =>
      key.startsWith('$') && !['$and', '$or'].includes(key)
        ? holds(target.id, 'id', { [key]: operand } as Filter)
        : satisfies(target, { [key]: operand } as Filter, seeds),
    )
  return (
    (positive.length === 0 || targets.some(isFound)) &&
    rest.every(([key, operand]) => {
      if (key === '$null') return (targets.length === 0) === (operand === 'true')
      if (key === '$notNull') return targets.length > 0 === (operand === 'true')
      if (key === '$not') return !leadsTo(targets, operand, seeds)
      return !targets.some(({ id }) => holds(id, 'id', { [negative[key] as string]: operand } as Filter))
    })
  )
}

/** Whether a value satisfies all operators. */
function holds(value: unknown, name: string, operators: Filter[string]): boolean {
  if (typeof operators === 'string') return holds(value, name, { $eq: operators })
  if (Array.isArray(operators)) return holds(value, name, { $in: operators })
  return Object.entries(operators as Filter).every(([operator, operand]) => {
    if (operator === '$not') return !holds(value, name, operand)
    if (operator === '$null') return (value === null) === (operand === 'true')
    if (operator === '$notNull') return (value !== null) === (operand === 'true')
    if (operator in negative)
      return !holds(value, name, { [negative[operator] as string]: operand } as Filter)
    return value !== null && compares(String(value), operator, operand, comparisons[name] ?? byCodePoint)
  })
}

/** Small letters, accents kept; the sigma at the end of a word is like any other. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

function compares(value: string, operator: string, operand: Filter[string], compare: Compare): boolean {
  const operands = (typeof operand === 'string' ? operand.split(',') : Object.values(operand)) as string[]
  const text = String(operand)
  const folded = foldCase(value)
  const foldedText = foldCase(text)
  switch (operator) {
    case '$eq':
      return compare(value, text) === 0
    case '$lt':
      return compare(value, text) < 0
    case '$lte':
      return compare(value, text) <= 0
    case '$gt':
      return compare(value, text) > 0
    case '$gte':
      return compare(value, text) >= 0
    case '$in':
      return operands.some((item) => compare(value, item) === 0)
    case '$between':
      return compare(value, operands[0] as string) >= 0 && compare(value, operands[1] as string) <= 0
    case '$contains':
      return value.includes(text)
    case '$startsWith':
      return value.startsWith(text)
    case '$endsWith':
      return value.endsWith(text)
    case '$eqi':
      return folded === foldedText
    case '$containsi':
      return folded.includes(foldedText)
    case '$startsWithi':
      return folded.startsWith(foldedText)
    case '$endsWithi':
      return folded.endsWith(foldedText)
    default:
      throw new Error(`the oracle knows no ${operator}`)
  }
}
