import { parse } from 'secure-json-parse'
import { isStorable, storableRule } from '../../../foundation/schemas/schemas.ts'
import type { ParameterReader } from './parameters.ts'

/** The maximum depth of brackets in a query. */
const maxDepth = 12

/** The text that JavaScript turns objects into by accident, alone or in a list. */
const turnedIntoText = /(?:^|,)\[object Object\](?:,|$)/

const remedy =
  'send it as JSON text ({"title":{"$eq":"x"}}) or in brackets ([title][$eq]=x); as JSON text, this text itself can be asked for, too'

/**
 * Reads a parameter that takes an object: in brackets (`filters[title][$eq]=x`), or as JSON text for clients that cannot send
 * nested brackets. Undefined if it is missing or wrong.
 */
export function objectParameter({ raw, problems }: ParameterReader, path: string): unknown {
  const value = raw[path]
  const isJson = typeof value === 'string' && /^\s*[{[](?!object Object\])/.test(value)
  if (isJson) {
    const found = jsonIn(value)
    if ('value' in found) return found.value
    problems.push({ path, code: 'type', message: found.problem })
    return undefined
  }
  const lost = placeOfLostObject(value, path)
  if (lost === undefined) return value
  const message = `is "[object Object]": the client has turned an object into text; ${remedy}`
  problems.push({ path: lost, code: 'type', message })
  return undefined
}

/** The path of such an accident. It is refused, because comparing it as text would silently find nothing. */
function placeOfLostObject(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return turnedIntoText.test(value) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = placeOfLostObject(inner, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

type Json = { readonly value: unknown } | { readonly problem: string }

function jsonIn(text: string): Json {
  let value: unknown
  try {
    value = parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    return { problem: `is not valid JSON: ${(error as Error).message}` }
  }
  const problem = inexactNumber(text) ?? problemIn(value, 0)
  return problem === undefined ? { value } : { problem }
}

/** Finds a number that JavaScript cannot represent exactly, so that it would be compared as another number. */
function inexactNumber(text: string): string | undefined {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/\d[\d.]*/g) ?? []
  const isExact = (digits: string) => digits.length <= 15 || String(Number(digits)) === digits
  const inexact = numbers.find((digits) => !isExact(digits))
  return inexact === undefined
    ? undefined
    : `has a number with more digits than JSON numbers keep everywhere; write it as text: "${inexact.slice(0, 50)}"`
}

function problemIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : storableRule
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxDepth) return `must not be nested more than ${maxDepth} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    const problem = problemIn(key, depth) ?? problemIn(inner, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
