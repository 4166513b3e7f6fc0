import { useField } from '../../entry/use-field.ts'
import { zoneOf } from '../../i18n/moment-text.ts'
import { t } from '../../i18n/translate.ts'
import { TextField } from '../../kit/field/text-field.tsx'
import type { FieldInputProps } from '../registry.ts'
import { localOf, momentOf } from './moments.ts'
import { useTyped } from './use-typed.ts'

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

/** A moment, written in the time zone of whoever looks, which is told. */
export function DatetimeInput({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const { text, type } = useTyped({ value, set, format: localOf, parse: momentOf })
  const zone = t('entry.timeZone', { zone: zoneOf(momentIn(value) ?? new Date()) })
  return (
    <TextField
      {...frame}
      help={frame.help === undefined ? zone : `${frame.help} · ${zone}`}
      problem={problem}
      type="datetime-local"
      value={text}
      onChange={type}
      isDisabled={disabled}
    />
  )
}

/** Undefined where there is none, or what an application has stored is something else. */
function momentIn(value: string | null | undefined): Date | undefined {
  const moment = new Date(value ?? Number.NaN)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
