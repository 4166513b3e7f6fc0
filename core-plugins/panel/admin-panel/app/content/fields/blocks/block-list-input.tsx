import { type ClipboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Components } from '../../../ground/api/components.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { movedText } from '../../../ground/kit/sortable/moved-text.ts'
import { useSortable } from '../../../ground/kit/sortable/use-sortable.ts'
import { Announcement } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { useEntrySession } from '../../entry/entry-session.ts'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { NoValue } from '../../entry/form/read-value.tsx'
import { useFieldFrame, useSelected } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { isWithin, joinPath } from '../../schema/value-path.ts'
import { AddBlock } from './add-block.tsx'
import { blocksOf } from './block.ts'
import { BlockCard, type CardActions } from './block-card.tsx'
import classes from './blocks.module.css'
import { type BlockActions, type BlockField, useBlocks } from './use-blocks.ts'

export interface BlockListProps extends Pick<FieldInputProps, 'path' | 'frame'> {
  readonly field: BlockField
  readonly components: Components
}

/** A list of blocks: closed blocks show only their title, and their fields are not mounted. */
export function BlockListInput({ path, frame, field, components }: BlockListProps) {
  const { problem, disabled } = useFieldFrame(path)
  const keys = useSelected(path, keysIn).split('\n').filter(Boolean)
  const actions = useBlocks(field, components)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [said, say] = useState('')
  const focus = useFocusOnHandle()
  const { list, drag, handle } = useSortable<HTMLOListElement>(move)
  useReveal(path, (index) => setOpen((before) => new Set([...before, keys[index] ?? ''])))
  const isFull = keys.length >= field.max

  function move(from: number, before: number) {
    if (before < 0 || before > keys.length) return
    // A block without an id gets one when the list is first changed.
    const wasOpen = open.has(keys[from] ?? '')
    const id = actions.move(from, before)
    if (wasOpen) setOpen((present) => new Set([...present, id]))
    say(movedText(from, before, keys.length))
    focus.on(id)
  }

  function openNew(id: string) {
    setOpen((before) => new Set([...before, id]))
    focus.on(id)
  }

  const adder = (index: number, look: 'between' | 'end'): ReactNode =>
    !disabled && (
      <AddBlock
        look={look}
        field={field}
        components={components}
        isDisabled={isFull}
        onAdd={(uid) => openNew(actions.add(uid, index))}
        onPaste={(text) => actions.paste(text, index)}
      />
    )

  return (
    <FieldGroup {...frame} problem={problem} aside={!disabled && <Count count={keys.length} field={field} />}>
      {() => (
        <>
          <ol
            ref={list}
            className={classes.list}
            onPaste={(event) => !disabled && pasteInto(event, list.current, actions)}
          >
            {keys.map((key, index) => (
              <BlockCard
                key={key}
                blockKey={key}
                path={joinPath(path, index)}
                index={index}
                count={keys.length}
                field={field}
                components={components}
                isOpen={open.has(key)}
                onToggle={() => setOpen((before) => toggled(before, key))}
                isDisabled={disabled}
                isFull={isFull}
                actions={cardActions(actions, index, { move, openNew })}
                handle={handle(index)}
                mark={drag === undefined ? undefined : markAt(drag.before, index, keys.length)}
                isDragged={drag?.from === index}
                before={index > 0 && adder(index, 'between')}
              />
            ))}
          </ol>
          {disabled && keys.length === 0 && <NoValue />}
          {adder(keys.length, 'end')}
          <Announcement text={said} />
        </>
      )}
    </FieldGroup>
  )
}

function cardActions(
  actions: BlockActions,
  index: number,
  { move, openNew }: { move: (from: number, before: number) => void; openNew: (id: string) => void },
): CardActions {
  return {
    move: (before) => move(index, before),
    duplicate: () => openNew(actions.duplicate(index)),
    copy: () => void actions.copy(index),
    remove: () => actions.remove(index),
  }
}

/** The blocks' ids, or positions while they have none, as one string, so that typing does not render the list again. */
const keysIn = (value: unknown): string =>
  blocksOf(value)
    .map(({ id }, index) => (id === undefined ? `at ${index}` : String(id).replaceAll('\n', ' ')))
    .join('\n')

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Pastes after the focused block, unless the focus is in an input. */
function pasteInto(event: ClipboardEvent, list: Element | null, actions: BlockActions) {
  const target = event.target as Element
  if (target.closest('input, textarea, [contenteditable]') !== null) return
  const text = event.clipboardData.getData('text/plain')
  if (actions.paste(text, indexAt(target, list) + 1)) event.preventDefault()
}

const indexAt = (element: Element, list: Element | null) =>
  [...(list?.children ?? [])].findIndex((item) => item.contains(element))

/** The edge of a block at which to draw the line for the drop position of a dragged block. */
function markAt(before: number, index: number, count: number): 'above' | 'below' | undefined {
  if (before === index) return 'above'
  return before === count && index === count - 1 ? 'below' : undefined
}

/** Opens the block that a problem or a step of undo is in. */
function useReveal(path: string, onOpen: (index: number) => void) {
  const { onReveal } = useEntrySession()
  const latest = useRef(onOpen)
  latest.current = onOpen
  useEffect(
    () =>
      onReveal((revealed) => {
        if (revealed === path || !isWithin(revealed, path)) return
        latest.current(Number(revealed.slice(path.length + 1).split('.')[0]))
      }),
    [onReveal, path],
  )
}

/** Focuses a moved or new block once it is rendered. */
function useFocusOnHandle() {
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const toggle = document.querySelector<HTMLElement>(
      `[data-block="${CSS.escape(wanted.current)}"] [aria-expanded]`,
    )
    toggle?.focus()
    wanted.current = undefined
  })
  return {
    on: (key: string) => {
      wanted.current = key
    },
  }
}

/** The number of blocks, if the field limits it. */
function Count({ count, field: { min, max } }: { readonly count: number; readonly field: BlockField }) {
  const isBounded = min > 0 || max < Number.POSITIVE_INFINITY
  if (!isBounded && count === 0) return null
  const isWrong = count < min || count > max
  return (
    <span className={isWrong ? classes.wrongCount : classes.count}>
      {!isBounded && count}
      {isBounded && max === Number.POSITIVE_INFINITY && t('blocks.atLeast', { count, min })}
      {isBounded && max < Number.POSITIVE_INFINITY && t('blocks.between', { count, min, max })}
    </span>
  )
}
