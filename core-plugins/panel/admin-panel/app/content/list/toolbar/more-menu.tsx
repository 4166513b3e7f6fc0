import { Suspense, useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { useContributions } from '../../../shell/panel-part.ts'
import type { List } from '../list-context.ts'
import type { ListMenuItem } from '../list-parts.ts'

const ExportDialog = lazyPart(() => import('../export/export-dialog.tsx'))

/** The menu of rarely used actions of a list. */
export function MoreMenu({ list }: { readonly list: List }) {
  const [asked, ask] = useState<string>()
  const contributed = useContributions('listMenu')
  const Dialog = contributed.find(({ id }) => id === asked)?.dialog
  const close = () => ask(undefined)
  return (
    <>
      <Menu label={t('list.more')} actions={actionsOf(list, contributed, ask)}>
        <IconButton look="secondary" icon="ellipsis" label={t('list.more')} />
      </Menu>
      <Suspense>
        {Dialog !== undefined && <Dialog list={list} onClose={close} />}
        {(asked === 'csv' || asked === 'json') && <ExportDialog list={list} format={asked} onClose={close} />}
      </Suspense>
    </>
  )
}

function actionsOf(
  { type, state, access, change, total }: List,
  contributed: readonly ListMenuItem[],
  ask: (what: string) => void,
) {
  const isDisabled = total === 0
  const { isTrash } = state
  return [
    { id: 'csv', label: t('list.exportCsv'), icon: 'download', isDisabled, onAction: () => ask('csv') },
    { id: 'json', label: t('list.exportJson'), icon: 'braces', isDisabled, onAction: () => ask('json') },
    ...contributed.map(({ id, label, icon }) => ({ id, label: label(), icon, onAction: () => ask(id) })),
    ...(type.options.softDelete === true && access.isAdministrator
      ? [
          {
            id: 'trash',
            label: t(isTrash ? 'list.leaveTrash' : 'list.openTrash'),
            icon: isTrash ? 'arrow-left' : 'trash-2',
            onAction: () => change({ ...untouched, isTrash: !isTrash }),
          },
        ]
      : []),
  ]
}

/** Opening the trash resets the list's filters and sorting. */
const untouched = { search: '', filters: [], sort: undefined, publication: undefined, view: undefined }
