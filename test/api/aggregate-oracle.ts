import { comparisons, type Filter, satisfies } from './content-oracle.ts'
import type { Seeds } from './content-seeds.ts'
import type { Entry } from './content-world.ts'

/** What is asked of samples. */
export interface Question {
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max'
  readonly field?: string
  readonly groupBy?: readonly string[]
  readonly filter?: Filter
}

type Value = number | string | boolean | null
type Keys = readonly Value[]

/** See docs/content-api.md: what an aggregate over samples is, in plain JavaScript. */
export function expectedAnswer(question: Question, seeds: Seeds): unknown {
  const { groupBy = [], filter = {} } = question
  const picked = seeds.samples.filter((sample) => satisfies(sample, filter, seeds))
  if (groupBy.length === 0) return { value: measure(question, picked) }
  return groupsOf(picked, groupBy)
    .map(({ keys, entries }) => ({
      keys,
      value: measure(question, entries),
      rank: rankOf(question, entries),
    }))
    .sort((left, right) => byRank(left, right, question))
    .map(({ keys, value }) => ({
      group: Object.fromEntries(groupBy.map((name, index) => [name, keys[index]])),
      value,
    }))
}

/** An entry is in a group for each combination of what its to-many fields hold. */
function groupsOf(entries: readonly Entry[], names: readonly string[]) {
  const groups = new Map<string, { keys: Keys; entries: Entry[] }>()
  for (const entry of entries) {
    for (const keys of combinations(names.map((name) => keysIn(entry[name])))) {
      const name = JSON.stringify(keys)
      const group = groups.get(name) ?? { keys, entries: [] }
      groups.set(name, group)
      group.entries.push(entry)
    }
  }
  return [...groups.values()]
}

function keysIn(value: unknown): Value[] {
  if (!Array.isArray(value)) return [value as Value]
  return value.length === 0 ? [null] : value
}

function combinations(lists: readonly Value[][]): Value[][] {
  return lists.reduce<Value[][]>(
    (found, list) => found.flatMap((keys) => list.map((key) => [...keys, key])),
    [[]],
  )
}

function measure({ function: name, field }: Question, entries: readonly Entry[]): Value {
  if (name === 'count') return field === undefined ? entries.length : entries.filter(isSet(field)).length
  const values = valuesOf(entries, field)
  if (values.length === 0) return null
  if (name === 'sum') return exact(sumOf(values), 1n)
  if (name === 'avg') return exact(sumOf(values), BigInt(values.length))
  const sorted = [...values].sort((left, right) => order(field ?? '', left, right))
  return sorted.at(name === 'min' ? 0 : -1) ?? null
}

function valuesOf(entries: readonly Entry[], field = ''): Value[] {
  return entries.filter(isSet(field)).map((entry) => entry[field] as Value)
}

function sumOf(values: readonly Value[]): bigint {
  return values.map((value) => units(String(value))).reduce((left, right) => left + right, 0n)
}

const isSet = (field: string) => (entry: Entry) => {
  const value = entry[field]
  return value !== null && !(Array.isArray(value) && value.length === 0)
}

function order(field: string, left: Value, right: Value): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  const compare = comparisons[field] ?? ((a: string, b: string) => Number(a) - Number(b))
  return compare(String(left), String(right))
}

/** By what groups are ordered: an average in more digits than are shown. */
function rankOf(question: Question, entries: readonly Entry[]): Value {
  if (question.function !== 'avg') return measure(question, entries)
  const values = valuesOf(entries, question.field)
  if (values.length === 0) return null
  return String((sumOf(values) * 10n ** 30n) / BigInt(values.length))
}

type Measured = { readonly keys: Keys; readonly rank: Value }

function byRank(left: Measured, right: Measured, { function: name, field, groupBy = [] }: Question): number {
  const isOwn = name === 'min' || name === 'max'
  const byValue = order(isOwn ? (field ?? '') : 'price', right.rank, left.rank)
  const differences = groupBy.map((key, index) =>
    order(key, left.keys[index] ?? null, right.keys[index] ?? null),
  )
  return [byValue, ...differences].find((difference) => difference !== 0) ?? 0
}

const places = 30

function units(text: string): bigint {
  const plain = text.includes('e') ? Number(text).toFixed(places) : text
  const [whole = '', fraction = ''] = plain.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** All digits where there are no more than 30 after the point, the nearest double otherwise. */
function exact(sum: bigint, count: bigint): Value {
  if (sum % count !== 0n) {
    const scaled = (sum * 10n ** 30n) / count
    return Number(`${scaled}e-60`)
  }
  const quotient = sum / count
  const digits = String(quotient < 0n ? -quotient : quotient).padStart(places + 1, '0')
  const after = digits.slice(-places).replace(/0+$/, '')
  const text = `${quotient < 0n ? '-' : ''}${digits.slice(0, -places)}${after === '' ? '' : `.${after}`}`
  const isSafe =
    digits.slice(0, -places).replace(/^0+|0+$/g, '').length <= 15 || Math.abs(Number(text)) < 2 ** 53
  return String(Number(text)) === text && isSafe ? Number(text) : text
}
