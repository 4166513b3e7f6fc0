import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import type { SidePanel } from '../entry-parts.ts'
import { SideSection } from './side-section.tsx'

/** The side panels as a sheet, where there is no room beside the form. */
export function SideSheet({ panels }: { readonly panels: readonly SidePanel[] }) {
  const [search] = useSearchParams()
  const asked = search.get('panel')
  const isAskedFor = panels.some(({ id }) => id === asked)
  const [isOpen, setOpen] = useState(isAskedFor)
  useEffect(() => {
    if (isAskedFor) setOpen(true)
  }, [isAskedFor])
  return (
    <>
      <IconButton icon="panel-right" label={t('entry.details')} onPress={() => setOpen(true)} />
      <Drawer title={t('entry.details')} isOpen={isOpen} onClose={() => setOpen(false)}>
        {panels.map((panel) => (
          <SideSection key={panel.id} panel={panel} isAskedFor={asked === panel.id} />
        ))}
      </Drawer>
    </>
  )
}
