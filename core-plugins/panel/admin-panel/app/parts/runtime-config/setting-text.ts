import type { PanelSetting } from '../../../panel-api/panel-api.ts'
import { parseExactly } from '../../content/schema/json-numbers.ts'
import { writtenNumbers } from '../../content/schema/written-numbers.ts'
import { t } from '../../ground/i18n/translate.ts'

/** The state of an input: text, or a boolean. */
export type Typed = string | boolean

/** The input state of a value: lists with one item per line, JSON as text. */
export function typedOf({ type }: PanelSetting, value: unknown): Typed {
  if (type === 'boolean') return value === true
  if (value === null || value === undefined) return ''
  if (type === 'string[]' && Array.isArray(value)) return value.join('\n')
  if (type === 'json') return JSON.stringify(value, null, 2)
  return type === 'number' ? writtenNumbers().format(value as number) : String(value)
}

/**
 * The typed value; null restores the default. Text that is not a number stays text: the service reports the problem.
 * @throws SyntaxError if it is not JSON, contains numbers that would lose precision, or is an ambiguous number
 */
export function enteredValue({ type, default: standard }: PanelSetting, typed: Typed): unknown {
  if (typeof typed === 'boolean') return typed
  if (type === 'string[]') {
    const lines = typed.split('\n').map((line) => line.trim())
    return lines.filter((line) => line !== '')
  }
  // Empty text is a value for strings, unless the default is null.
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
