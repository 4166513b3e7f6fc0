import { valueKindOf } from './value-kinds.ts'

/**
 * Converts typed or chosen text to the value of a field type. Numbers of 16 or more digits may lose precision as a double, so
 * they stay text, as does text that is not a whole number: the service reports what is wrong with it.
 */
export function typedValue(text: string, type: string): unknown {
  const { operand, isWhole } = valueKindOf(type)
  if (operand === 'flag') return text === 'true'
  return isWhole && /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text
}
