import { localTextOf, momentOf } from '../../../ground/i18n/local-time.ts'
import { zoneOf } from '../../../ground/i18n/moment-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { MomentField } from '../../../ground/kit/field/moment-field.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { useTyped } from '../../schema/use-typed.ts'

/** A day, in the browser's own picker. */
export function DateInput({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  return (
    <TextField
      {...frame}
      problem={problem}
      type="date"
      value={value ?? ''}
      onChange={(text) => set(text === '' ? null : text)}
      isDisabled={disabled}
    />
  )
}

/** A date and time in the user's time zone, which is shown. */
export function DatetimeInput({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const { text, type } = useTyped({ value, set, format: localTextOf, parse: storedOf })
  const zone = t('entry.timeZone', { zone: zoneOf(momentOf(value ?? '') ?? new Date()) })
  return (
    <MomentField
      {...frame}
      help={frame.help === undefined ? zone : `${frame.help} · ${zone}`}
      problem={problem}
      value={text}
      onChange={type}
      isDisabled={disabled}
    />
  )
}

const storedOf = (text: string): string | null => momentOf(text)?.toISOString() ?? null
