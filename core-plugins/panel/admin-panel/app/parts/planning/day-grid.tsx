import { writtenLocale } from '../../ground/i18n/translate.ts'
import classes from './calendar.module.css'
import { DayCell, type DayCellProps } from './day-cell.tsx'
import { type Day, startOf } from './days.ts'
import { byDay, type Planned } from './planned.ts'

export interface DayGridProps extends Pick<DayCellProps, 'moves' | 'onMove' | 'onOpen'> {
  readonly label: string
  readonly weeks: readonly (readonly Day[])[]
  readonly planned: readonly Planned[]
  /** The month that is shown, `2026-11`; undefined for a week. */
  readonly month: string | undefined
}

/** Items per day in the month view, few enough for a month to fit on the screen. */
const mostInMonth = 3

/** A grid of weeks with one cell per day. */
export function DayGrid({ label, weeks, planned, month, moves, onMove, onOpen }: DayGridProps) {
  const items = byDay(planned, moves.placeOf)
  const drop = (key: string, day: Day) => {
    const item = planned.find((each) => each.key === key)
    if (item !== undefined) moves.toDay(item, day)
  }
  return (
    <table className={`${classes.grid} ${month === undefined ? classes.week : ''}`} aria-label={label}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {startOf(day).toLocaleDateString(writtenLocale(), { weekday: 'short' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                items={items.get(day) ?? []}
                isOutside={month !== undefined && !day.startsWith(month)}
                most={month === undefined ? Number.POSITIVE_INFINITY : mostInMonth}
                onDrop={drop}
                {...{ moves, onMove, onOpen }}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
