import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../../ground/api/query-client.ts'
import { sendForm } from '../../ground/api/send-form.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { FileDrop } from '../../ground/kit/file-drop/file-drop.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { type Backup, backupsResource } from './backup.ts'

interface Sending {
  readonly name: string
  readonly percent: number
}

/** Uploads a backup file, which the service verifies. */
export default function UploadBackup({ onClose }: { readonly onClose: () => void }) {
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function send(file: File) {
    const controller = new AbortController()
    running.current = controller
    setProblem(undefined)
    setSending({ name: file.name, percent: 0 })
    try {
      const { name } = await sendForm<Backup>({
        method: 'POST',
        path: `${backupsResource.path}/upload`,
        form: () => formOf(file),
        signal: controller.signal,
        onProgress: (sent) => setSending({ name: file.name, percent: percentOf(sent, file.size) }),
      })
      toast('success', t('operations.backups.uploaded', { name }))
      void queryClient.invalidateQueries({ queryKey: [backupsResource.key] })
      onClose()
    } catch (error) {
      setSending(undefined)
      if (!controller.signal.aborted) setProblem(errorText(error))
    }
  }

  const cancel = <Button onPress={() => running.current?.abort()}>{t('operations.backups.cancel')}</Button>
  return (
    <Dialog
      isOpen
      title={t('operations.backups.uploadTitle')}
      onClose={onClose}
      isDismissable={sending === undefined}
      actions={sending === undefined ? undefined : cancel}
    >
      {problem !== undefined && <p role="alert">{problem}</p>}
      {sending === undefined ? (
        <FileDrop allowsMultiple={false} accepted={['.tar']} onFiles={([file]) => file && void send(file)}>
          {t('operations.backups.uploadText')}
        </FileDrop>
      ) : (
        <p role="status">{progressText(sending)}</p>
      )}
    </Dialog>
  )
}

function formOf(file: File): FormData {
  const form = new FormData()
  form.append('file', file, file.name)
  return form
}

/** The upload is slightly larger than the file, so the result is limited. */
const percentOf = (sent: number, size: number) =>
  size === 0 ? 100 : Math.min(100, Math.floor((100 * sent) / size))

const progressText = ({ name, percent }: Sending) =>
  percent === 100
    ? t('operations.backups.checking', { name })
    : t('operations.backups.uploading', { name, percent })
