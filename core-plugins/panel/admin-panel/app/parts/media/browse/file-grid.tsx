import { useMemo } from 'react'
import {
  Collection,
  GridList,
  GridListItem,
  GridListLoadMoreItem,
  type Selection,
} from 'react-aria-components/GridList'
import { GridLayout, Size, Virtualizer } from 'react-aria-components/Virtualizer'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { endingOf, formatDimensions } from '../../../content/files/file-format.ts'
import { Thumbnail } from '../../../content/files/thumbnail/thumbnail.tsx'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Spinner } from '../../../ground/kit/loading/loading.tsx'
import classes from './file-grid.module.css'
import { phone } from './phone.ts'

export interface FileGridProps {
  readonly label: string
  readonly files: readonly MediaFile[]
  /** `none`: files can only be opened. */
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selection: ReadonlySet<number>
  readonly onSelect: (ids: ReadonlySet<number>) => void
  /** Called on Enter or a click. Without it, a click selects. */
  readonly onOpen?: (id: number) => void
  readonly onNearEnd: () => void
  readonly isLoadingMore: boolean
}

const gap = 12

/**
 * Fits two pictures side by side on phones with 360 pixels. Columns fill the whole width, so that the grid is aligned with the
 * page.
 */
function gridLayout() {
  const minWidth = phone.matches ? 132 : 160
  return {
    minItemSize: new Size(minWidth, minWidth * 1.2),
    maxItemSize: new Size(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    minSpace: new Size(gap, gap),
    maxHorizontalSpace: gap,
    preserveAspectRatio: true,
  }
}

/** A grid of thumbnails that renders only visible ones; navigated with the arrow keys in both directions. */
export function FileGrid(props: FileGridProps) {
  const { label, files, selectionMode, selection, onSelect, onOpen, onNearEnd, isLoadingMore } = props
  const layoutOptions = useMemo(gridLayout, [])
  const known = useMemo(() => files.map(({ id }) => id), [files])
  return (
    <Virtualizer layout={GridLayout} layoutOptions={layoutOptions}>
      <GridList
        aria-label={label}
        layout="grid"
        className={classes.grid ?? ''}
        selectionMode={selectionMode}
        selectedKeys={selection}
        onSelectionChange={(keys) => onSelect(idsOf(keys, known))}
        {...(onOpen === undefined ? {} : { onAction: (key) => onOpen(Number(key)) })}
      >
        <Collection items={files} dependencies={[selectionMode]}>
          {(file) => <Card file={file} isSelectable={selectionMode === 'multiple'} />}
        </Collection>
        <GridListLoadMoreItem onLoadMore={onNearEnd} isLoading={isLoadingMore}>
          <Spinner />
        </GridListLoadMoreItem>
      </GridList>
    </Virtualizer>
  )
}

/** React Aria reports `'all'` instead of ids: every file loaded so far. */
export function idsOf(keys: Selection, known: readonly number[]): ReadonlySet<number> {
  return new Set(keys === 'all' ? known : [...keys].map(Number))
}

function Card({ file, isSelectable }: { readonly file: MediaFile; readonly isSelectable: boolean }) {
  const { originalName, size } = file
  const facts = [endingOf(originalName), formatDimensions(file) || formatBytes(size)].filter(Boolean)
  return (
    <GridListItem id={file.id} value={file} textValue={originalName} className={classes.card ?? ''}>
      <div className={classes.picture}>
        <Thumbnail file={file} />
        {isSelectable && (
          <span className={classes.check}>
            <Checkbox slot="selection" label={t('kit.select')} />
          </span>
        )}
      </div>
      <div className={classes.text}>
        <p className={classes.name} title={originalName}>
          {originalName}
        </p>
        <p className={classes.facts}>{facts.join(' · ')}</p>
      </div>
    </GridListItem>
  )
}
