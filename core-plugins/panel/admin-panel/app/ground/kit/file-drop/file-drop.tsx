import type { ClipboardEvent, ReactNode } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button/button.tsx'
import { Icon } from '../icon/icon.tsx'
import classes from './file-drop.module.css'

export interface FileDropProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Media types: `image/*`. */
  readonly accepted?: readonly string[]
  readonly allowsMultiple?: boolean
  readonly children?: ReactNode
  /** An alternative control beside the button. */
  readonly beside?: ReactNode
}

/** An area that accepts dropped, pasted or chosen files. */
export function FileDrop({ onFiles, accepted = [], allowsMultiple = true, children, beside }: FileDropProps) {
  // React Aria accepts pasted files only if copied as files, but not screenshots or pictures from a page.
  function paste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    onFiles(files)
  }
  return (
    <div onPaste={paste}>
      <DropZone
        className={classes.zone ?? ''}
        aria-label={t('kit.dropFiles')}
        onDrop={async ({ items }) => {
          const files = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []))
          onFiles(await Promise.all(files))
        }}
      >
        <Icon name="upload" size="l" />
        <p>{children ?? t('kit.dropFiles')}</p>
        <div className={classes.ways}>
          <FileTrigger
            allowsMultiple={allowsMultiple}
            {...(accepted.length === 0 ? {} : { acceptedFileTypes: accepted })}
            onSelect={(files) => files !== null && onFiles([...files])}
          >
            <Button>{t('kit.browse')}</Button>
          </FileTrigger>
          {beside}
        </div>
      </DropZone>
    </div>
  )
}
