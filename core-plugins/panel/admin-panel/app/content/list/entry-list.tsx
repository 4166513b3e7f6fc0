import { Suspense, useMemo } from 'react'
import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { useContributions } from '../../shell/panel-part.ts'
import { useParts } from '../../shell/plugins/parts.ts'
import { isForType } from '../../shell/plugins/shown-parts.ts'
import { allowedActions } from './bulk/bulk-actions.ts'
import { shownColumns } from './columns/shown-columns.ts'
import { columnsOfType } from './columns/type-columns.ts'
import { type Entries, useEntries, useTotal } from './data/use-entries.ts'
import { EntryGrid } from './entry-grid.tsx'
import { filterFields } from './filters/fields.ts'
import classes from './list.module.css'
import { ListActions } from './list-actions.tsx'
import { useListState } from './state/use-list-state.ts'
import { useSelection } from './state/use-selection.ts'
import { ListToolbar } from './toolbar/list-toolbar.tsx'

const BulkBar = lazyPart(() => import('./bulk/bulk-bar.tsx'))
const FilterChips = lazyPart(() => import('./filters/filter-chips.tsx'))

export interface EntryListProps {
  readonly type: DescribedType
  readonly types: readonly DescribedType[]
  readonly access: Access
}

/** Toolbar, filters and rows of a type. */
export function EntryList({ type, types, access }: EntryListProps) {
  const [state, change] = useListState()
  const [selected, select] = useSelection(state)
  const contributed = useParts('columns')
  const listActions = useParts('listActions').filter(({ part }) => isForType(part, type.name))
  // A plugin module that loads later may add columns, cells and field types.
  const { all, fields } = useMemo(
    () => ({
      all: columnsOfType(type, types, access, contributed),
      fields: filterFields(type, types, access),
    }),
    [type, types, access, contributed],
  )
  const columns = useMemo(() => shownColumns(type, all, state), [type, all, state])
  const layouts = useContributions('listLayouts')
  const Layout = layouts.find(({ id, mayShow }) => id === state.layout && mayShow({ type, state }))?.component
  const entries = useEntries(type, state, columns, { isWanted: Layout === undefined })
  const count = useTotal(type, state, entries)
  const total = Layout !== undefined ? undefined : count
  const list = { type, types, access, state, change, columns, allColumns: all, fields, entries, total }
  return (
    <Page
      title={state.isTrash ? t('list.trashTitle', { type: type.info.displayName }) : type.info.displayName}
      width="fill"
      aside={<Count entries={entries} total={total} />}
      actions={<ListActions list={list} />}
    >
      {selected.size === 0 ? (
        <ListToolbar list={list} />
      ) : (
        <Suspense fallback={<ListToolbar list={list} />}>
          <BulkBar list={list} selected={selected} onSelect={select} contributed={listActions} />
        </Suspense>
      )}
      {(state.filters.length > 0 || entries.error !== null) && (
        <Suspense>
          <FilterChips list={list} />
        </Suspense>
      )}
      {Layout !== undefined ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Layout list={list} />
        </Suspense>
      ) : (
        <EntryGrid
          list={list}
          selected={selected}
          {...(allowedActions(list).length + listActions.length > 0 && { onSelect: select })}
        />
      )}
    </Page>
  )
}

/** The number of entries, announced by screen readers when known and when it changes. */
function Count({ entries, total }: { readonly entries: Entries; readonly total: number | undefined }) {
  return (
    <span role="status" className={classes.count}>
      {total === undefined || entries.error !== null ? '' : t('list.count', { count: total })}
    </span>
  )
}
