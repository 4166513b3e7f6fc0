import {
  type Attribute,
  type Attributes,
  componentOf,
  componentsOf,
  isHolder,
  isLink,
  type Kind,
  type ScalarKind,
  type Version,
} from './version.ts'

export type Item = Record<string, unknown>

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + (number % 3000))).toISOString()

/** A value that nobody has written before, as far as its type has so many. */
export function scalarValue(kind: ScalarKind, number: number): unknown {
  switch (kind) {
    case 'string':
    case 'text':
      return number % 3 === 0 ? `t${number}` : String(number)
    case 'integer':
      return number
    case 'decimal':
      return number % 2 === 0 ? number : number + 0.5
    case 'boolean':
      return number % 2 === 0
    case 'date':
      return day(number).slice(0, 10)
    case 'datetime':
      return day(number).replace('T00', 'T08')
    case 'json':
      return number % 2 === 0 ? { n: number } : `t${number}`
  }
}

/** A value for an attribute; `next` gives numbers that were not used before. */
export function valueFor(
  version: Version,
  { kind }: Attribute,
  authors: readonly number[],
  next: () => number,
): unknown {
  if (kind === 'toOne') return authors[next() % authors.length]
  if (kind === 'toMany') return authors.slice(next() % 2)
  if (!isHolder(kind)) return scalarValue(kind, next())
  const item = (uid: string): Item =>
    Object.fromEntries(
      Object.entries(componentOf(version, uid)).map(([name, each]) => [
        name,
        valueFor(version, each, authors, next),
      ]),
    )
  if (kind === 'card') return item('shared.card')
  if (kind === 'cards') return [item('shared.card'), item('shared.card')]
  return [...componentsOf(kind), 'shared.card'].map((uid) => ({ __component: uid, ...item(uid) }))
}

/** What is the same value in each type that it fits. */
export function tokenOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (text === 'true') return '1'
  if (text === 'false') return '0'
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text
}

const patterns: Partial<Record<Kind, RegExp>> = {
  integer: /^-?\d+$/,
  decimal: /^-?\d+(\.\d+)?$/,
  boolean: /^[01]$/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\d$/,
}

/** Whether a value has a form in a type. */
export const fitsKind = (kind: Kind, token: string) => patterns[kind]?.test(token) ?? true

/** Whether values keep all they are in another type, so that nobody has to decide about them. */
export const isLossless = (from: Kind, to: Kind) =>
  from === to ||
  ((to === 'string' || to === 'text') && from !== 'json') ||
  (from === 'integer' && to === 'decimal') ||
  (from === 'date' && to === 'datetime')

export const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as Item]

export const idsOf = (value: unknown): number[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as number]

/** Every value in an entry with the attribute that it stands under. */
export function* tokensIn(
  version: Version,
  attributes: Attributes,
  data: Item,
  path = '',
): Generator<[string, string]> {
  for (const [name, { kind, lineage }] of Object.entries(attributes)) {
    const place = path + lineage
    if (isHolder(kind)) {
      for (const item of itemsOf(data[name])) {
        yield* tokensIn(version, componentOf(version, item.__component), item, `${place}/`)
      }
    } else if (isLink(kind)) {
      for (const id of idsOf(data[name])) yield [place, String(id)]
    } else {
      const token = tokenOf(data[name])
      if (token !== undefined) yield [place, token]
    }
  }
}

/** What is wrong with the form of the values of an object; `shown` are further names that it has. */
export function misshapen(
  version: Version,
  attributes: Attributes,
  data: Item,
  further: readonly string[] = [],
): string | undefined {
  const expected = [...Object.keys(attributes), ...further].sort().join()
  const names = Object.keys(data).sort().join()
  if (names !== expected) return `has ${names} instead of ${expected}`
  for (const [name, { kind }] of Object.entries(attributes)) {
    const problem = misshapenValue(version, kind, data[name])
    if (problem !== undefined) return `${name}: ${problem}`
  }
  return undefined
}

function misshapenValue(version: Version, kind: Kind, value: unknown): string | undefined {
  const isList = kind === 'toMany' || kind === 'cards' || kind === 'zone' || kind === 'cardZone'
  if (isList !== Array.isArray(value) && kind !== 'json') return `${JSON.stringify(value)} is no ${kind}`
  if (isHolder(kind)) {
    for (const item of itemsOf(value)) {
      const problem = misshapenItem(version, kind, item)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  if (isLink(kind))
    return idsOf(value).every(Number.isInteger) ? undefined : `${JSON.stringify(value)} are no ids`
  return value === null || isOfKind(kind, value) ? undefined : `${JSON.stringify(value)} is no ${kind}`
}

function misshapenItem(version: Version, kind: Kind, item: Item): string | undefined {
  if (typeof item !== 'object' || item === null) return `${JSON.stringify(item)} is no component`
  const isBlock = kind === 'zone' || kind === 'cardZone'
  const uid = isBlock ? item.__component : 'shared.card'
  if (!componentsOf(kind).includes(String(uid))) return `has a block of ${uid}`
  return misshapen(version, componentOf(version, uid), item, isBlock ? ['__component'] : [])
}

function isOfKind(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'string':
    case 'text':
      return typeof value === 'string'
    case 'integer':
    case 'decimal':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
    default:
      return true
  }
}
