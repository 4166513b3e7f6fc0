import { Suspense } from 'react'
import { inputOf, isNearClockChange, momentOf, withInput } from '../../i18n/local-time.ts'
import { lazyPart } from '../../lazy/lazy-part.ts'
import classes from './moment-field.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

const ClockNote = lazyPart(() => import('./clock-note.tsx'))

/** `value` and the argument of `onChange` are local times as written by `localText`; '' for none. */
export type MomentFieldProps = Omit<TextFieldProps, 'type'>

/** An input for day and time in the user's time zone. Around a clock change, it says which instant is meant. */
export function MomentField({ value, onChange, ...field }: MomentFieldProps) {
  const moment = momentOf(value)
  return (
    <div className={classes.moment}>
      <TextField
        {...field}
        type="datetime-local"
        value={inputOf(value)}
        onChange={(input) => onChange(withInput(value, input))}
      />
      <div role="status" className={classes.status}>
        {moment !== undefined && isNearClockChange(moment) && (
          <Suspense>
            <ClockNote text={value} onChange={onChange} isDisabled={field.isDisabled ?? false} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
