import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Components } from '../../../ground/api/components.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { ariaKeys } from '../../../ground/keyboard/combination.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import type { HandleProps } from '../../../ground/kit/sortable/use-sortable.ts'
import { useEntrySession } from '../../entry/entry-session.ts'
import { FieldRows } from '../../entry/form/field-rows.tsx'
import { ProblemMark } from '../../entry/notices/problem-mark.tsx'
import { useSelected } from '../../entry/use-field.ts'
import type { ValuePath } from '../../schema/value-path.ts'
import { type Block, titleOfBlock } from './block.ts'
import classes from './blocks.module.css'
import type { BlockField } from './use-blocks.ts'

/** The actions of a card's menu and keyboard shortcuts. */
export interface CardActions {
  readonly move: (before: number) => void
  readonly duplicate: () => void
  readonly copy: () => void
  readonly remove: () => void
}

export interface BlockCardProps {
  readonly blockKey: string
  readonly path: ValuePath
  readonly index: number
  readonly count: number
  readonly field: BlockField
  readonly components: Components
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly isDisabled: boolean
  readonly isFull: boolean
  readonly actions: CardActions
  readonly handle: HandleProps
  readonly mark: 'above' | 'below' | undefined
  readonly isDragged: boolean
  /** Shown in the gap above the card. */
  readonly before: ReactNode
}

/** A block: a bar with its title, and its fields while it is open. */
export function BlockCard(props: BlockCardProps) {
  const { blockKey, path, field, components, isOpen, isDragged, mark, before, actions, index, count } = props
  const uid = useSelected(path, (block) =>
    String((block as Block | undefined)?.__component ?? field.allowed[0]),
  )
  const component = components.get(uid)
  const { register } = useEntrySession()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => (card.current === null ? undefined : register(path, card.current)), [register, path])

  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || props.isDisabled || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'ArrowUp' && index > 0) actions.move(index - 1)
    if (event.key === 'ArrowDown' && index < count - 1) actions.move(index + 2)
  }

  return (
    <li
      className={`${classes.item} ${isDragged ? classes.dragged : ''} ${mark === undefined ? '' : classes[mark]}`}
      data-block={blockKey}
      onKeyDown={onKeyDown}
    >
      {before}
      <div ref={card} className={classes.card}>
        <Bar {...props} title={component?.info.displayName ?? uid} icon={component?.info.icon} />
        {isOpen && component !== undefined && (
          <div className={classes.fields}>
            <FieldRows attributes={component.attributes} parent={path} />
          </div>
        )}
        {isOpen && component === undefined && (
          <p className={classes.unknown}>{t('blocks.unknown', { uid })}</p>
        )}
      </div>
    </li>
  )
}

interface BarProps extends BlockCardProps {
  readonly title: string
  readonly icon: string | undefined
}

function Bar({
  path,
  field,
  components,
  isOpen,
  onToggle,
  isDisabled,
  handle,
  title,
  icon,
  ...props
}: BarProps) {
  const excerpt = useSelected(path, (value) => {
    const block = value as Block | undefined
    return titleOfBlock(block, components.get(String(block?.__component ?? field.allowed[0])))
  })
  const name = excerpt === '' ? title : excerpt
  return (
    <div className={classes.bar}>
      {!isDisabled && (
        <span className={classes.handle} {...handle} title={t('sortable.drag')}>
          <Icon name="grip-vertical" />
        </span>
      )}
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-keyshortcuts={isDisabled ? undefined : `${ariaKeys('Alt+ArrowUp')} ${ariaKeys('Alt+ArrowDown')}`}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size="s" />
        {icon !== undefined && icon !== '' && <Icon name={icon} size="s" className={classes.kind} />}
        <span className={classes.title} dir="auto">
          {name}
        </span>
        {excerpt !== '' && <span className={classes.kind}>{title}</span>}
        {!isOpen && <ProblemMark within={[path]} />}
      </button>
      {!isDisabled && <CardMenu {...props} name={name} />}
    </div>
  )
}

type CardMenuProps = Pick<BlockCardProps, 'index' | 'count' | 'isFull' | 'actions'> & {
  readonly name: string
}

function CardMenu({ index, count, isFull, actions, name }: CardMenuProps) {
  const { move, duplicate, copy, remove } = actions
  return (
    <Menu
      label={t('blocks.actions', { name })}
      actions={[
        {
          id: 'up',
          label: t('blocks.up'),
          icon: 'arrow-up',
          isDisabled: index === 0,
          onAction: () => move(index - 1),
        },
        {
          id: 'down',
          label: t('blocks.down'),
          icon: 'arrow-down',
          isDisabled: index === count - 1,
          onAction: () => move(index + 2),
        },
        {
          id: 'duplicate',
          label: t('blocks.duplicate'),
          icon: 'copy',
          isDisabled: isFull,
          onAction: duplicate,
        },
        { id: 'copy', label: t('blocks.copy'), icon: 'clipboard-copy', onAction: copy },
        { id: 'remove', label: t('blocks.remove'), icon: 'trash-2', isDangerous: true, onAction: remove },
      ]}
    >
      <IconButton icon="ellipsis" size="s" label={t('blocks.actions', { name })} />
    </Menu>
  )
}
