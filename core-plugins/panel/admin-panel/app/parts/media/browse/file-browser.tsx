import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import type { ListedFiles } from '../media-queries.ts'
import { isFiltered, type MediaView } from '../media-view.ts'
import { UploadButton } from '../upload/upload-button.tsx'
import classes from './file-browser.module.css'
import { FileGrid, type FileGridProps } from './file-grid.tsx'
import { FileTable } from './file-table.tsx'

export interface FileBrowserProps extends Pick<FileGridProps, 'selectionMode' | 'selection' | 'onSelect'> {
  readonly view: MediaView
  readonly list: ListedFiles
  readonly onChange: (change: Partial<MediaView>) => void
  readonly onOpen?: (id: number) => void
  /** Set if the user may upload files here. */
  readonly onUpload?: (files: readonly File[]) => void
}

/** The files of a view in its layout, or the reason why there are none. */
export function FileBrowser({ view, list, onChange, onUpload, onOpen, ...choosing }: FileBrowserProps) {
  const { files, error, loadMore, isLoadingMore } = list
  if (files === undefined) return error === null ? <Placeholders /> : <Failed error={error} />
  if (files.length === 0) {
    return <NoFiles view={view} onChange={onChange} {...(onUpload === undefined ? {} : { onUpload })} />
  }
  const shared = { ...choosing, label: t('media.files'), files, onNearEnd: loadMore, isLoadingMore }
  return (
    <div className={classes.browser}>
      {view.layout === 'list' && onOpen !== undefined ? (
        <FileTable {...shared} onOpen={onOpen} sort={view.sort} onSort={(sort) => onChange({ sort })} />
      ) : (
        <FileGrid {...shared} {...(onOpen === undefined ? {} : { onOpen })} />
      )}
    </div>
  )
}

/** Placeholders for the first files. */
function Placeholders() {
  return (
    <div role="status" aria-label={t('kit.loading')} className={classes.placeholders}>
      {Array.from({ length: 8 }, (_, index) => `box-${index}`).map((key) => (
        <span key={key} className={classes.placeholder} />
      ))}
    </div>
  )
}

function Failed({ error }: { readonly error: unknown }) {
  return (
    <EmptyState icon="circle-alert" title={t('media.failed')}>
      {errorText(error)}
    </EmptyState>
  )
}

function NoFiles({ view, onChange, onUpload }: Pick<FileBrowserProps, 'view' | 'onChange' | 'onUpload'>) {
  if (isFiltered(view)) {
    return (
      <EmptyState
        icon="search-x"
        title={t('media.noMatch')}
        action={
          view.folder === 'all' ? (
            <Button onPress={() => onChange({ search: '', kind: 'all', tag: '' })}>
              {t('media.clearFilters')}
            </Button>
          ) : (
            <Button onPress={() => onChange({ folder: 'all' })}>{t('media.searchEverywhere')}</Button>
          )
        }
      >
        {t('media.noMatchText')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="image-plus"
      title={view.folder === 'all' ? t('media.empty') : t('media.emptyFolder')}
      action={
        onUpload !== undefined && <UploadButton onFiles={onUpload}>{t('media.upload.start')}</UploadButton>
      }
    >
      {onUpload !== undefined && t('media.emptyText')}
    </EmptyState>
  )
}
