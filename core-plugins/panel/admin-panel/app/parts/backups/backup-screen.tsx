import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'wouter'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { formatBytes } from '../../ground/i18n/bytes-text.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Data, Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'
import { useRowActions } from '../../ground/kit/resource-list/use-row-actions.tsx'
import {
  type Backup,
  backupsResource,
  backupsScreen,
  backupTones,
  isBeingMade,
  isRestoring,
  sectionsOf,
} from './backup.ts'
import { deleteAction } from './backups.tsx'
import { DownloadButton } from './download-button.tsx'
import { Restore } from './restore.tsx'

const { key, path, refreshMs } = backupsResource

/** A backup: its contents, its file, and restoring it. */
export default function BackupScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const mayWrite = useAccess().mayArea('backups', 'write')
  const { data: backup, error } = useQuery({
    queryKey: [key, 'item', id],
    queryFn: ({ signal }) => api.send<Backup>('GET', `${path}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (isBeingMade(data) || isRestoring(data)) ? refreshMs : false,
  })
  return (
    <Page
      title={backup?.name ?? t('operations.backups.title')}
      back={{ to: backupsScreen, label: t('operations.backups.back') }}
      aside={
        backup !== undefined && (
          <Badge tone={backupTones[backup.status]}>{t(`operations.backups.statuses.${backup.status}`)}</Badge>
        )
      }
      actions={backup !== undefined && <Actions backup={backup} mayWrite={mayWrite} />}
    >
      {backup === undefined && error !== null && (
        <EmptyState icon="triangle-alert" title={t('operations.backups.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {backup === undefined && error === null && <Skeleton lines={6} />}
      {backup !== undefined && <BackupFacts backup={backup} />}
      {backup?.status === 'completed' && mayWrite && <Restore key={backup.id} backup={backup} />}
    </Page>
  )
}

function BackupFacts({ backup }: { readonly backup: Backup }) {
  const { size, checksum, error, lastRestore } = backup
  const contents = sectionsOf(backup).map((name) => t(`operations.backups.section.${name}`))
  return (
    <>
      <Facts
        isWide
        facts={[
          [t('operations.backups.contents'), contents.join(', ')],
          [t('operations.backups.size'), size === null ? null : formatBytes(size)],
          [t('operations.backups.created'), <Moment key="created" at={backup.created_at} />],
          [t('operations.backups.expires'), <Moment key="expires" at={backup.expires_at} />],
          [t('operations.backups.checksum'), checksum && <code>{checksum}</code>],
          [t('operations.backups.lastRestore'), lastRestore && <RestoreResult {...lastRestore} />],
        ]}
      />
      <Data label={t('operations.backups.error')} value={error} />
    </>
  )
}

function RestoreResult({ status, completed_at, error }: NonNullable<Backup['lastRestore']>) {
  if (status === 'completed') return <Moment at={completed_at} />
  if (status !== 'failed') return t('operations.backups.restoreRunning')
  return t('operations.backups.restoreFailed', { reason: error ?? '' })
}

function Actions({ backup, mayWrite }: { readonly backup: Backup; readonly mayWrite: boolean }) {
  const { start, question } = useRowActions(key)
  const [, navigate] = useLocation()
  const removal = deleteAction(backup)
  const remove = {
    ...removal,
    async run() {
      await removal.run()
      navigate(backupsScreen)
    },
  }
  return (
    <>
      {mayWrite && (
        <Button icon="trash-2" onPress={() => start(remove)}>
          {remove.label}
        </Button>
      )}
      {backup.status === 'completed' && <DownloadButton backup={backup} />}
      {question}
    </>
  )
}
