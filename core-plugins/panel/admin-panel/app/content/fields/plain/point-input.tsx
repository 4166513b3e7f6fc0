import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import type { NumberValue } from '../../schema/numbers.ts'
import { type PointValue, withDegrees } from '../../schema/points.ts'
import { useTyped } from '../../schema/use-typed.ts'
import { writtenNumbers } from '../../schema/written-numbers.ts'
import classes from './plain.module.css'

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
  // Degrees have at most three digits before the decimal point, so `47.376` never means 47376.
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
