import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../button/button.tsx'
import { Link } from '../link/link.tsx'
import { Menu } from '../menu/menu.tsx'
import type { ResourceColumn, RowAction } from './resource.ts'
import classes from './resource-list.module.css'

export interface ResourceTableProps<Item> {
  readonly label: string
  /** The first one names the row and opens it. */
  readonly columns: readonly ResourceColumn<Item>[]
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string | number
  readonly nameOf: (item: Item) => string
  /** The URL of a row; alternatively `onOpen`; with neither, rows cannot be opened. */
  readonly hrefOf?: ((item: Item) => string) | undefined
  readonly onOpen?: ((item: Item) => void) | undefined
  readonly actionsOf?: ((item: Item) => readonly RowAction[]) | undefined
  readonly onAction: (action: RowAction) => void
}

/** A page of rows, few enough to render all of them. */
export function ResourceTable<Item>(props: ResourceTableProps<Item>) {
  const { label, columns, items, idOf, actionsOf } = props
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classOf(column)}>
              {column.label}
            </th>
          ))}
          {actionsOf !== undefined && <td className={classes.actions} />}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <ResourceRow key={idOf(item)} {...props} item={item} />
        ))}
      </tbody>
    </table>
  )
}

type ResourceRowProps<Item> = ResourceTableProps<Item> & { readonly item: Item }

function ResourceRow<Item>(props: ResourceRowProps<Item>) {
  const { columns, item, actionsOf, nameOf, onAction, hrefOf, onOpen } = props
  const [first, ...rest] = columns
  const actions = actionsOf?.(item) ?? []
  const opens = hrefOf !== undefined || onOpen !== undefined
  return (
    <tr className={opens ? classes.opens : undefined}>
      {first !== undefined && (
        <th scope="row">
          <Opened {...props}>{first.cell(item)}</Opened>
        </th>
      )}
      {rest.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(item)}
        </td>
      ))}
      {actionsOf !== undefined && (
        <td className={classes.actions}>
          {actions.length > 0 && (
            <Menu
              label={t('resources.actionsOf', { name: nameOf(item) })}
              actions={actions.map((action) => ({ ...action, onAction: () => onAction(action) }))}
            >
              <IconButton icon="ellipsis" label={t('resources.actionsOf', { name: nameOf(item) })} size="s" />
            </Menu>
          )}
        </td>
      )}
    </tr>
  )
}

/** The name of a row; its link or button covers the row, so that a press anywhere opens it. */
function Opened<Item>(props: ResourceRowProps<Item> & { readonly children: ReactNode }) {
  const { item, hrefOf, onOpen, children } = props
  if (hrefOf !== undefined) {
    return (
      <Link to={hrefOf(item)} className={classes.opener}>
        {children}
      </Link>
    )
  }
  if (onOpen === undefined) return children
  return (
    <button type="button" className={classes.opener} onClick={() => onOpen(item)}>
      {children}
    </button>
  )
}

function classOf<Item>({ align, isSecondary = false }: ResourceColumn<Item>): string {
  return [align === 'end' ? classes.end : '', isSecondary ? classes.secondary : ''].join(' ').trim()
}
