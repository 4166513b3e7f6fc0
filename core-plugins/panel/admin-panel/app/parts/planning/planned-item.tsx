import { type KeyboardEvent, useRef } from 'react'
import { useDrag } from 'react-aria-components/useDrag'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { IconButton } from '../../ground/kit/button/button.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import { VisuallyHidden } from '../../ground/kit/visually-hidden/visually-hidden.tsx'
import classes from './calendar.module.css'
import { addDays, dayOf } from './days.ts'
import type { Planned } from './planned.ts'
import type { Moves } from './use-moves.ts'

export interface PlannedItemProps {
  readonly item: Planned
  readonly moves: Moves
  readonly onMove: (item: Planned) => void
}

const icons = { publish: 'globe', unpublish: 'eye-off', release: 'package' } as const

export const dragType = 'mortise-planned'

/** How many days Alt with an arrow key moves an item. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** An item in the calendar: moved by dragging, by Alt with the arrow keys, or by a dialog. */
export function PlannedItem({ item, moves, onMove }: PlannedItemProps) {
  const { key, kind, title, at, to, hasConflict, isOver, move } = item
  const ref = useRef<HTMLLIElement>(null)
  const { dragProps, isDragging } = useDrag({
    isDisabled: move === undefined,
    // Keyboard and dialog are the alternatives to dragging.
    hasDragButton: true,
    getItems: () => [{ [dragType]: key, 'text/plain': title }],
    getAllowedDropOperations: () => ['move'],
  })
  function moveByKey(event: KeyboardEvent) {
    const days = steps[event.key]
    if (!event.altKey || days === undefined || move === undefined) return
    event.preventDefault()
    moves.toDay(item, addDays(dayOf(at), days))
  }
  return (
    <li
      {...dragProps}
      ref={ref}
      onKeyDown={moveByKey}
      className={`${classes.item} ${classes[kind]} ${isOver ? classes.over : ''} ${isDragging ? classes.dragged : ''}`}
    >
      <Link to={to} className={classes.itemLink}>
        <Icon name={icons[kind]} size="s" />
        <time dateTime={at}>{timeText(at)}</time>
        <VisuallyHidden>{t(`calendar.kind.${kind}`)}</VisuallyHidden>
        <span className={classes.itemTitle}>{title}</span>
      </Link>
      {hasConflict && (
        <span className={classes.conflict} data-tooltip={t('calendar.conflict')}>
          <Icon name="triangle-alert" size="s" />
          <VisuallyHidden>{t('calendar.conflict')}</VisuallyHidden>
        </span>
      )}
      {move !== undefined && (
        <IconButton
          icon="calendar-clock"
          size="s"
          label={t('calendar.move', { title })}
          onPress={() => onMove(item)}
        />
      )}
    </li>
  )
}

const timeText = (at: string) =>
  new Date(at).toLocaleTimeString(writtenLocale(), { hour: '2-digit', minute: '2-digit' })
