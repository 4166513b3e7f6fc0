import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { uploads } from '../../content/files/upload/uploads.ts'
import { useUploadLimits } from '../../content/files/upload/use-upload-limits.ts'
import { useAccess } from '../../ground/access/access.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { FileBrowser } from './browse/file-browser.tsx'
import { FileToolbar } from './browse/file-toolbar.tsx'
import { SelectionBar } from './browse/selection-bar.tsx'
import { FolderBar } from './folders/folder-bar.tsx'
import { FolderDialog, type FolderTask } from './folders/folder-dialogs.tsx'
import { FolderPane } from './folders/folder-pane.tsx'
import { findFolder } from './folders/folder-paths.ts'
import classes from './media.module.css'
import { useFolderTree, useMediaList } from './media-queries.ts'
import type { MediaView } from './media-view.ts'
import { DropArea } from './upload/drop-area.tsx'
import { UploadButton } from './upload/upload-button.tsx'
import { useMediaView } from './use-media-view.ts'

const noFiles: ReadonlySet<number> = new Set()

/** The media library. */
export default function Media() {
  const access = useAccess()
  const [, navigate] = useLocation()
  const [view, change] = useMediaView()
  const list = useMediaList(view)
  const tree = useFolderTree() ?? []
  const [selection, setSelection] = useState(noFiles)
  const [task, setTask] = useState<FolderTask>()
  const folder = typeof view.folder === 'number' ? view.folder : undefined
  const upload = useUpload(folder)
  const show = (values: Partial<MediaView>) => {
    setSelection(noFiles)
    change(values)
  }
  const mayUpload = access.mayMedia('write')
  const isSelectable = mayUpload || access.mayMedia('delete')
  return (
    <Page
      title={t('media.title')}
      aside={<Total total={list.total} />}
      actions={mayUpload && <UploadButton onFiles={upload}>{t('media.upload.start')}</UploadButton>}
    >
      <div className={classes.library}>
        <FolderPane
          tree={tree}
          current={view.folder}
          onChoose={(chosen) => show({ folder: chosen })}
          onTask={setTask}
        />
        <DropArea
          className={classes.content}
          isEnabled={mayUpload}
          onFiles={upload}
          hint={dropHint(tree, folder)}
        >
          <FolderBar tree={tree} view={view} onTask={setTask} />
          {selection.size === 0 ? (
            <FileToolbar view={view} onChange={show} />
          ) : (
            <SelectionBar
              files={(list.files ?? []).filter(({ id }) => selection.has(id))}
              tree={tree}
              onDone={() => setSelection(noFiles)}
            />
          )}
          <FileBrowser
            view={view}
            list={list}
            onChange={show}
            selectionMode={isSelectable ? 'multiple' : 'none'}
            selection={selection}
            onSelect={setSelection}
            onOpen={(id) => navigate(`/media/${id}`)}
            {...(mayUpload ? { onUpload: upload } : {})}
          />
        </DropArea>
      </div>
      {task !== undefined && (
        <FolderDialog
          task={task}
          tree={tree}
          onClose={() => setTask(undefined)}
          onDone={(shown) => {
            setTask(undefined)
            show({ folder: shown ?? 'all' })
          }}
        />
      )}
    </Page>
  )
}

/** Uploads into a folder, or into none. */
function useUpload(folder: number | undefined) {
  const limits = useUploadLimits()
  return useCallback((files: readonly File[]) => uploads.add(files, { folder, limits }), [folder, limits])
}

function Total({ total }: { readonly total: number | undefined }) {
  if (total === undefined) return null
  return (
    <span className={classes.total}>
      {t('media.total', { count: total, shown: total.toLocaleString(writtenLocale()) })}
    </span>
  )
}

function dropHint(tree: Parameters<typeof findFolder>[0], folder: number | undefined): string {
  const name = folder === undefined ? undefined : findFolder(tree, folder)?.folder.name
  return name === undefined ? t('media.upload.drop') : t('media.upload.dropInto', { name })
}
