import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useAccess } from '../../../../ground/access/access.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { IconButton } from '../../../../ground/kit/button/button.tsx'
import { Menu } from '../../../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../../../ground/kit/menu/menu-action.ts'
import { lazyPart } from '../../../../ground/lazy/lazy-part.ts'
import { useContributions } from '../../../../shell/panel-part.ts'
import { type EntryMenuItem, isFor } from '../../entry-parts.ts'
import type { SavedEntry } from '../publication/publication-requests.ts'
import { useSavedEntry } from '../publication/use-saved-entry.ts'

const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'))

/** The menu of rarely used actions: duplicate, actions of plugins, delete. */
export function MoreActions() {
  const entry = useSavedEntry()
  const access = useAccess()
  const [asked, ask] = useState<string>()
  const contributed = useContributions('entryMenu')
  if (entry === undefined) return null
  const { type, id } = entry
  const further = contributed.filter(isFor({ type, isNew: false, access }))
  const Dialog = further.find((item) => item.id === asked)?.dialog
  const close = () => ask(undefined)
  return (
    <>
      <MoreMenu entry={entry} further={further} onAsk={ask} />
      <Suspense fallback={null}>
        {Dialog !== undefined && <Dialog type={type} ids={[id]} onClose={close} />}
        {asked === 'delete' && <DeleteDialog entry={entry} onClose={close} />}
      </Suspense>
    </>
  )
}

interface MoreMenuProps {
  readonly entry: SavedEntry
  readonly further: readonly EntryMenuItem[]
  readonly onAsk: (what: string) => void
}

function MoreMenu({ entry: { type, id, locale }, further, onAsk }: MoreMenuProps) {
  const access = useAccess()
  const [, navigate] = useLocation()
  const inLocale = locale === undefined ? '' : `&locale=${locale}`
  const duplicate: MenuAction = {
    id: 'duplicate',
    label: t('removal.duplicate'),
    icon: 'copy',
    onAction: () => navigate(`/content/${type.name}/new?from=${id}${inLocale}`),
  }
  const remove: MenuAction = {
    id: 'delete',
    label: t('removal.deleteAsk'),
    icon: 'trash-2',
    isDangerous: true,
    onAction: () => onAsk('delete'),
  }
  const actions = [
    ...(type.kind === 'collectionType' && access.mayContent(type.name, 'create') ? [duplicate] : []),
    ...further.map((item) => ({
      id: item.id,
      label: item.label(),
      icon: item.icon,
      onAction: () => onAsk(item.id),
    })),
    ...(access.mayContent(type.name, 'delete') ? [remove] : []),
  ]
  return (
    <Menu label={t('removal.actions')} actions={actions}>
      <IconButton icon="ellipsis-vertical" label={t('removal.actions')} />
    </Menu>
  )
}
