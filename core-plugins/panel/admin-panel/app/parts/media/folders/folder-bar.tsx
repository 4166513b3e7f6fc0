import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../../ground/kit/menu/menu-action.ts'
import { addressOf, type MediaView } from '../media-view.ts'
import classes from './folder-bar.module.css'
import type { FolderTask } from './folder-dialogs.tsx'
import { findFolder } from './folder-paths.ts'

export interface FolderBarProps {
  readonly tree: readonly MediaFolderNode[]
  readonly view: MediaView
  readonly onTask: (task: FolderTask) => void
}

/** The path of the current folder and its actions. */
export function FolderBar({ tree, view, onTask }: FolderBarProps) {
  const { folder: current } = view
  const path = typeof current === 'number' ? (findFolder(tree, current)?.path ?? []) : []
  const last = path.at(-1)
  return (
    <div className={classes.bar}>
      <nav aria-label={t('media.path')}>
        <ol className={classes.path}>
          <li>
            {current === 'all' ? (
              <span aria-current="page">{t('media.allFiles')}</span>
            ) : (
              <Link to={addressOf({ ...view, folder: 'all' })}>{t('media.allFiles')}</Link>
            )}
          </li>
          {current === 'root' && <Step name={t('media.noFolder')} />}
          {path.map((folder) => (
            <Step
              key={folder.id}
              name={folder.name}
              {...(folder === last ? {} : { to: addressOf({ ...view, folder: folder.id }) })}
            />
          ))}
        </ol>
      </nav>
      {last !== undefined && <FolderMenu folder={last} onTask={onTask} />}
    </div>
  )
}

function Step({ name, to }: { readonly name: string; readonly to?: string }) {
  return (
    <li>
      <Icon name="chevron-right" size="s" />
      {to === undefined ? <span aria-current="page">{name}</span> : <Link to={to}>{name}</Link>}
    </li>
  )
}

function FolderMenu({
  folder,
  onTask,
}: {
  readonly folder: MediaFolderNode
  readonly onTask: FolderBarProps['onTask']
}) {
  const access = useAccess()
  const actions: MenuAction[] = []
  if (access.mayMedia('write')) {
    actions.push(
      {
        id: 'create',
        icon: 'folder-plus',
        label: t('media.newFolderInside'),
        onAction: () => onTask({ kind: 'create', parent: folder.id }),
      },
      {
        id: 'change',
        icon: 'pencil',
        label: t('media.changeFolder'),
        onAction: () => onTask({ kind: 'change', folder }),
      },
    )
  }
  if (access.mayMedia('delete')) {
    actions.push({
      id: 'delete',
      icon: 'trash-2',
      isDangerous: true,
      label: t('media.deleteFolder'),
      onAction: () => onTask({ kind: 'delete', folder }),
    })
  }
  if (actions.length === 0) return null
  return (
    <Menu label={t('media.folderActions')} actions={actions}>
      <IconButton size="s" icon="ellipsis" label={t('media.folderActions')} />
    </Menu>
  )
}
