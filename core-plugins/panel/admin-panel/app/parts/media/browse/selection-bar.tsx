import { useState } from 'react'
import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { DeleteFiles } from './delete-files.tsx'
import { DescribeFiles, maxDescribed } from './describe-files.tsx'
import { MoveFiles } from './move-files.tsx'
import classes from './selection-bar.module.css'

export interface SelectionBarProps {
  readonly files: readonly MediaFile[]
  readonly tree: readonly MediaFolderNode[]
  readonly onDone: () => void
}

/** The actions for selected files; replaces the toolbar. */
export function SelectionBar({ files, tree, onDone }: SelectionBarProps) {
  const access = useAccess()
  const [task, setTask] = useState<'describe' | 'move' | 'delete'>()
  const close = () => setTask(undefined)
  const done = () => {
    close()
    onDone()
  }
  return (
    <div role="toolbar" aria-label={t('media.withSelected')} className={classes.bar}>
      <IconButton icon="x" label={t('media.clearSelection')} onPress={onDone} />
      <span className={classes.count} role="status">
        {t('media.selected', { count: files.length })}
      </span>
      {access.mayMedia('write') && (
        <Button
          icon="square-pen"
          isDisabled={files.length > maxDescribed}
          onPress={() => setTask('describe')}
        >
          {t('media.describe')}
        </Button>
      )}
      {access.mayMedia('write') && (
        <Button icon="folder-input" onPress={() => setTask('move')}>
          {t('media.move')}
        </Button>
      )}
      {access.mayMedia('delete') && (
        <Button icon="trash-2" onPress={() => setTask('delete')}>
          {t('media.delete')}
        </Button>
      )}
      {task === 'describe' && <DescribeFiles files={files} onClose={close} onDone={done} />}
      {task === 'move' && <MoveFiles files={files} tree={tree} onClose={close} onDone={done} />}
      {task === 'delete' && <DeleteFiles files={files} onClose={close} onDone={done} />}
    </div>
  )
}
