import { type Key, type ReactNode, useMemo } from 'react'
import { Collection } from 'react-aria-components/Collection'
import {
  Cell,
  ResizableTableContainer,
  Row,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
  TableLoadMoreItem,
} from 'react-aria-components/Table'
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { t } from '../../i18n/translate.ts'
import { Checkbox } from '../checkbox/checkbox.tsx'
import { Spinner } from '../loading/loading.tsx'
import classes from './data-grid.module.css'
import type { GridColumn } from './grid-column.ts'
import { Heading, SelectionHeading } from './heading.tsx'

export interface DataGridProps<Item extends { readonly id: number | string }> {
  readonly label: string
  /** The first one names the row. */
  readonly columns: readonly GridColumn<Item>[]
  readonly items: readonly Item[]
  /** The name of a row in messages; by default its id. */
  readonly nameOf?: (item: Item) => string
  readonly sort?: SortDescriptor
  readonly onSort?: (sort: SortDescriptor) => void
  /** If set, rows can be selected. */
  readonly selection?: Selection
  readonly onSelect?: (selection: Selection) => void
  /** Called on Enter or a click on a row. */
  readonly onOpen?: (id: string) => void
  /** The URL that a row opens on Enter or a click; with Ctrl in a new tab. */
  readonly hrefOf?: (item: Item) => string
  /** Called when the pointer rests on a row, so that it can be prefetched. */
  readonly onPoint?: (item: Item) => void
  /** Set if there are more rows: called when the user scrolls near the end. */
  readonly onNearEnd?: () => void
  readonly isLoadingMore?: boolean
  /** If set, columns can be resized; called afterwards with the widths in pixels. */
  readonly onResize?: (widths: ReadonlyMap<string, number>) => void
  readonly empty: ReactNode
  readonly rowHeight?: number
  /** Whether the grid extends to the edges of the page; its first column is aligned with the page's text. */
  readonly isFullWidth?: boolean
}

const defaultRowHeight = 44
const headingHeight = 36

/** A grid that renders only its visible rows; navigated with the arrow keys, selected with Space. */
export function DataGrid<Item extends { readonly id: number | string }>(props: DataGridProps<Item>) {
  const { label, sort, onSort, selection, onSelect, onOpen, onResize } = props
  const { rowHeight = defaultRowHeight } = props
  const layoutOptions = useMemo(() => ({ rowHeight, headingHeight, loaderHeight: rowHeight }), [rowHeight])
  const table = (
    <Virtualizer layout={TableLayout} layoutOptions={layoutOptions}>
      <Table
        aria-label={label}
        className={`${classes.grid} ${props.isFullWidth === true ? classes.full : ''}`}
        selectionMode={onSelect === undefined ? 'none' : 'multiple'}
        {...(selection === undefined ? {} : { selectedKeys: selection })}
        {...(onSelect === undefined ? {} : { onSelectionChange: onSelect })}
        {...(sort === undefined ? {} : { sortDescriptor: sort })}
        {...(onSort === undefined ? {} : { onSortChange: onSort })}
        {...(onOpen === undefined ? {} : { onRowAction: (key) => onOpen(String(key)) })}
      >
        <Headings {...props} />
        <Rows {...props} />
      </Table>
    </Virtualizer>
  )
  if (onResize === undefined) return table
  return (
    <ResizableTableContainer
      className={classes.resizable ?? ''}
      onResizeEnd={(widths) => onResize(inPixels(widths))}
    >
      {table}
    </ResizableTableContainer>
  )
}

/** Drops columns that still have a flexible width. */
function inPixels(widths: ReadonlyMap<Key, unknown>): ReadonlyMap<string, number> {
  const sized = [...widths].filter((entry): entry is [Key, number] => typeof entry[1] === 'number')
  return new Map(sized.map(([key, width]) => [String(key), Math.round(width)]))
}

function Headings<Item extends { readonly id: number | string }>(props: DataGridProps<Item>) {
  const { columns, onSelect, onResize } = props
  return (
    <TableHeader className={classes.header ?? ''}>
      {onSelect !== undefined && <SelectionHeading isFullWidth={props.isFullWidth ?? false} />}
      {columns.map((column, index) => (
        <Heading key={column.id} column={column} isFirst={index === 0} isResizable={onResize !== undefined} />
      ))}
    </TableHeader>
  )
}

function Rows<Item extends { readonly id: number | string }>(props: DataGridProps<Item>) {
  const { columns, items, empty, onNearEnd, isLoadingMore = false, hrefOf } = props
  return (
    <TableBody renderEmptyState={() => empty}>
      <Collection items={items} dependencies={[columns, hrefOf]}>
        {(item) => <GridRow {...props} item={item} />}
      </Collection>
      {onNearEnd !== undefined && items.length > 0 && (
        <TableLoadMoreItem onLoadMore={onNearEnd} isLoading={isLoadingMore} className={classes.more ?? ''}>
          <Spinner />
        </TableLoadMoreItem>
      )}
    </TableBody>
  )
}

function GridRow<Item extends { readonly id: number | string }>(
  props: DataGridProps<Item> & { readonly item: Item },
) {
  const { item, columns, onSelect, hrefOf, onPoint, nameOf } = props
  return (
    <Row
      id={item.id}
      className={classes.row ?? ''}
      {...(nameOf === undefined ? {} : { textValue: nameOf(item) })}
      {...(hrefOf === undefined ? {} : { href: hrefOf(item) })}
      {...(onPoint === undefined ? {} : { onHoverStart: () => onPoint(item) })}
    >
      {onSelect !== undefined && (
        <Cell className={`${classes.cell} ${classes.pick}`}>
          <Checkbox slot="selection" label={t('kit.select')} />
        </Cell>
      )}
      {columns.map((column) => (
        <Cell key={column.id} className={`${classes.cell} ${column.align === 'end' ? classes.end : ''}`}>
          {column.cell(item)}
        </Cell>
      ))}
    </Row>
  )
}
