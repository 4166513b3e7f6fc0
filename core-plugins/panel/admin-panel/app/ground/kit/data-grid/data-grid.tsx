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
  /** What a row is called where it is spoken of; default: its id. */
  readonly nameOf?: (item: Item) => string
  readonly sort?: SortDescriptor
  readonly onSort?: (sort: SortDescriptor) => void
  /** With it, rows can be selected. */
  readonly selection?: Selection
  readonly onSelect?: (selection: Selection) => void
  /** Enter, or a press on a row. */
  readonly onOpen?: (id: string) => void
  /** The address that a row leads to: Enter, a press, or a press with Ctrl for another tab. */
  readonly hrefOf?: (item: Item) => string
  /** The pointer rests on a row, which may be opened next. */
  readonly onPoint?: (item: Item) => void
  /** There are more rows: called when those that are there come to an end. */
  readonly onNearEnd?: () => void
  readonly isLoadingMore?: boolean
  /** With it, columns can be made wider and narrower; called with the widths in pixels when that is done. */
  readonly onResize?: (widths: ReadonlyMap<string, number>) => void
  readonly empty: ReactNode
  readonly rowHeight?: number
  /** It reaches the edges of the page; its first column begins where the page's text does. */
  readonly isFullWidth?: boolean
}

const defaultRowHeight = 44
const headingHeight = 36

/** Rows of which only the visible ones are in the page; walked with the arrow keys, selected with Space. */
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

/** Without those that still share what is left. */
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
