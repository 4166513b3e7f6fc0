import { minuteText, momentOf } from '../../ground/i18n/local-time.ts'
import { zoneOf } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { MomentField } from '../../ground/kit/field/moment-field.tsx'

export interface MomentInputProps {
  readonly label: string
  /** As `minuteText` writes it. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** An input for a future time, with its time zone. */
export function MomentInput({ label, value, onChange }: MomentInputProps) {
  const moment = momentOf(value)
  return (
    <MomentField
      label={label}
      value={value}
      onChange={onChange}
      help={zoneOf(moment ?? new Date())}
      problem={moment !== undefined && !isToCome(value) ? t('releases.past') : undefined}
      isRequired
    />
  )
}

export function isToCome(value: string): boolean {
  const moment = momentOf(value)
  return moment !== undefined && moment.getTime() > Date.now()
}

const dayMs = 24 * 60 * 60_000

export const tomorrow = (): string => minuteText(new Date(Date.now() + dayMs))

export interface OptionalMomentProps extends Omit<MomentInputProps, 'value' | 'onChange'> {
  /** The label of the choice of a time. */
  readonly choice: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** An input for an optional future time. */
export function OptionalMoment({ choice, label, value, onChange }: OptionalMomentProps) {
  return (
    <>
      <Checkbox
        isSelected={value !== undefined}
        onChange={(isSelected) => onChange(isSelected ? tomorrow() : undefined)}
      >
        {choice}
      </Checkbox>
      {value !== undefined && <MomentInput label={label} value={value} onChange={onChange} />}
    </>
  )
}
