import { useMutation, useQuery } from '@tanstack/react-query'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { UsageList } from '../details/usage-list.tsx'
import { usagesOf } from '../media-queries.ts'
import classes from './delete-files.module.css'

export interface DeleteFilesProps {
  readonly files: readonly MediaFile[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const shownUsages = 10

/** Shows where the files are used and how deleting them affects those places, and deletes them. */
export function DeleteFiles({ files, onClose, onDone }: DeleteFilesProps) {
  const ids = files.map(({ id }) => id)
  const usages = useQuery({
    queryKey: ['media', 'usages', ids],
    queryFn: ({ signal }) => usagesOf(ids, shownUsages, signal),
    staleTime: 0,
  })
  const deleting = useMutation({
    mutationFn: () => api.media.deleteMany(ids),
    onSuccess: async ({ count }) => {
      onDone()
      toast('success', t('media.deleted', { count }))
      await refreshMedia()
    },
  })
  const total = usages.data?.total ?? 0
  return (
    <Confirm
      title={
        files.length === 1
          ? t('media.deleteTitle', { name: files[0]?.originalName ?? '' })
          : t('media.deleteManyTitle', { count: files.length })
      }
      action={t('media.deleteCount', { count: files.length })}
      isOpen
      isDangerous
      isPending={deleting.isPending || usages.isPending}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <div className={classes.content}>
        {usages.isPending && <Skeleton lines={2} />}
        {usages.error !== null && <p role="alert">{errorText(usages.error)}</p>}
        {usages.data !== undefined && (
          <p>{total === 0 ? t('media.deleteUnused') : t('media.deleteUsed', { count: total })}</p>
        )}
        {usages.data !== undefined && total > 0 && <UsageList usages={usages.data.usages} total={total} />}
        {deleting.error !== null && (
          <p className={classes.problem} role="alert">
            {errorText(deleting.error)}
          </p>
        )}
      </div>
    </Confirm>
  )
}
