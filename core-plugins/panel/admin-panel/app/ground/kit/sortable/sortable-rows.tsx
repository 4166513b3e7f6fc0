import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../button/button.tsx'
import { Icon } from '../icon/icon.tsx'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import { movedText } from './moved-text.ts'
import classes from './sortable-rows.module.css'
import { useSortable } from './use-sortable.ts'

export interface SortableRow {
  readonly key: string | number
  /** The name for button labels: "Move Ann up". */
  readonly name: string
  readonly content: ReactNode
  /** Shown after the buttons that move it. */
  readonly action?: ReactNode
}

export interface SortableRowsProps {
  readonly rows: readonly SortableRow[]
  /** The number of all items, if only the first ones are shown. */
  readonly count?: number
  readonly size: 's' | 'm'
  /** Moves an item before another one; the count stands for the end. Undefined if the order is fixed. */
  readonly onMove: ((from: number, before: number) => void) | undefined
}

/** Rows that can be reordered by dragging, by buttons, and by Alt with the arrow keys. */
export function SortableRows({ rows, count = rows.length, size, onMove }: SortableRowsProps) {
  const [said, say] = useState('')
  const { list, drag, handle } = useSortable<HTMLUListElement>(moveTo)

  function moveTo(from: number, before: number) {
    if (onMove === undefined || before < 0 || before > count) return
    onMove(from, before)
    say(movedText(from, before, count))
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    const before = { ArrowUp: index - 1, ArrowDown: index + 2 }[event.key]
    if (!event.altKey || onMove === undefined || before === undefined) return
    event.preventDefault()
    moveTo(index, before)
  }

  if (rows.length === 0) return null
  return (
    <>
      <ul ref={list} className={`${classes.list} ${classes[size]}`}>
        {rows.map(({ key, name, content, action }, index) => (
          <li
            key={key}
            className={`${classes.row} ${drag?.before === index ? classes.above : ''} ${drag?.from === index ? classes.dragged : ''}`}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            {onMove !== undefined && (
              <span className={classes.handle} {...handle(index)} title={t('sortable.drag')}>
                <Icon name="grip-vertical" />
              </span>
            )}
            {content}
            {onMove !== undefined && <Moves name={name} index={index} count={count} onMove={moveTo} />}
            {action}
          </li>
        ))}
      </ul>
      {onMove !== undefined && <Announcement text={said} />}
    </>
  )
}

interface MovesProps {
  readonly name: string
  readonly index: number
  readonly count: number
  readonly onMove: (from: number, before: number) => void
}

function Moves({ name, index, count, onMove }: MovesProps) {
  return (
    <span className={classes.moves}>
      <IconButton
        icon="arrow-up"
        size="s"
        label={t('sortable.up', { name })}
        isDisabled={index === 0}
        onPress={() => onMove(index, index - 1)}
      />
      <IconButton
        icon="arrow-down"
        size="s"
        label={t('sortable.down', { name })}
        isDisabled={index === count - 1}
        onPress={() => onMove(index, index + 2)}
      />
    </span>
  )
}
