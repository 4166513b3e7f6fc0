import { useRef } from 'react'
import { useDrop } from 'react-aria-components/useDrop'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { VisuallyHidden } from '../../ground/kit/visually-hidden/visually-hidden.tsx'
import classes from './calendar.module.css'
import { type Day, dayOf, startOf } from './days.ts'
import type { Planned } from './planned.ts'
import { dragType, PlannedItem, type PlannedItemProps } from './planned-item.tsx'

export interface DayCellProps extends Omit<PlannedItemProps, 'item'> {
  readonly day: Day
  readonly items: readonly Planned[]
  /** Whether the day belongs to a neighbouring month. */
  readonly isOutside?: boolean
  /** The maximum number of items shown; the others are only counted. */
  readonly most: number
  readonly onDrop: (key: string, day: Day) => void
  /** Called to show all items of the day. */
  readonly onOpen: (day: Day) => void
}

/** A day cell, which accepts dropped items. */
export function DayCell({ day, items, isOutside = false, most, onDrop, onOpen, ...rest }: DayCellProps) {
  const ref = useRef<HTMLTableCellElement>(null)
  const { dropProps, isDropTarget } = useDrop({
    ref,
    getDropOperation: (types) => (types.has(dragType) ? 'move' : 'cancel'),
    async onDrop({ items: [dropped] }) {
      if (dropped?.kind === 'text') onDrop(await dropped.getText(dragType), day)
    },
  })
  const isToday = day === dayOf(new Date())
  const hidden = items.length - most
  return (
    <td
      {...dropProps}
      ref={ref}
      className={`${classes.day} ${isOutside ? classes.outside : ''} ${isDropTarget ? classes.target : ''}`}
      aria-current={isToday ? 'date' : undefined}
    >
      <time dateTime={day} className={classes.dayNumber}>
        <VisuallyHidden>{longDay(day)}</VisuallyHidden>
        <span aria-hidden="true">{startOf(day).getDate()}</span>
      </time>
      <ul className={classes.items}>
        {items.slice(0, most).map((item) => (
          <PlannedItem key={item.key} item={item} {...rest} />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className={classes.more} onClick={() => onOpen(day)}>
          {t('calendar.more', { count: hidden })}
        </button>
      )}
    </td>
  )
}

export const longDay = (day: Day): string =>
  startOf(day).toLocaleDateString(writtenLocale(), { weekday: 'long', day: 'numeric', month: 'long' })
