import { AppError } from '../answers/app-error.ts'

/*
 * Hand-written: libraries guess at malformed or contradictory input (`a=1&a[b]=2`), which suits forms but not
 * filters. Here it is refused with the name of the parameter, as is anything beyond the limits.
 */

/** A query as it was sent: nothing is converted, and no object has a prototype. */
export interface QueryValues {
  [name: string]: QueryValue
}

/** A value of a query string: a text, or a list or an object of them (`filters[title][$eq]=…`). */
export type QueryValue = string | QueryValue[] | QueryValues

const maxLength = 16_384
const maxPairs = 1_000
const maxDepth = 12

/** A larger number becomes a key of an object, so that no index creates a huge array. */
const arrayIndex = /^(0|[1-9]\d{0,2})$/

const wellFormedName = /^[^[\]]+(?:\[[^[\]]*\])*$/

/** Anything else must be percent-encoded (RFC 3986); servers disagree on how to read it unencoded. */
const sendable = /^[\x21-\x7e]*$/

/**
 * Parses `filters[a][$eq]=x`, `a[]=1`, `a[0]=1` and repeated names (`a=1&a=2` is an array).
 * @throws AppError 400 for a query that is malformed, too long, too large or nested too deep
 */
export function parseQueryString(text: string): QueryValues {
  if (text.length > maxLength) throw refusal('', `is longer than ${maxLength} characters`)
  if (!sendable.test(text)) throw refusal('', 'contains characters that must be percent-encoded')
  const pairs = text.split('&')
  if (pairs.length > maxPairs) throw refusal('', `has more than ${maxPairs} parameters`)
  const root: Branch = new Map()
  for (const pair of pairs) if (pair !== '') addPair(root, pair)
  return objectOf(root)
}

/** Whether the keys form an array or an object is only known once all of them have been read. */
type Branch = Map<string, Branch | Leaf>

/** The values of one name, in the order sent. */
type Leaf = string[]

function addPair(root: Branch, pair: string) {
  const equals = pair.indexOf('=')
  const name = decode(equals === -1 ? pair : pair.slice(0, equals))
  const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
  const keys = splitName(name)
  const last = keys.pop() ?? ''
  const branch = keys.reduce((parent, key) => branchAt(parent, key, name), root)
  leafAt(branch, last, name).push(value)
}

function decode(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refusal('', `has a percent-encoding that is not UTF-8 in "${text.slice(0, 100)}"`)
  }
  if (decoded.includes('\0')) throw refusal('', 'contains a NUL character')
  return decoded
}

function splitName(name: string): string[] {
  if (!wellFormedName.test(name)) throw refusal(name, 'is not a name such as a, a[b] or a[]')
  const keys = name.split('[').map((key, depth) => (depth === 0 ? key : key.slice(0, -1)))
  if (keys.length > maxDepth) throw refusal(name, `is nested more than ${maxDepth} levels deep`)
  if (keys.includes('__proto__')) throw refusal(name, 'is not allowed')
  return keys
}

function branchAt(parent: Branch, key: string, name: string): Branch {
  const present = parent.get(keyIn(parent, key))
  if (present instanceof Map) return present
  if (present !== undefined) throw refusal(name, 'has both a value and keys below it')
  const branch: Branch = new Map()
  parent.set(keyIn(parent, key), branch)
  return branch
}

function leafAt(parent: Branch, key: string, name: string): Leaf {
  const present = parent.get(keyIn(parent, key))
  if (Array.isArray(present)) return present
  if (present !== undefined) throw refusal(name, 'has both a value and keys below it')
  const leaf: Leaf = []
  parent.set(keyIn(parent, key), leaf)
  return leaf
}

/** Empty brackets mean the next element. */
function keyIn(parent: Branch, key: string): string {
  return key === '' ? String(parent.size) : key
}

function valueAt(node: Branch | Leaf): QueryValue {
  if (Array.isArray(node)) return node.length === 1 ? (node[0] as string) : node
  return [...node.keys()].every((key) => arrayIndex.test(key)) ? arrayOf(node) : objectOf(node)
}

function arrayOf(branch: Branch): QueryValue[] {
  const entries = [...branch].sort(([left], [right]) => Number(left) - Number(right))
  return entries.map(([, node]) => valueAt(node))
}

function objectOf(branch: Branch): QueryValues {
  const values: QueryValues = Object.create(null)
  for (const [key, node] of branch) values[key] = valueAt(node)
  return values
}

function refusal(name: string, message: string): AppError {
  const path = name.slice(0, 200)
  return new AppError('VALIDATION_ERROR', `the query ${path === '' ? '' : `parameter ${path} `}${message}`, {
    details: [{ path, code: 'query', message }],
  })
}
