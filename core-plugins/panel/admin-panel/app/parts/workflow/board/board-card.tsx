import { Suspense, useState } from 'react'
import { Button as DragButton } from 'react-aria-components/Button'
import { GridListItem } from 'react-aria-components/GridList'
import EntryCard from '../../../content/list/cells/entry-card.tsx'
import type { EntryRow } from '../../../content/list/data/entry-row.ts'
import { type Titles, titleOf } from '../../../content/list/data/use-titles.ts'
import type { List } from '../../../content/list/list-context.ts'
import { stateNamed } from '../../../content/schema/state-named.ts'
import { rolesOf, type Way, waysFrom } from '../../../content/schema/ways.ts'
import { t, withTexts } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../../ground/kit/menu/menu-action.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import classes from './board.module.css'
import { type Moves, stateOf } from './use-moves.ts'

const MoveDialog = lazyPart(withTexts('board', () => import('../move-dialog.tsx')))

export interface BoardCardProps {
  readonly list: List
  readonly entry: EntryRow
  readonly titles: Titles
  readonly moves: Moves
  /** Whether it is being moved to this column. */
  readonly isMoving: boolean
}

/** A card on the board: links to the form, can be dragged, and has a menu as an alternative. */
export function BoardCard({ list, entry, titles, moves, isMoving }: BoardCardProps) {
  const { type, columns } = list
  const title = titleOf(type, entry)
  const shown = columns.filter(({ kind }) => kind !== 'workflow')
  return (
    <GridListItem
      id={entry.id}
      textValue={title}
      href={`/admin/content/${type.name}/${entry.id}`}
      className={`${classes.card} ${isMoving ? classes.moving : ''}`}
    >
      <DragButton slot="drag" className={classes.handle ?? ''} aria-label={t('board.drag', { entry: title })}>
        <Icon name="grip-vertical" />
      </DragButton>
      <EntryCard entry={entry} columns={shown} context={{ type, titles }} />
      {!isMoving && <MoveMenu list={list} entry={entry} moves={moves} />}
    </GridListItem>
  )
}

/** The transitions of the entry. Those reserved to other roles are listed with these roles. */
function MoveMenu({
  list: { type, access },
  entry,
  moves,
}: Pick<BoardCardProps, 'list' | 'entry' | 'moves'>) {
  const [chosen, choose] = useState<Way>()
  const ways = waysFrom(type, stateOf(entry), access)
  const label = t('board.move', { entry: titleOf(type, entry) })
  if (ways.length === 0) return null
  return (
    <>
      <Menu label={label} actions={ways.map((way) => actionOf(way, () => choose(way)))}>
        <IconButton icon="ellipsis-vertical" size="s" label={label} />
      </Menu>
      {chosen !== undefined && (
        <Suspense fallback={null}>
          <MoveDialog
            entry={titleOf(type, entry)}
            label={chosen.label}
            state={stateNamed(type, chosen.to)?.label ?? chosen.to}
            onClose={() => choose(undefined)}
            onMove={(comment) => {
              choose(undefined)
              void moves.take(entry, chosen, comment)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function actionOf(way: Way, onAction: () => void): MenuAction {
  const { to, label, isOpen } = way
  const roles = rolesOf(way)
  const text = isOpen || roles === '' ? label : t('board.onlyRoles', { label, roles })
  return { id: to, label: text, icon: 'arrow-right', isDisabled: !isOpen, onAction }
}
