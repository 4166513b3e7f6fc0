import { type ReactNode, useRef } from 'react'
import { errorText } from '../../i18n/problem-text.ts'
import { Button } from '../button/button.tsx'
import { Drawer } from '../dialog/dialog.tsx'
import { Skeleton } from '../loading/loading.tsx'
import type { Resource, RowAction } from './resource.ts'
import type { ListAddress } from './use-list-address.ts'
import { useResourceItem } from './use-resource.ts'
import type { RowActions } from './use-row-actions.tsx'

interface ResourceDetailProps<Item> {
  readonly resource: Resource
  readonly items: readonly Item[]
  readonly address: ListAddress
  readonly nameOf: (item: Item) => string
  readonly detailOf: (item: Item) => ReactNode
  readonly actionsOf: ((item: Item) => readonly RowAction[]) | undefined
  readonly actions: RowActions
}

/** The details and actions of the row named by the URL, in a drawer. */
export function ResourceDetail<Item extends { readonly id: number | string }>(
  props: ResourceDetailProps<Item>,
) {
  const { resource, items, address, nameOf, detailOf, actionsOf, actions } = props
  const { opened } = address
  const listed = items.find(({ id }) => String(id) === opened)
  const { data, error } = useResourceItem<Item>(resource, listed === undefined ? opened : undefined)
  const item = listed ?? (opened === undefined ? undefined : data)
  // The last row stays visible during the closing animation.
  const last = useRef(item)
  last.current = item ?? last.current
  const shown = item ?? (opened === undefined ? last.current : undefined)
  if (opened !== undefined && shown === undefined && resource.hasItems !== true) return null
  return (
    <Drawer
      title={shown === undefined ? '…' : nameOf(shown)}
      isOpen={opened !== undefined}
      onClose={() => address.open(undefined)}
      actions={
        shown === undefined ? undefined : <Buttons list={actionsOf?.(shown) ?? []} actions={actions} />
      }
    >
      {shown !== undefined && detailOf(shown)}
      {shown === undefined && (error === null ? <Skeleton /> : <p role="alert">{errorText(error)}</p>)}
    </Drawer>
  )
}

function Buttons({ list, actions }: { readonly list: readonly RowAction[]; readonly actions: RowActions }) {
  return list.map((action) => (
    <Button
      key={action.id}
      look={action.isDangerous === true ? 'danger' : 'secondary'}
      isPending={actions.pending === action.id}
      onPress={() => actions.start(action)}
      {...(action.icon === undefined ? {} : { icon: action.icon })}
    >
      {action.label}
    </Button>
  ))
}
