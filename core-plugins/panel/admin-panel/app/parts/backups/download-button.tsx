import { useEffect, useRef, useState } from 'react'
import { download } from '../../ground/api/download.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { offerFile } from '../../ground/kit/file-offer/offer-file.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { type Backup, backupsResource } from './backup.ts'

/** Downloads the file with progress and a button to cancel. */
export function DownloadButton({ backup: { id, created_at: at } }: { readonly backup: Backup }) {
  const [percent, setPercent] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const controller = new AbortController()
    running.current = controller
    setPercent(0)
    try {
      const file = await download(`${backupsResource.path}/${id}/download`, {
        signal: controller.signal,
        onProgress: (part) => setPercent(Math.floor(part * 100)),
      })
      offerFile(file, `backup-${id}-${at.slice(0, 19).replaceAll(':', '-')}.tar`)
    } catch (error) {
      if (!controller.signal.aborted) toast('danger', errorText(error))
    }
    setPercent(undefined)
  }

  if (percent === undefined) {
    return (
      <Button icon="download" onPress={() => void start()}>
        {t('operations.backups.download')}
      </Button>
    )
  }
  return (
    <>
      <p role="status">{t('operations.backups.downloading', { percent })}</p>
      <Button onPress={() => running.current?.abort()}>{t('operations.backups.cancel')}</Button>
    </>
  )
}
