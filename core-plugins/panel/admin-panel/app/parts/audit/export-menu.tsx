import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { offerFile } from '../../ground/kit/file-offer/offer-file.ts'
import { Menu } from '../../ground/kit/menu/menu.tsx'
import { useListAddress } from '../../ground/kit/resource-list/use-list-address.ts'
import { queryOf } from '../../ground/kit/resource-list/use-resource.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { auditFilters } from './audit-list.ts'
import { exportRecords, mostExported } from './export-records.ts'

/** Exports the filtered list to a file. */
export function ExportMenu() {
  const filters = auditFilters()
  const address = useListAddress(filters)
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(format: 'csv' | 'json') {
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const query = queryOf(filters, { ...address, offset: 0 })
      const input = { query, format, signal: controller.signal, onProgress: setCount }
      const { file, number, isWhole } = await exportRecords(input)
      offerFile(file, `audit-log.${format}`)
      const most = mostExported.toLocaleString(writtenLocale())
      if (isWhole) toast('success', t('operations.audit.exported', { count: number }))
      else toast('info', t('operations.audit.exportedFirst', { count: most }))
    } catch (error) {
      if (!controller.signal.aborted) toast('danger', errorText(error))
    }
    setCount(undefined)
  }

  return (
    <>
      {count !== undefined && <p role="status">{t('operations.audit.exporting', { count })}</p>}
      <Menu
        label={t('operations.audit.export')}
        actions={[
          { id: 'csv', label: t('operations.audit.csv'), onAction: () => void start('csv') },
          { id: 'json', label: t('operations.audit.json'), onAction: () => void start('json') },
        ]}
      >
        <Button icon="download" isDisabled={count !== undefined}>
          {t('operations.audit.export')}
        </Button>
      </Menu>
    </>
  )
}
