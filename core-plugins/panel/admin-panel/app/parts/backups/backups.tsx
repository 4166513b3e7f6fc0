import { Suspense, useState } from 'react'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { formatBytes } from '../../ground/i18n/bytes-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Button } from '../../ground/kit/button/button.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { type Backup, backupsResource, backupsScreen, backupTones } from './backup.ts'

const dialogs = {
  new: lazyPart(() => import('./new-backup.tsx')),
  upload: lazyPart(() => import('./upload-backup.tsx')),
  schedule: lazyPart(() => import('./backup-schedule.tsx')),
}

/** The list of backups. */
export default function BackupsScreen() {
  const mayWrite = useAccess().mayArea('backups', 'write')
  return (
    <Page title={t('operations.backups.title')} actions={mayWrite && <Actions />}>
      <ResourceList<Backup>
        label={t('operations.backups.title')}
        resource={backupsResource}
        columns={columns()}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `${backupsScreen}/${id}`}
        empty={{
          icon: 'archive',
          title: t('operations.backups.empty'),
          text: t('operations.backups.emptyText'),
        }}
        {...(mayWrite ? { actionsOf } : {})}
      />
    </Page>
  )
}

const columns = (): readonly ResourceColumn<Backup>[] => [
  { id: 'name', label: t('operations.backups.name'), cell: ({ name }) => name },
  {
    id: 'status',
    label: t('operations.backups.status'),
    cell: ({ status }) => (
      <Badge tone={backupTones[status]}>{t(`operations.backups.statuses.${status}`)}</Badge>
    ),
  },
  {
    id: 'size',
    label: t('operations.backups.size'),
    cell: ({ size }) => (size === null ? '' : formatBytes(size)),
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'created',
    label: t('operations.backups.created'),
    cell: ({ created_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
  {
    id: 'expires',
    label: t('operations.backups.expires'),
    cell: ({ expires_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

const actionsOf = (backup: Backup): readonly RowAction[] => [deleteAction(backup)]

/** Deletes a backup, after confirmation. */
export const deleteAction = ({ id, name }: Backup): RowAction => ({
  id: 'delete',
  label: t('operations.backups.delete'),
  icon: 'trash-2',
  isDangerous: true,
  confirm: {
    title: t('operations.backups.deleteTitle', { name }),
    text: t('operations.backups.deleteText'),
    action: t('operations.backups.delete'),
  },
  done: t('operations.backups.deleted'),
  run: () => api.send('DELETE', `${backupsResource.path}/${id}`),
})

function Actions() {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const { isOn } = useAccess()
  const Dialog = open === undefined ? undefined : dialogs[open]
  return (
    <>
      {isOn('schedules') && (
        <Button icon="calendar-clock" onPress={() => setOpen('schedule')}>
          {t('operations.backups.schedule')}
        </Button>
      )}
      <Button icon="upload" onPress={() => setOpen('upload')}>
        {t('operations.backups.upload')}
      </Button>
      <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
        {t('operations.backups.new')}
      </Button>
      {Dialog !== undefined && (
        <Suspense fallback={null}>
          <Dialog onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
