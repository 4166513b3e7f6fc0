import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { FolderSelect } from '../folders/folder-select.tsx'

export interface MoveFilesProps {
  readonly files: readonly MediaFile[]
  readonly tree: readonly MediaFolderNode[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks for a folder and moves the files. */
export function MoveFiles({ files, tree, onClose, onDone }: MoveFilesProps) {
  const [folder, setFolder] = useState<number | null>(files[0]?.folder ?? null)
  const ids = files.map(({ id }) => id)
  const moving = useMutation({
    mutationFn: () => api.media.moveMany(ids, folder),
    onSuccess: async ({ count }) => {
      onDone()
      toast('success', t('media.moved', { count }))
      await refreshMedia()
    },
    onError: (error) => toast('danger', errorText(error)),
  })
  return (
    <Confirm
      title={t('media.moveTitle', { count: files.length })}
      action={t('media.move')}
      isOpen
      isPending={moving.isPending}
      onClose={onClose}
      onConfirm={() => moving.mutate()}
    >
      <FolderSelect label={t('media.folder')} tree={tree} value={folder} onChange={setFolder} />
    </Confirm>
  )
}
