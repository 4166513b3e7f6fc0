import { momentOf } from '../../../../ground/i18n/local-time.ts'
import { zoneOf } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { MomentField } from '../../../../ground/kit/field/moment-field.tsx'
import classes from './publication.module.css'

export interface WhenInputProps {
  /** As `minuteText` writes it; undefined: now. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** The initial value when the user chooses a time. */
  readonly proposal: string
}

/** A choice between now and a given time, with its time zone. */
export function WhenInput({ value, onChange, proposal }: WhenInputProps) {
  const moment = value === undefined ? undefined : momentOf(value)
  const isPast = moment !== undefined && moment.getTime() <= Date.now()
  return (
    <fieldset className={classes.when}>
      <legend className={classes.legend}>{t('publication.when')}</legend>
      <label className={classes.choice}>
        <input type="radio" name="when" checked={value === undefined} onChange={() => onChange(undefined)} />
        {t('publication.now')}
      </label>
      <label className={classes.choice}>
        <input type="radio" name="when" checked={value !== undefined} onChange={() => onChange(proposal)} />
        {t('publication.atTime')}
      </label>
      {value !== undefined && (
        <MomentField
          label={t('publication.time')}
          value={value}
          onChange={onChange}
          help={zoneOf(moment ?? new Date())}
          problem={isPast ? t('publication.past') : undefined}
          isRequired
        />
      )}
    </fieldset>
  )
}
