import { valueKindOf } from './value-kinds.ts'

/**
 * The value of a field of this type for which somebody has typed or chosen a text. A number of 16 digits may lose some as a
 * double, so it stays the text that was typed, as does what is not a whole number: the service says what is wrong with it.
 */
export function typedValue(text: string, type: string): unknown {
  const { operand, isWhole } = valueKindOf(type)
  if (operand === 'flag') return text === 'true'
  return isWhole && /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text
}
