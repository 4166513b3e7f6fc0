import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { unfinishedPath } from '../../entry/store/unfinished.ts'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { isNumber, type NumberValue } from '../../schema/numbers.ts'
import { useTyped } from '../../schema/use-typed.ts'
import { writtenNumbers } from '../../schema/written-numbers.ts'

/**
 * An input for `integer`, `bigint` and `decimal`, in the number format of the user's locale. Ambiguous text is kept beside the
 * value until the user makes it clear, and never sent.
 */
export function NumberInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<NumberValue>(path)
  const unfinished = useField<string>(unfinishedPath(path))
  const { parseDecimal, parseInteger, ambiguityOf, format } = writtenNumbers()
  const isDecimal = attribute.type === 'decimal'
  const typed = useTyped({ value, set, format, parse: isDecimal ? parseDecimal : parseInteger })
  const text = unfinished.value ?? typed.text
  const ambiguity = isDecimal ? ambiguityOf(unfinished.value ?? '') : undefined
  const isRefused = value !== null && value !== undefined && !isNumber(value)

  function change(next: string) {
    if (isDecimal && ambiguityOf(next) !== undefined) return unfinished.set(next)
    if ((unfinished.value ?? null) !== null) unfinished.set(null)
    typed.type(next)
  }

  return (
    <TextField
      {...frame}
      help={helpOf(frame.help, attribute)}
      problem={
        ambiguity === undefined
          ? (problem ?? (isRefused ? t('entry.notANumber') : undefined))
          : t('kit.ambiguousNumber', { ...ambiguity })
      }
      value={text}
      onChange={change}
      isDisabled={disabled}
      placeholder={placeholder ?? ''}
      inputMode={isDecimal ? 'decimal' : 'numeric'}
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
  const text = (limit: unknown) => writtenNumbers().format(String(limit))
  if (min !== undefined && max !== undefined) return t('entry.between', { min: text(min), max: text(max) })
  if (min !== undefined) return t('entry.atLeast', { min: text(min) })
  return max === undefined ? undefined : t('entry.atMost', { max: text(max) })
}
