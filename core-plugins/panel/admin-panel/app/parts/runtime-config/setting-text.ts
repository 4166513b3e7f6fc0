import type { PanelSetting } from '../../../panel-api/panel-api.ts'
import { parseExactly } from '../../content/schema/json-numbers.ts'
import { writtenNumbers } from '../../content/schema/written-numbers.ts'
import { t } from '../../ground/i18n/translate.ts'

/** What an input holds while somebody types: text, or whether something is so. */
export type Typed = string | boolean

/** A value as its input shows it: lists a line each, and JSON written out. */
export function typedOf({ type }: PanelSetting, value: unknown): Typed {
  if (type === 'boolean') return value === true
  if (value === null || value === undefined) return ''
  if (type === 'string[]' && Array.isArray(value)) return value.join('\n')
  if (type === 'json') return JSON.stringify(value, null, 2)
  return type === 'number' ? writtenNumbers().format(value as number) : String(value)
}

/**
 * The value that somebody has typed; null takes the setting back to its default. A number that is none stays as it was
 * typed: the service says what is wrong with it. @throws SyntaxError if it is not JSON, has
 * numbers that would become others, or may be two numbers
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
  return type === 'integer' || type === 'number' ? enteredNumber(type, typed) : typed
}

function enteredNumber(type: 'integer' | 'number', typed: string): unknown {
  const { parseInteger, parseDecimal, ambiguityOf } = writtenNumbers()
  if (type === 'integer') return parseInteger(typed)
  const ambiguity = ambiguityOf(typed)
  if (ambiguity !== undefined) throw new SyntaxError(t('kit.ambiguousNumber', { ...ambiguity }))
  return parseDecimal(typed)
}
