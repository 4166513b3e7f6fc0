import { useQuery } from '@tanstack/react-query'
import type { List } from '../../content/list/list-context.ts'
import { type ListState, stateFromQuery, viewQuery } from '../../content/list/state/list-state.ts'
import { ToolbarPopover } from '../../content/list/toolbar/toolbar-popover.tsx'
import { t } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { type ListView, queryOfView, savedViews, viewsKey } from './list-view.ts'

const ViewList = lazyPart(() => import('./view-list.tsx'))

/** The saved views of a type; loaded after the rows, since they are not urgent. */
function useViews({ type, entries }: List): readonly ListView[] {
  const { data } = useQuery({
    queryKey: [viewsKey, type.name],
    queryFn: ({ signal }) => savedViews.list(type.name, { signal }),
    enabled: !entries.isLoading,
    staleTime: 60_000,
  })
  return (data ?? []) as readonly ListView[]
}

/** The menu of saved views, with an item to save the current state. */
export function ViewMenu({ list }: { readonly list: List }) {
  const views = useViews(list)
  const current = views.find(({ id }) => id === list.state.view)
  const name = current?.name ?? t('list.views')
  const text = isChanged(list.state, current) ? t('list.changedView', { name }) : name
  return (
    <ToolbarPopover label={t('list.views')} icon="bookmark" name={name} text={text}>
      <ViewList list={list} views={views} current={current} />
    </ToolbarPopover>
  )
}

/** Whether the list has changed from the view it was opened from. */
function isChanged(state: ListState, view: ListView | undefined): boolean {
  return view !== undefined && viewQuery(state) !== viewQuery(stateFromQuery(queryOfView(view)))
}
