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
  text: byCodePoint,
}

/** Whether a sample satisfies a filter: docs/content-api.md, in plain JavaScript. */
export function satisfies(entry: Entry, filter: Filter, seeds: Seeds): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$and') return groups(value).every((group) => satisfies(entry, group, seeds))
    if (key === '$or') return groups(value).some((group) => satisfies(entry, group, seeds))
    if (key === '$not') return !satisfies(entry, value as Filter, seeds)
    if (key === 'facts') return holdsInJson(entry.facts, value as Filter)
    if (key === 'place') return isAt(entry.place as Place | null, value as Filter)
    if (Object.hasOwn(partNames, key))
      return holdsInParts(entry[key], partNames[key] === 'zone', value as Filter, seeds)
    const targets = related(entry, key, seeds)
    return targets === undefined ? holds(entry[key], key, value) : leadsTo(targets, value, seeds)
  })
}

export interface Place {
  readonly lat: number
  readonly lng: number
}

/** Whether a place is where a filter says. */
export function isAt(place: Place | null, filter: Filter): boolean {
  return Object.entries(filter).every(([operator, operand]) => {
    if (operator === '$not') return !isAt(place, operand as Filter)
    if (operator === '$null') return (place === null) === (operand === 'true')
    if (operator === '$notNull') return (place !== null) === (operand === 'true')
    const numbers = String(operand).split(',').map(Number)
    if (place === null) return false
    if (operator === '$near') return metresBetween(place, numbers) <= (numbers[2] as number)
    return numbers.length === 4 ? isInBox(place, numbers) : isInPolygon(place, numbers)
  })
}

/** By the angle between vectors from the centre of the Earth. */
export function metresBetween(place: Place, [lat = 0, lng = 0]: readonly number[]): number {
  const [a, b] = [vectorTo(place.lat, place.lng), vectorTo(lat, lng)]
  const dot = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  const cross = [0, 1, 2].map((at) => {
    const [next, last] = [(at + 1) % 3, (at + 2) % 3]
    return (a[next] ?? 0) * (b[last] ?? 0) - (a[last] ?? 0) * (b[next] ?? 0)
  })
  return 6_371_008.8 * Math.atan2(Math.hypot(...cross), dot)
}

function vectorTo(lat: number, lng: number): number[] {
  const [north, east] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

/** Degrees to the east of a longitude, less than a turn. */
const eastOf = (from: number, lng: number) => (((lng - from) % 360) + 360) % 360

function isInBox(
  { lat, lng }: Place,
  [south = 0, west = 0, north = 0, east = 0]: readonly number[],
): boolean {
  const width = east - west === 360 ? 360 : eastOf(west, east)
  return lat >= south && lat <= north && eastOf(west, lng) <= width
}

/** By the turns that the border makes around the place. */
function isInPolygon({ lat, lng }: Place, numbers: readonly number[]): boolean {
  const corners = Array.from({ length: numbers.length / 2 }, (_, at) => {
    const east = eastOf(lng, numbers[2 * at + 1] ?? 0)
    return { north: (numbers[2 * at] ?? 0) - lat, east: east > 180 ? east - 360 : east }
  })
  const turns = corners.map((from, at) => {
    const to = corners[(at + 1) % corners.length] ?? from
    const angle = Math.atan2(to.north, to.east) - Math.atan2(from.north, from.east)
    return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle
  })
  return Math.abs(turns.reduce((sum, angle) => sum + angle, 0)) > Math.PI
}

/** Fields with components: one, several, or those of a zone. */
const partNames: Readonly<Record<string, 'one' | 'many' | 'zone'>> = {
  card: 'one',
  inner: 'one',
  cards: 'many',
  notes: 'many',
  zone: 'zone',
}

/** Conditions must hold together for one item; those of a zone for one of each component that they name. */
function holdsInParts(value: unknown, isZone: boolean, filter: Filter, seeds: Seeds): boolean {
  const items = (value === null || value === undefined ? [] : [value].flat()) as (Entry & {
    __component?: string
  })[]
  const own = new Set(['$null', '$notNull', '$not'])
  const aboutItems = Object.entries(filter).filter(([key]) => !own.has(key))
  const isFound = (found: readonly Entry[], about: Filter) =>
    found.some((item) => satisfies(item, about, seeds))
  const itemsHold = isZone
    ? aboutItems.every(([uid, about]) =>
        isFound(
          items.filter(({ __component }) => __component === uid),
          about as Filter,
        ),
      )
    : aboutItems.length === 0 || isFound(items, Object.fromEntries(aboutItems))
  return (
    itemsHold &&
    Object.entries(filter).every(([key, operand]) => {
      if (key === '$not') return !holdsInParts(value, isZone, operand as Filter, seeds)
      if (key === '$null') return (items.length === 0) === (operand === 'true')
      return key !== '$notNull' || items.length > 0 === (operand === 'true')
    })
  )
}

type JsonScalar = string | number | boolean

/** An operand in a JSON document is what JSON reads it as, or else a text. */
function jsonOperand(text: string): JsonScalar {
  try {
    const value: unknown = JSON.parse(text)
    if (['string', 'number', 'boolean'].includes(typeof value)) return value as JsonScalar
  } catch {}
  return text
}

function holdsInJson(value: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([key, operand]) => {
    if (key === '$not') return !holdsInJson(value, operand as Filter)
    if (key === '$and') return groups(operand).every((group) => holdsInJson(value, group))
    if (key === '$or') return groups(operand).some((group) => holdsInJson(value, group))
    if (key === '$null') return (value === null || value === undefined) === (operand === 'true')
    if (key === '$notNull') return (value !== null && value !== undefined) === (operand === 'true')
    const opposite = Object.hasOwn(negative, key) ? negative[key] : undefined
    if (opposite !== undefined) return !holdsInJson(value, { [opposite]: operand } as Filter)
    if (key.startsWith('$')) return comparesInJson(value, key, operand)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const member = isObject && Object.hasOwn(value, key) ? (value as Entry)[key] : undefined
    return holdsInJson(member, (typeof operand === 'string' ? { $eq: operand } : operand) as Filter)
  })
}

/** Values of different types are neither equal nor in any order. */
function comparesInJson(value: unknown, operator: string, operand: Filter[string]): boolean {
  const operands = [operand].flat() as string[]
  if (operator === '$in') return operands.some((item) => comparesInJson(value, '$eq', item))
  const isText = !['$eq', '$lt', '$lte', '$gt', '$gte', '$between'].includes(operator)
  const [first, second] = operands.map((item) => (isText ? item : jsonOperand(item)))
  if (typeof value !== typeof first) return false
  if (typeof value === 'string') {
    return compares(
      value,
      operator,
      [first, second].filter((each) => each !== undefined) as string[],
      byCodePoint,
    )
  }
  const [number, lower, upper] = [value, first, second].map(Number) as [number, number, number]
  switch (operator) {
    case '$eq':
      return number === lower
    case '$lt':
      return number < lower
    case '$lte':
      return number <= lower
    case '$gt':
      return number > lower
    case '$gte':
      return number >= lower
    default:
      return number >= lower && number <= upper
  }
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
    case 'person':
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
  const text = typeof operand === 'string' ? operand : String(operands[0])
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
