import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { useSortable } from '../../kit/sortable/use-sortable.ts'
import { Announcement } from '../../kit/visually-hidden/visually-hidden.tsx'
import classes from './references.module.css'
import type { References } from './use-references.ts'

export interface Reference {
  readonly id: number
  /** For the buttons: "Remove Ann". */
  readonly name: string
  readonly content: ReactNode
}

export interface ReferenceListProps {
  readonly references: References
  /** Those of the first ids; the rest is shown when asked for. */
  readonly shown: readonly Reference[]
  readonly isOrdered: boolean
  readonly onShowMore: () => void
}

/** How many are shown at once: a field may refer to thousands. */
export const referencesAtOnce = 50

/** What a field refers to, in its order: dragged, moved by buttons or by Alt and the arrows, and removed. */
export function ReferenceList({ references, shown, isOrdered, onShowMore }: ReferenceListProps) {
  const { ids, move, remove, disabled } = references
  const [said, say] = useState('')
  const { list, drag, handle } = useSortable<HTMLUListElement>(moveTo)
  const canMove = isOrdered && !disabled && ids.length > 1

  function moveTo(from: number, before: number) {
    if (before < 0 || before > ids.length) return
    move(from, before)
    say(t('blocks.moved', { position: (before > from ? before - 1 : before) + 1, count: ids.length }))
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    const step = { ArrowUp: index - 1, ArrowDown: index + 2 }[event.key]
    if (!event.altKey || !canMove || step === undefined) return
    event.preventDefault()
    moveTo(index, step)
  }

  if (ids.length === 0) return null
  return (
    <>
      <ul ref={list} className={classes.list}>
        {shown.map(({ id, name, content }, index) => (
          <li
            key={id}
            className={`${classes.row} ${drag?.before === index ? classes.above : ''} ${drag?.from === index ? classes.dragged : ''}`}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            {canMove && (
              <span className={classes.handle} {...handle(index)} title={t('blocks.drag')}>
                <Icon name="grip-vertical" />
              </span>
            )}
            <div className={classes.content}>{content}</div>
            {canMove && (
              <>
                <IconButton
                  icon="arrow-up"
                  size="s"
                  label={t('references.up', { name })}
                  isDisabled={index === 0}
                  onPress={() => moveTo(index, index - 1)}
                />
                <IconButton
                  icon="arrow-down"
                  size="s"
                  label={t('references.down', { name })}
                  isDisabled={index === ids.length - 1}
                  onPress={() => moveTo(index, index + 2)}
                />
              </>
            )}
            {!disabled && (
              <IconButton
                icon="x"
                size="s"
                label={t('references.remove', { name })}
                onPress={() => remove(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {shown.length < ids.length && (
        <Button size="s" look="plain" onPress={onShowMore}>
          {t('references.more', { count: ids.length - shown.length })}
        </Button>
      )}
      <Announcement text={said} />
    </>
  )
}
