import type { PanelSetting } from '../../panel-api/panel-api.ts'
import { parseExactly } from '../fields/json/json-numbers.ts'

/** What an input holds while somebody types: text, or whether something is so. */
export type Typed = string | boolean

/** A value as its input shows it: lists a line each, and JSON written out. */
export function typedOf({ type }: PanelSetting, value: unknown): Typed {
  if (type === 'boolean') return value === true
  if (value === null || value === undefined) return ''
  if (type === 'string[]' && Array.isArray(value)) return value.join('\n')
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * The value that somebody has typed; null takes the setting back to its default. A number that is none stays as it was
 * typed: the service says what is wrong with it. @throws SyntaxError if it is not JSON, or
 * has numbers that would become others
 */
export function enteredValue({ type, default: standard }: PanelSetting, typed: Typed): unknown {
  if (typeof typed === 'boolean') return typed
  if (type === 'string[]') {
    const lines = typed.split('\n').map((line) => line.trim())
    return lines.filter((line) => line !== '')
  }
  // An empty text is a value; where none is the default, empty means none.
  if (typed.trim() === '') return type === 'string' && standard !== null ? '' : null
  if (type === 'json') return parseExactly(typed)
  const isNumber = (type === 'integer' || type === 'number') && Number.isFinite(Number(typed))
  return isNumber ? Number(typed) : typed
}
