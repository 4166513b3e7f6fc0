import { Group } from 'react-aria-components/Group'
import { Column, ColumnResizer } from 'react-aria-components/Table'
import { t } from '../../i18n/translate.ts'
import { Checkbox } from '../checkbox/checkbox.tsx'
import { Icon } from '../icon/icon.tsx'
import { useIsNarrow } from '../page/use-is-narrow.ts'
import classes from './data-grid.module.css'
import type { GridColumn } from './grid-column.ts'

const boxWidth = 44

/** In pixels: the margin of a page minus the padding of a cell. */
const fullWidthInset = 20
const narrowInset = 4

/** The checkbox that selects all rows. */
export function SelectionHeading({ isFullWidth }: { readonly isFullWidth: boolean }) {
  const inset = useIsNarrow() ? narrowInset : fullWidthInset
  const width = boxWidth + (isFullWidth ? inset : 0)
  return (
    <Column width={width} minWidth={width} className={`${classes.heading} ${classes.pick}`}>
      <Checkbox slot="selection" label={t('kit.selectAll')} />
    </Column>
  )
}

interface HeadingProps<Item> {
  readonly column: GridColumn<Item>
  readonly isFirst: boolean
  readonly isResizable: boolean
}

/** A column heading; clicking it sorts, dragging its edge resizes the column. */
export function Heading<Item>({ column, isFirst, isResizable }: HeadingProps<Item>) {
  const { id, label, isSortable = false, minWidth = 120, align } = column
  const width = column.width ?? (isFirst ? '2fr' : '1fr')
  return (
    <Column
      id={id}
      isRowHeader={isFirst}
      textValue={label}
      allowsSorting={isSortable}
      minWidth={minWidth}
      {...(isResizable ? { defaultWidth: width } : { width })}
      className={`${classes.heading} ${align === 'end' ? classes.end : ''}`}
    >
      {({ sortDirection }) => (
        <>
          {isResizable ? (
            <Group role="presentation" tabIndex={-1} className={classes.label ?? ''}>
              {label}
            </Group>
          ) : (
            <span className={classes.label}>{label}</span>
          )}
          {sortDirection !== undefined && (
            <Icon name={sortDirection === 'ascending' ? 'arrow-up' : 'arrow-down'} size="s" />
          )}
          {isResizable && <ColumnResizer className={classes.resizer ?? ''} aria-label={t('kit.resize')} />}
        </>
      )}
    </Column>
  )
}
