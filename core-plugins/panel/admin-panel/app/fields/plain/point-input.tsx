import { useField } from '../../entry/use-field.ts'
import { t } from '../../i18n/translate.ts'
import { TextField } from '../../kit/field/text-field.tsx'
import { FieldGroup } from '../field-group.tsx'
import type { FieldInputProps } from '../registry.ts'
import type { NumberValue } from './numbers.ts'
import classes from './plain.module.css'
import { type PointValue, withDegrees } from './points.ts'
import { useTyped } from './use-typed.ts'
import { writtenNumbers } from './written-numbers.ts'

/** A place: its latitude and its longitude. */
export function PointInput({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<PointValue>(path)
  const change = (name: keyof PointValue) => (degrees: NumberValue | null) =>
    set(withDegrees(value, name, degrees))
  return (
    <FieldGroup {...frame} problem={problem}>
      {() => (
        <div className={classes.pair}>
          <Degrees label={t('entry.latitude')} value={value?.lat} set={change('lat')} disabled={disabled} />
          <Degrees label={t('entry.longitude')} value={value?.lng} set={change('lng')} disabled={disabled} />
        </div>
      )}
    </FieldGroup>
  )
}

interface DegreesProps {
  readonly label: string
  readonly value: NumberValue | null | undefined
  readonly set: (degrees: NumberValue | null) => void
  readonly disabled: boolean
}

function Degrees({ label, value, set, disabled }: DegreesProps) {
  // Degrees have at most three digits before the sign: `47.376` is never 47376.
  const { format, parseDecimal: parse } = writtenNumbers()
  const { text, type } = useTyped({ value, set, format, parse })
  return (
    <TextField
      label={label}
      value={text}
      onChange={type}
      isDisabled={disabled}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}
