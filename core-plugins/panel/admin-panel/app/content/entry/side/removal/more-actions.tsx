import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useAccess } from '../../../../ground/access/access.ts'
import { t, withTexts } from '../../../../ground/i18n/translate.ts'
import { IconButton } from '../../../../ground/kit/button/button.tsx'
import { Menu } from '../../../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../../../ground/kit/menu/menu-action.ts'
import { lazyPart } from '../../../../ground/lazy/lazy-part.ts'
import type { SavedEntry } from '../publication/publication-requests.ts'
import { useSavedEntry } from '../publication/use-saved-entry.ts'

const AddToReleaseDialog = lazyPart(
  withTexts('calendar', () => import('../../../../parts/releases/add-to-release-dialog.tsx')),
)
const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'))
const RequestDialog = lazyPart(
  withTexts('requests', () => import('../../../../parts/http/entry-request-dialog.tsx')),
)

type Asked = 'release' | 'request' | 'delete'

/** What is done seldom: duplicate, add to a release, ask for it by a program, delete. */
export function MoreActions() {
  const entry = useSavedEntry()
  const [asked, ask] = useState<Asked>()
  const actions = useActions(entry, ask)
  const close = () => ask(undefined)
  if (entry === undefined) return null
  return (
    <>
      <Menu label={t('removal.actions')} actions={actions}>
        <IconButton icon="ellipsis-vertical" label={t('removal.actions')} />
      </Menu>
      <Suspense fallback={null}>
        {asked === 'release' && <AddToReleaseDialog type={entry.type} ids={[entry.id]} onClose={close} />}
        {asked === 'request' && <RequestDialog onClose={close} />}
        {asked === 'delete' && <DeleteDialog entry={entry} onClose={close} />}
      </Suspense>
    </>
  )
}

function useActions(entry: SavedEntry | undefined, ask: (what: Asked) => void): MenuAction[] {
  const access = useAccess()
  const [, navigate] = useLocation()
  if (entry === undefined) return []
  const { type, id, locale } = entry
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
    onAction: () => ask('delete'),
  }
  const release: MenuAction = {
    id: 'release',
    label: t('removal.addToRelease'),
    icon: 'package',
    onAction: () => ask('release'),
  }
  const isReleased =
    access.isOn('releases') &&
    type.options.draftAndPublish === true &&
    access.mayContent(type.name, 'publish')
  return [
    ...(type.kind === 'collectionType' && access.mayContent(type.name, 'create') ? [duplicate] : []),
    ...(isReleased ? [release] : []),
    { id: 'request', label: t('removal.asRequest'), icon: 'terminal', onAction: () => ask('request') },
    ...(access.mayContent(type.name, 'delete') ? [remove] : []),
  ]
}
