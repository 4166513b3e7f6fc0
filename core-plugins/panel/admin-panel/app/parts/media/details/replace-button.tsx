import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { acceptedTypes, kindOf } from '../../../content/files/file-kind.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { fileProblem, uploadProblem } from '../../../content/files/upload/problems.ts'
import { sendFile } from '../../../content/files/upload/send-file.ts'
import { useUploadLimits } from '../../../content/files/upload/use-upload-limits.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { UploadButton } from '../upload/upload-button.tsx'

/** Replaces the file's content under the same id: entries that refer to it show the new content. */
export function ReplaceButton({ file }: { readonly file: MediaFile }) {
  const limits = useUploadLimits()
  const [sentPercent, setSentPercent] = useState(0)
  const replacing = useMutation({
    mutationFn: (content: File) => {
      const problem = fileProblem(content, limits)
      if (problem !== undefined) throw new Error(problem)
      return sendFile({
        file: content,
        replaces: file.id,
        signal: new AbortController().signal,
        onProgress: (bytes) => setSentPercent(Math.round((bytes / content.size) * 100)),
      })
    },
    onSuccess: async () => {
      toast('success', t('media.replaced'))
      await refreshMedia()
    },
    onError: (error) => toast('danger', t('media.notReplaced', { reason: uploadProblem(error, limits) })),
    onSettled: () => setSentPercent(0),
  })
  return (
    <UploadButton
      look="secondary"
      icon="replace"
      allowsMultiple={false}
      accepted={acceptedTypes([kindOf(file.mimeType)])}
      isPending={replacing.isPending}
      onFiles={([content]) => content !== undefined && replacing.mutate(content)}
    >
      {replacing.isPending ? t('media.replacing', { percent: sentPercent }) : t('media.replace')}
    </UploadButton>
  )
}
