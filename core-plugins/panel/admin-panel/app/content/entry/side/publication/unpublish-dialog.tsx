import { useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { useContentTypes } from '../../../../ground/api/content-types.ts'
import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Confirm } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { Usages } from '../removal/usages.tsx'
import { useUsage } from '../removal/use-usage.ts'
import { RefusalNote } from './problem-list.tsx'
import classes from './publication.module.css'
import type { Publication } from './publication.ts'
import type { SavedEntry } from './publication-requests.ts'
import { useEntryChange } from './use-entry-change.ts'

export interface UnpublishDialogProps {
  readonly entry: SavedEntry
  readonly publication: Publication
  readonly onClose: () => void
}

/** Unpublishes an entry, or cancels its scheduled publication. */
export default function UnpublishDialog({ entry, publication, onClose }: UnpublishDialogProps) {
  const access = useAccess()
  // The state when the dialog was opened: after the request the entry is neither public nor scheduled.
  const [isScheduled] = useState(publication.kind === 'scheduled')
  const change = useEntryChange(entry, () => {
    onClose()
    toast('success', t(isScheduled ? 'publication.cancelled' : 'publication.unpublished'))
  })
  return (
    <Confirm
      title={t(isScheduled ? 'publication.cancelTitle' : 'publication.unpublishTitle')}
      action={t(isScheduled ? 'publication.cancelSchedule' : 'publication.unpublish')}
      isOpen
      isDangerous={!isScheduled}
      isPending={change.isPending}
      onConfirm={() => change.mutate({ method: 'PUT', path: '/unpublish' })}
      onClose={onClose}
    >
      {change.error !== null && <RefusalNote error={change.error} />}
      <p>
        {publication.kind === 'scheduled'
          ? t('publication.cancelText', { time: momentText(publication.at) })
          : t('publication.unpublishText')}
      </p>
      {!isScheduled && access.isOn('usages') && <Gaps entry={entry} />}
    </Confirm>
  )
}

/** The entries that refer to this one, where readers will see a gap; renders nothing if there are none. */
function Gaps({ entry }: { readonly entry: SavedEntry }) {
  const types = useContentTypes() ?? []
  const { data, error, isPending } = useUsage(entry)
  if (isPending) return <Skeleton />
  if (error !== null) return <RefusalNote error={error} />
  if (data.usages.length === 0) return null
  return (
    <section className={classes.gaps}>
      <p>{t('publication.unpublishGaps')}</p>
      <Usages usage={data} types={types} showsEffects={false} />
    </section>
  )
}
