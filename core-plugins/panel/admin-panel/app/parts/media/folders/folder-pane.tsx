import { useState } from 'react'
import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import type { MediaView } from '../media-view.ts'
import type { FolderTask } from './folder-dialogs.tsx'
import classes from './folder-pane.module.css'
import { FolderTree } from './folder-tree.tsx'

export interface FolderPaneProps {
  readonly tree: readonly MediaFolderNode[]
  readonly current: MediaView['folder']
  readonly onChoose: (folder: MediaView['folder']) => void
  readonly onTask: (task: FolderTask) => void
}

/** The folder tree beside the files; on phones behind a button. */
export function FolderPane({ tree, current, onChoose, onTask }: FolderPaneProps) {
  const [isOpen, setOpen] = useState(false)
  const access = useAccess()
  const create = () => {
    setOpen(false)
    onTask({ kind: 'create', parent: typeof current === 'number' ? current : null })
  }
  // The tree unfolds the path to the current folder on creation, so that a link to a deep folder shows it.
  const folders = (choose: FolderPaneProps['onChoose']) => (
    <FolderTree key={tree.length === 0 ? 'empty' : 'full'} tree={tree} current={current} onChoose={choose} />
  )
  return (
    <>
      <aside className={classes.pane} aria-label={t('media.folders')}>
        <div className={classes.header}>
          <h2 className={classes.title}>{t('media.folders')}</h2>
          {access.mayMedia('write') && (
            <IconButton size="s" icon="folder-plus" label={t('media.newFolder')} onPress={create} />
          )}
        </div>
        {folders(onChoose)}
      </aside>
      <div className={classes.narrow}>
        <Button icon="folder-tree" onPress={() => setOpen(true)}>
          {t('media.folders')}
        </Button>
        <Drawer
          title={t('media.folders')}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          {...(access.mayMedia('write')
            ? {
                actions: (
                  <Button icon="folder-plus" onPress={create}>
                    {t('media.newFolder')}
                  </Button>
                ),
              }
            : {})}
        >
          {folders((chosen) => {
            setOpen(false)
            onChoose(chosen)
          })}
        </Drawer>
      </div>
    </>
  )
}
