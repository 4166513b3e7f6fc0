import { type ReactNode, Suspense, useMemo, useRef } from 'react'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { DataGrid } from '../../ground/kit/data-grid/data-grid.tsx'
import type { GridColumn } from '../../ground/kit/data-grid/grid-column.ts'
import { useKeptPlace } from '../../ground/kit/kept-place/use-kept-place.ts'
import { prefetchScreen } from '../../ground/kit/link/prefetch.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { useIsNarrow } from '../../ground/kit/page/use-is-narrow.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { useTheme } from '../../shell/theme.ts'
import { cellOf } from './cells/cell.tsx'
import type { ShownColumn } from './columns/shown-columns.ts'
import type { EntryRow } from './data/entry-row.ts'
import { titleOf, useRowTitles } from './data/use-titles.ts'
import classes from './list.module.css'
import type { List } from './list-context.ts'
import { stateToQuery } from './state/list-state.ts'

const EmptyList = lazyPart(() => import('./empty-list.tsx'))
const RestOfList = lazyPart(() => import('./rest-of-list.tsx'))
const EntryCard = lazyPart(() => import('./cells/entry-card.tsx'))

export interface EntryGridProps {
  readonly list: List
  readonly selected: ReadonlySet<number>
  /** Undefined if no actions for selected entries are available. */
  readonly onSelect?: (selected: ReadonlySet<number>) => void
}

const cardHeight = 84
const compactRowHeight = 36

/** The rows of a list, or cards on narrow screens. */
export function EntryGrid({ list, selected, onSelect }: EntryGridProps) {
  const { type, state, change, entries, columns } = list
  const isNarrow = useIsNarrow()
  const isCompact = useTheme().layout.density === 'compact'
  const gridColumns = useGridColumns(list, isNarrow)
  if (entries.isLoading) return <Skeleton lines={12} />
  return (
    <Frame list={list}>
      <DataGrid
        key={`${isNarrow} ${columns.map(({ id }) => id).join()}`}
        label={type.info.displayName}
        columns={gridColumns}
        items={entries.rows}
        isFullWidth
        nameOf={(entry) => titleOf(type, entry)}
        {...(isNarrow ? { rowHeight: cardHeight } : isCompact && { rowHeight: compactRowHeight })}
        {...(state.sort !== undefined && {
          sort: {
            column: columnOfSort(list),
            direction: state.sort.direction === 'asc' ? 'ascending' : 'descending',
          },
        })}
        onSort={({ column, direction }) => {
          const field = columns.find(({ id }) => id === column)?.sortField
          if (field === undefined) return
          change({ sort: { field, direction: direction === 'ascending' ? 'asc' : 'desc' } })
        }}
        {...(onSelect !== undefined && {
          selection: selected as ReadonlySet<number> & Set<number>,
          onSelect: (keys) =>
            onSelect(
              keys === 'all' ? new Set(entries.rows.map(({ id }) => id)) : (new Set(keys) as Set<number>),
            ),
        })}
        {...(!state.isTrash && {
          hrefOf: ({ id }: EntryRow) => `/admin/content/${type.name}/${id}`,
          onPoint: ({ id }: EntryRow) => prefetchScreen(`/content/${type.name}/${id}`),
        })}
        {...(entries.loadMore !== undefined && { onNearEnd: entries.loadMore })}
        isLoadingMore={entries.isLoadingMore}
        {...(!isNarrow && {
          onResize: (widths) =>
            change({ columns: columns.map(({ id }) => widthOf(id, widths)) }, { replace: true }),
        })}
        empty={
          <Suspense>
            <EmptyList list={list} />
          </Suspense>
        }
      />
      {(entries.nextFrom !== undefined || state.from !== undefined) && (
        <Suspense>
          <RestOfList list={list} />
        </Suspense>
      )}
    </Frame>
  )
}

/** Mounted once rows are loaded, so that the scroll position can be restored. */
function Frame({ list, children }: { readonly list: List; readonly children: ReactNode }) {
  const { type, state, entries } = list
  const frame = useRef<HTMLDivElement>(null)
  useKeptPlace(frame, `${type.name}?${stateToQuery(state)}`)
  return (
    <div
      ref={frame}
      className={`${classes.grid} ${entries.isOutdated ? classes.outdated : ''}`}
      aria-busy={entries.isOutdated}
    >
      {children}
    </div>
  )
}

function useGridColumns(list: List, isNarrow: boolean): readonly GridColumn<EntryRow>[] {
  const { type, columns, entries } = list
  const titles = useRowTitles(entries.pages, columns)
  return useMemo(() => {
    const context = { type, titles }
    if (isNarrow) {
      // It is as high as a row, so that nothing moves when it loads.
      const card = (entry: EntryRow) => (
        <Suspense fallback={titleOf(type, entry)}>
          <EntryCard {...{ entry, columns, context }} />
        </Suspense>
      )
      return [cardColumn(list, card)]
    }
    return columns.map((column) => ({
      id: column.id,
      label: column.label,
      isSortable: column.sortField !== undefined,
      ...sizeOf(column, type),
      ...(column.kind === 'number' && { align: 'end' as const }),
      cell: (entry: EntryRow) => cellOf(column, entry, context),
    }))
  }, [type, columns, titles, isNarrow])
}

/** Typical widths by kind of value; texts share the remaining width. */
const usualWidths: Partial<Record<ShownColumn['kind'], number>> = {
  boolean: 110,
  date: 130,
  datetime: 170,
  locales: 120,
  media: 108,
  number: 110,
  publication: 120,
  workflow: 150,
}

function sizeOf({ id, kind, width = usualWidths[kind] }: ShownColumn, { titleField }: DescribedType) {
  return { minWidth: id === titleField ? 240 : 100, ...(width !== undefined && { width }) }
}

const cardColumn = ({ type }: List, cell: (entry: EntryRow) => ReactNode): GridColumn<EntryRow> => ({
  id: type.titleField,
  label: t('list.entry'),
  isSortable: true,
  cell,
})

const columnOfSort = ({ columns, state }: List) =>
  columns.find(({ sortField }) => sortField === state.sort?.field)?.id ?? state.sort?.field ?? ''

function widthOf(id: string, widths: ReadonlyMap<string, number>) {
  const width = widths.get(id)
  return width === undefined ? { id } : { id, width }
}
