import { momentOf } from '../../../../ground/i18n/local-time.ts'
import { zoneOf } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { MomentField } from '../../../../ground/kit/field/moment-field.tsx'

export interface UntilInputProps {
  /** As `minuteText` writes it. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** When the entry becomes public; the end must be later. */
  readonly from: Date
}

/** An input for the time at which an entry is unpublished, with its time zone. */
export function UntilInput({ value, onChange, from }: UntilInputProps) {
  const moment = momentOf(value)
  const isTooEarly = moment !== undefined && !isAfter(moment, from)
  return (
    <MomentField
      label={t('publication.untilTime')}
      value={value}
      onChange={onChange}
      help={zoneOf(moment ?? from)}
      problem={isTooEarly ? t('publication.untilOrder') : undefined}
      isRequired
    />
  )
}

/** Whether an entry can be unpublished at that time: later than now and later than its publication. */
export const isAfter = (until: Date, from: Date): boolean =>
  until.getTime() > Math.max(from.getTime(), Date.now())
