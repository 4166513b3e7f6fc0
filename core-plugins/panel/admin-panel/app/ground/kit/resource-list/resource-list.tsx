import type { ReactNode } from 'react'
import { errorText } from '../../i18n/problem-text.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button/button.tsx'
import { EmptyState } from '../empty-state/empty-state.tsx'
import { Skeleton } from '../loading/loading.tsx'
import type { EmptyResource, Resource, ResourceColumn, ResourceFilter, RowAction } from './resource.ts'
import { ResourceDetail } from './resource-detail.tsx'
import { ResourceFilters } from './resource-filters.tsx'
import classes from './resource-list.module.css'
import { ResourcePager } from './resource-pager.tsx'
import { ResourceTable } from './resource-table.tsx'
import { type ListAddress, useListAddress } from './use-list-address.ts'
import { type ResourcePage, useResource } from './use-resource.ts'
import { useRowActions } from './use-row-actions.tsx'

export interface ResourceListProps<Item extends { readonly id: number | string }> {
  readonly label: string
  readonly resource: Resource
  /** The first one names the row. */
  readonly columns: readonly ResourceColumn<Item>[]
  readonly filters?: readonly ResourceFilter[]
  /** The name of a row in messages. */
  readonly nameOf: (item: Item) => string
  readonly actionsOf?: (item: Item) => readonly RowAction[]
  /** The details of a row for the drawer; alternatively `hrefOf`, the row's own screen. */
  readonly detailOf?: (item: Item) => ReactNode
  readonly hrefOf?: (item: Item) => string
  readonly empty: EmptyResource
}

const noFilters: readonly ResourceFilter[] = []

/**
 * A list from the API as rows; filters, page and opened row are in the URL. Screens that use it must load the text part
 * `resources`.
 */
export function ResourceList<Item extends { readonly id: number | string }>(props: ResourceListProps<Item>) {
  const { label, resource, columns, filters = noFilters, nameOf, actionsOf, detailOf, hrefOf } = props
  const address = useListAddress(filters)
  const page = useResource<Item>(resource, filters, address)
  const actions = useRowActions(resource.key)
  const { items = [], pagination } = page.data ?? {}
  return (
    <div className={classes.resource}>
      {filters.length > 0 && <ResourceFilters filters={filters} address={address} />}
      {items.length === 0 ? (
        <Nothing page={page} address={address} empty={props.empty} />
      ) : (
        <div aria-busy={page.isPlaceholderData} className={classes.rows}>
          <ResourceTable
            label={label}
            columns={columns}
            items={items}
            idOf={({ id }) => id}
            nameOf={nameOf}
            hrefOf={hrefOf}
            onOpen={detailOf === undefined ? undefined : ({ id }) => address.open(id)}
            actionsOf={actionsOf}
            onAction={actions.start}
          />
        </div>
      )}
      {pagination !== undefined && items.length > 0 && (
        <ResourcePager pagination={pagination} count={items.length} onGo={address.goTo} />
      )}
      {detailOf !== undefined && (
        <ResourceDetail
          resource={resource}
          items={items}
          address={address}
          nameOf={nameOf}
          detailOf={detailOf}
          actionsOf={actionsOf}
          actions={actions}
        />
      )}
      {actions.question}
    </div>
  )
}

interface NothingProps {
  readonly page: {
    readonly error: Error | null
    readonly data: ResourcePage<unknown> | undefined
    readonly refetch: () => unknown
  }
  readonly address: ListAddress
  readonly empty: EmptyResource
}

/** Why there are no rows: still loading, an error, the filters, or an empty list. */
function Nothing({ page: { error, data, refetch }, address, empty }: NothingProps) {
  if (error !== null) {
    return (
      <EmptyState
        icon="triangle-alert"
        title={t('resources.failed')}
        action={<Button onPress={() => void refetch()}>{t('shell.tryAgain')}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    )
  }
  if (data === undefined) return <Skeleton lines={8} />
  if (address.offset > 0) {
    const toStart = <Button onPress={() => address.goTo(0)}>{t('resources.toStart')}</Button>
    return <EmptyState icon="search-x" title={t('resources.beyondEnd')} action={toStart} />
  }
  if (address.isNarrowed) {
    const showAll = <Button onPress={address.showAll}>{t('resources.showAll')}</Button>
    return <EmptyState icon="search-x" title={t('kit.noMatch')} action={showAll} />
  }
  return (
    <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
      {empty.text}
    </EmptyState>
  )
}
