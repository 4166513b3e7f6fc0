import { type KeyboardEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/empty-state/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { useSortable } from '../../kit/sortable/use-sortable.ts'
import { Announcement } from '../../kit/visually-hidden/visually-hidden.tsx'
import { changeFiles, type Draft } from '../draft/draft.ts'
import { moveField } from '../draft/edit-fields.ts'
import type { Field, Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import { FieldSummary } from './field-summary.tsx'
import classes from './fields.module.css'

interface FieldListProps {
  readonly model: Model
  readonly owner: Owner
  readonly problems: ReadonlyMap<string, Draft['problems']>
  readonly onOpen: (field: string) => void
}

/** The fields in their order: dragged, moved by buttons or by Alt and the arrows, and opened. */
export function FieldList({ model, owner, problems, onOpen }: FieldListProps) {
  const fixed = owner.fields.filter(({ isOwn }) => !isOwn)
  const own = owner.fields.filter(({ isOwn }) => isOwn)
  const [said, say] = useState('')
  const { list, drag, handle } = useSortable<HTMLUListElement>(moveTo)

  function moveTo(from: number, before: number) {
    if (!model.mayChange || before < 0 || before > own.length) return
    changeFiles(model.stored, (files) => moveField(files, owner, from, before))
    say(t('model.moved', { position: (before > from ? before - 1 : before) + 1, count: own.length }))
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    const before = { ArrowUp: index - 1, ArrowDown: index + 2 }[event.key]
    if (!event.altKey || before === undefined) return
    event.preventDefault()
    moveTo(index, before)
  }

  if (owner.fields.length === 0) {
    return (
      <EmptyState icon="rows-3" title={t('model.noFields')}>
        {model.mayChange && t('model.noFieldsText')}
      </EmptyState>
    )
  }
  return (
    <section>
      <h2 className={classes.heading}>{t('model.fields')}</h2>
      {fixed.length > 0 && (
        <ul className={classes.list}>
          {fixed.map((field) => (
            <li key={field.name} className={classes.row}>
              <FieldSummary field={field} owner={owner} />
            </li>
          ))}
        </ul>
      )}
      <ul ref={list} className={classes.list}>
        {own.map((field, index) => (
          <li
            key={field.name}
            className={`${classes.row} ${drag?.before === index ? classes.above : ''} ${drag?.from === index ? classes.dragged : ''}`}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            {model.mayChange && (
              <span className={classes.handle} {...handle(index)} title={t('model.drag')}>
                <Icon name="grip-vertical" />
              </span>
            )}
            <FieldSummary
              field={field}
              owner={owner}
              problems={problems.get(field.name)}
              {...(model.mayChange ? { onOpen: () => onOpen(field.name) } : {})}
            />
            {model.mayChange && <Moves field={field} index={index} count={own.length} onMove={moveTo} />}
          </li>
        ))}
      </ul>
      <Announcement text={said} />
    </section>
  )
}

interface MovesProps {
  readonly field: Field
  readonly index: number
  readonly count: number
  readonly onMove: (from: number, before: number) => void
}

function Moves({ field: { name }, index, count, onMove }: MovesProps) {
  return (
    <span className={classes.moves}>
      <IconButton
        icon="arrow-up"
        size="s"
        label={t('model.up', { name })}
        isDisabled={index === 0}
        onPress={() => onMove(index, index - 1)}
      />
      <IconButton
        icon="arrow-down"
        size="s"
        label={t('model.down', { name })}
        isDisabled={index === count - 1}
        onPress={() => onMove(index, index + 2)}
      />
    </span>
  )
}
