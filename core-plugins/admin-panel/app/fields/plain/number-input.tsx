import { useField } from '../../entry/use-field.ts'
import { t } from '../../i18n/translate.ts'
import { TextField } from '../../kit/field/text-field.tsx'
import type { FieldInputProps } from '../registry.ts'
import { formatNumber, isNumber, type NumberValue, parseDecimal, parseInteger } from './numbers.ts'
import { useTyped } from './use-typed.ts'

/** A number: `integer`, `bigint` and `decimal`. */
export function NumberInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<NumberValue>(path)
  const parse = attribute.type === 'decimal' ? parseDecimal : parseInteger
  const { text, type } = useTyped({ value, set, format: formatNumber, parse })
  const isRefused = value !== null && value !== undefined && !isNumber(value)
  return (
    <TextField
      {...frame}
      help={helpOf(frame.help, attribute)}
      problem={problem ?? (isRefused ? t('entry.notANumber') : undefined)}
      value={text}
      onChange={type}
      isDisabled={disabled}
      placeholder={placeholder ?? ''}
      inputMode={attribute.type === 'decimal' ? 'decimal' : 'numeric'}
      autoComplete="off"
    />
  )
}

type Limits = Readonly<Record<string, unknown>>

function helpOf(help: FieldInputProps['frame']['help'], { min, max }: Limits) {
  const limits = limitsOf(min, max)
  return [help, limits].filter((part) => part !== undefined).join(' · ') || undefined
}

function limitsOf(min: unknown, max: unknown): string | undefined {
  if (min !== undefined && max !== undefined)
    return t('entry.between', { min: String(min), max: String(max) })
  if (min !== undefined) return t('entry.atLeast', { min: String(min) })
  return max === undefined ? undefined : t('entry.atMost', { max: String(max) })
}
