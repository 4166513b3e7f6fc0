import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { offerFile } from '../../../ground/kit/file-offer/offer-file.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import type { List } from '../list-context.ts'
import { type ExportFormat, exportEntries, mostExported } from './export-entries.ts'

export interface ExportDialogProps {
  readonly list: List
  readonly format: ExportFormat
  readonly onClose: () => void
}

/** Exports the list to a file. Loaded on demand. */
export default function ExportDialog({ list, format, onClose }: ExportDialogProps) {
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { total = 0 } = list
  const number = Math.min(total, mostExported)
  async function start() {
    const { type, state, columns } = list
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const input = { type, state, columns, format, signal: controller.signal, onProgress: setCount }
      offerFile(await exportEntries(input), `${type.name}.${format}`)
      onClose()
    } catch (error) {
      setCount(undefined)
      if (!controller.signal.aborted) toast('danger', errorText(error))
    }
  }
  return (
    <Confirm
      isOpen
      title={t('list.exportTitle', { format: format.toUpperCase() })}
      onClose={onClose}
      action={t('list.export', { count: number })}
      isPending={count !== undefined}
      onConfirm={() => void start()}
    >
      <p>{t('list.exportText')}</p>
      {total > mostExported && (
        <p>{t('list.exportBound', { most: mostExported.toLocaleString(writtenLocale()) })}</p>
      )}
      {count !== undefined && <p role="status">{t('list.progress', { done: count, count: number })}</p>}
    </Confirm>
  )
}
