import { useState } from 'react'
import { minuteText, momentOf } from '../../../../ground/i18n/local-time.ts'
import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../../ground/kit/dialog/dialog.tsx'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { RefusalNote } from './problem-list.tsx'
import classes from './publication.module.css'
import { type Publication, unpublishAtOf } from './publication.ts'
import type { SavedEntry } from './publication-requests.ts'
import { isAfter, UntilInput } from './until-input.tsx'
import { useEntryChange } from './use-entry-change.ts'

export interface UntilDialogProps {
  readonly entry: SavedEntry
  readonly publication: Publication
  readonly onClose: () => void
}

const dayMs = 24 * 60 * 60_000

/** Sets the time at which an entry is unpublished, independently of publishing it. */
export default function UntilDialog({ entry, publication, onClose }: UntilDialogProps) {
  const known = unpublishAtOf(entry.saved.entry)
  const from = publication.kind === 'scheduled' ? new Date(publication.at) : new Date()
  const [time, setTime] = useState(minuteText(new Date(known ?? from.getTime() + dayMs)))
  const until = momentOf(time)
  const change = useEntryChange(entry, ({ unpublishAt }) => {
    onClose()
    const isSet = typeof unpublishAt === 'string'
    toast(
      'success',
      isSet ? t('publication.untilDone', { time: momentText(unpublishAt) }) : t('publication.untilRemoved'),
    )
  })
  const put = (unpublishAt: string | null) =>
    change.mutate({ method: 'PUT', path: '/unpublish-at', body: { unpublishAt } })
  return (
    <Dialog
      title={t('publication.untilTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          {known !== undefined && (
            <Button isPending={change.isPending} onPress={() => put(null)}>
              {t('publication.untilRemove')}
            </Button>
          )}
          <Button
            look="primary"
            isDisabled={until === undefined || !isAfter(until, from)}
            isPending={change.isPending}
            onPress={() => until !== undefined && put(until.toISOString())}
          >
            {t('publication.untilSet')}
          </Button>
        </>
      }
    >
      <div className={classes.dialog}>
        {change.error !== null && <RefusalNote error={change.error} />}
        <p>{t('publication.untilText')}</p>
        <UntilInput value={time} onChange={setTime} from={from} />
      </div>
    </Dialog>
  )
}
