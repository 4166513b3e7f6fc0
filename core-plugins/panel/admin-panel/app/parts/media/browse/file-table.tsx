import { useMemo } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { formatDimensions } from '../../../content/files/file-format.ts'
import { Thumbnail } from '../../../content/files/thumbnail/thumbnail.tsx'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { DataGrid } from '../../../ground/kit/data-grid/data-grid.tsx'
import type { GridColumn } from '../../../ground/kit/data-grid/grid-column.ts'
import type { MediaSort } from '../media-view.ts'
import { type FileGridProps, idsOf } from './file-grid.tsx'
import classes from './file-table.module.css'
import { phone } from './phone.ts'

export interface FileTableProps extends Omit<FileGridProps, 'onOpen'> {
  readonly onOpen: (id: number) => void
  readonly sort: MediaSort
  readonly onSort: (sort: MediaSort) => void
}

/** A table of files with their properties. */
export function FileTable(props: FileTableProps) {
  const { label, files, selectionMode, selection, onSelect, onOpen, sort, onSort } = props
  const columns = useMemo(allColumns, [])
  const known = useMemo(() => files.map(({ id }) => id), [files])
  const [column = '', direction] = sort.split(':')
  return (
    <DataGrid
      label={label}
      columns={columns}
      items={files}
      sort={{ column, direction: direction === 'desc' ? 'descending' : 'ascending' }}
      onSort={(chosen) =>
        onSort(`${chosen.column}:${chosen.direction === 'descending' ? 'desc' : 'asc'}` as MediaSort)
      }
      {...(selectionMode === 'none'
        ? {}
        : { selection: new Set(selection), onSelect: (keys) => onSelect(idsOf(keys, known)) })}
      onOpen={(id) => onOpen(Number(id))}
      onNearEnd={props.onNearEnd}
      isLoadingMore={props.isLoadingMore}
      rowHeight={52}
      empty={null}
    />
  )
}

/** On phones, there is room for the name and one other column. */
function allColumns(): readonly GridColumn<MediaFile>[] {
  const columns = wideColumns()
  return phone.matches ? columns.filter(({ id }) => id === 'originalName' || id === 'size') : columns
}

function wideColumns(): readonly GridColumn<MediaFile>[] {
  const dates = new Intl.DateTimeFormat(writtenLocale(), { dateStyle: 'medium' })
  return [
    {
      id: 'originalName',
      label: t('media.name'),
      isSortable: true,
      minWidth: phone.matches ? 160 : 220,
      cell: (file) => (
        <span className={classes.name}>
          <span className={classes.picture}>
            <Thumbnail file={file} fit="cover" isSmall />
          </span>
          <span className={classes.text} title={file.originalName}>
            {file.originalName}
          </span>
        </span>
      ),
    },
    {
      id: 'alt',
      label: t('media.alt'),
      cell: ({ alt }) => <span className={classes.text}>{alt ?? ''}</span>,
    },
    { id: 'dimensions', label: t('media.dimensions'), width: 124, cell: formatDimensions },
    {
      id: 'size',
      label: t('media.size'),
      width: 96,
      minWidth: 96,
      isSortable: true,
      cell: ({ size }) => formatBytes(size),
    },
    {
      id: 'created_at',
      label: t('media.uploaded'),
      width: 128,
      isSortable: true,
      cell: ({ created_at }) => dates.format(new Date(created_at)),
    },
  ]
}
