import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { type Key, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import type { MediaView } from '../media-view.ts'
import { findFolder } from './folder-paths.ts'
import classes from './folder-tree.module.css'

export interface FolderTreeProps {
  readonly tree: readonly MediaFolderNode[]
  readonly current: MediaView['folder']
  readonly onChoose: (folder: MediaView['folder']) => void
}

/** The folder tree: navigated with the arrow keys, opened with Enter. The path to the current folder is unfolded. */
export function FolderTree({ tree, current, onChoose }: FolderTreeProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<Key>>(() => new Set(above(tree, current)))
  const choose = (key: Key) => onChoose(key === 'all' || key === 'root' ? key : Number(key))
  return (
    <Tree
      className={classes.tree ?? ''}
      aria-label={t('media.folders')}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={[current]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined && key !== current) choose(key)
      }}
      expandedKeys={new Set([...unfolded])}
      onExpandedChange={setUnfolded}
    >
      <Row id="all" name={t('media.allFiles')} icon="library" />
      <Row id="root" name={t('media.noFolder')} icon="inbox" />
      <Collection items={tree}>{folderRow}</Collection>
    </Tree>
  )
}

/** The tree's row function, the same for every level. */
function folderRow(folder: MediaFolderNode) {
  return (
    <TreeItem id={folder.id} textValue={folder.name} className={classes.item ?? ''}>
      <RowContent name={folder.name} icon="folder" />
      <Collection items={folder.children}>{folderRow}</Collection>
    </TreeItem>
  )
}

function Row({ id, ...content }: { readonly id: string; readonly name: string; readonly icon: string }) {
  return (
    <TreeItem id={id} textValue={content.name} className={classes.item ?? ''}>
      <RowContent {...content} />
    </TreeItem>
  )
}

function RowContent({ name, icon }: { readonly name: string; readonly icon: string }) {
  return (
    <TreeItemContent>
      {({ hasChildItems, isExpanded, level }) => (
        <div className={classes.row} style={{ paddingInlineStart: `${(level - 1) * 0.875}rem` }}>
          {hasChildItems ? (
            <Button slot="chevron" className={classes.chevron ?? ''}>
              <Icon name={isExpanded ? 'chevron-down' : 'chevron-right'} size="s" />
            </Button>
          ) : (
            <span className={classes.chevron} />
          )}
          <Icon name={icon} />
          <span className={classes.name} title={name}>
            {name}
          </span>
        </div>
      )}
    </TreeItemContent>
  )
}

const above = (tree: readonly MediaFolderNode[], current: MediaView['folder']) =>
  typeof current === 'number' ? (findFolder(tree, current)?.path ?? []).map(({ id }) => id) : []
