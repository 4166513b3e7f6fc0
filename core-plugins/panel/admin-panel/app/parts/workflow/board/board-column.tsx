import { GridList } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import type { EntryRow } from '../../../content/list/data/entry-row.ts'
import { type Entries, useEntries, useTotal } from '../../../content/list/data/use-entries.ts'
import { titleOf, useRowTitles } from '../../../content/list/data/use-titles.ts'
import type { List } from '../../../content/list/list-context.ts'
import type { ListState } from '../../../content/list/state/list-state.ts'
import { StateLabel } from '../../../content/schema/state-label.tsx'
import type { DescribedWorkflow } from '../../../ground/api/content-types.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import classes from './board.module.css'
import { BoardCard } from './board-card.tsx'
import { type Moves, stateOf } from './use-moves.ts'

type State = DescribedWorkflow['states'][number]

interface BoardColumnProps {
  readonly list: List
  readonly state: State
  readonly moves: Moves
  /** The entries of all columns by id: a dropped card was loaded by another column. */
  readonly cards: Map<number, EntryRow>
}

/** Cards per page; more are loaded on request. */
const pageSize = 25

const dragType = 'mortise-entry'

/** The entries of the list in one workflow state. */
export function BoardColumn({ list, state, moves, cards }: BoardColumnProps) {
  const { type } = list
  const selection = inState(list.state, state.name)
  const entries = useEntries(type, selection, columnsWithState(list), { pageSize })
  const total = useTotal(type, selection, entries)
  for (const entry of entries.rows) cards.set(entry.id, entry)
  const shown = withMoves(entries.rows, state.name, moves)
  return (
    <section className={classes.column} aria-label={state.label} aria-busy={entries.isOutdated}>
      <h2 className={classes.heading}>
        <StateLabel state={state} name={state.name} />
        <span className={classes.count}>{total}</span>
      </h2>
      {entries.isLoading ? (
        <Skeleton lines={4} />
      ) : (
        <Cards {...{ list, state, moves, cards, entries, shown }} />
      )}
      <Rest list={list} state={state} entries={entries} />
    </section>
  )
}

interface CardsProps extends BoardColumnProps {
  readonly entries: Entries
  readonly shown: readonly EntryRow[]
}

function Cards({ list, state, moves, cards, entries, shown }: CardsProps) {
  const { type, access, columns } = list
  const titles = useRowTitles(entries.pages, columns)
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !access.mayContent(type.name, 'update'),
    getItems: (keys) =>
      [...keys].map((key) => ({
        [dragType]: String(key),
        'text/plain': titleOf(type, cards.get(Number(key)) ?? { id: Number(key) }),
      })),
    acceptedDragTypes: [dragType],
    getDropOperation: () => 'move',
    shouldAcceptItemDrop: () => false,
    async onRootDrop({ items }) {
      for (const item of items) {
        const entry = item.kind === 'text' ? cards.get(Number(await item.getText(dragType))) : undefined
        if (entry !== undefined && stateOf(entry) !== state.name) moves.drop(entry, state.name)
      }
    },
  })
  const isMoving = (id: number) => moves.pending.some(({ entry }) => entry.id === id)
  return (
    <GridList
      aria-label={state.label}
      items={shown}
      dependencies={[columns, titles, moves.pending]}
      dragAndDropHooks={dragAndDropHooks}
      className={classes.cards ?? ''}
      renderEmptyState={() => (
        <p className={classes.empty}>
          {entries.error === null ? t('board.empty') : errorText(entries.error)}
        </p>
      )}
    >
      {(entry) => <BoardCard {...{ list, entry, titles, moves }} isMoving={isMoving(entry.id)} />}
    </GridList>
  )
}

/** The button to load more cards, or a link to the list once the board has its maximum. */
function Rest({ list, state, entries }: Pick<CardsProps, 'list' | 'state' | 'entries'>) {
  if (entries.loadMore !== undefined) {
    return (
      <Button size="s" isPending={entries.isLoadingMore} onPress={entries.loadMore}>
        {t('board.more')}
      </Button>
    )
  }
  if (entries.nextFrom === undefined) return null
  const { filters } = inState(list.state, state.name)
  return (
    <Button size="s" icon="table" onPress={() => list.change({ layout: undefined, filters })}>
      {t('board.asList')}
    </Button>
  )
}

/** Adds the workflow state, which determines where cards may go, even if the list does not show it. */
function columnsWithState({ columns, allColumns }: List) {
  const isShown = columns.some(({ kind }) => kind === 'workflow')
  return isShown ? columns : [...columns, ...allColumns.filter(({ kind }) => kind === 'workflow')]
}

function inState(state: ListState, name: string): ListState {
  const { from: _from, ...rest } = state
  const filter = { path: 'workflow_state', operator: 'eq', values: [name] } as const
  return { ...rest, filters: [...state.filters, filter] }
}

/** Shows cards being moved at the top of their target column until the service has responded. */
function withMoves(rows: readonly EntryRow[], state: string, { pending }: Moves): readonly EntryRow[] {
  const moving = new Set(pending.map(({ entry }) => entry.id))
  const coming = pending.filter(({ to }) => to === state).map(({ entry }) => entry)
  return [...coming, ...rows.filter(({ id }) => !moving.has(id))]
}
