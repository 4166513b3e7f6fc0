import { clockChangeAt } from '../../i18n/clock-change.ts'
import { inputOf, localText, momentOf } from '../../i18n/local-time.ts'
import { ownTimeZone, zoneName } from '../../i18n/moment-text.ts'
import { t, writtenLocale } from '../../i18n/translate.ts'
import { Button } from '../button/button.tsx'
import classes from './moment-field.module.css'

export interface ClockNoteProps {
  /** A local time as written by `localText`. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isDisabled: boolean
}

/** For a local time that does not exist or exists twice: says which instant is meant, and offers the other one. */
export default function ClockNote({ text, onChange, isDisabled }: ClockNoteProps) {
  const moment = momentOf(text)
  const zone = ownTimeZone()
  const change = clockChangeAt(inputOf(text), zone)
  if (moment === undefined || change === undefined) return null
  const words = { ...wordsOf(inputOf(text)), zone }
  if (change.kind === 'skipped') {
    return (
      <p className={classes.note}>{t('kit.skippedTime', { ...words, taken: takenText(moment, words) })}</p>
    )
  }
  const isSecond = moment.getTime() === change.second.getTime()
  const other = isSecond ? change.first : change.second
  return (
    <>
      <p className={classes.note}>
        {t('kit.repeatedTime', { ...words, isSecond: String(isSecond), meant: clockName(moment) })}
      </p>
      {!isDisabled && (
        <Button size="s" onPress={() => onChange(localText(other))}>
          {t('kit.takeOtherTime', { isSecond: String(isSecond), offset: zoneName(other, 'shortOffset') })}
        </Button>
      )}
    </>
  )
}

interface LocalWords {
  readonly day: string
  readonly time: string
}

/** The typed day and time, formatted without regard to the time zone. */
function wordsOf(input: string): LocalWords {
  const asTyped = new Date(`${input}Z`)
  const locale = writtenLocale()
  return {
    day: asTyped.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    time: asTyped.toLocaleTimeString(locale, { timeStyle: 'short', timeZone: 'UTC' }),
  }
}

/** The time, with the day if it differs from the typed one, as when clocks go forward at midnight. */
function takenText(moment: Date, { day }: LocalWords): string {
  const taken = wordsOf(inputOf(localText(moment)))
  return taken.day === day ? taken.time : `${taken.day}, ${taken.time}`
}

/** The time zone's name with its offset: `Central European Summer Time (GMT+2)`; only the offset if the zone has no name. */
function clockName(moment: Date): string {
  const [name, offset] = [zoneName(moment, 'long'), zoneName(moment, 'shortOffset')]
  return /\d/.test(name) ? offset : `${name} (${offset})`
}
