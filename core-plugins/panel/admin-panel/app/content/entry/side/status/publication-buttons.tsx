import { Suspense, useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { lazyPart } from '../../../../ground/lazy/lazy-part.ts'
import { useEntry } from '../../entry-session.ts'
import { isPublishable, type Publication, unpublishAtOf } from '../publication/publication.ts'
import type { SavedEntry } from '../publication/publication-requests.ts'
import classes from './status.module.css'

const PublishDialog = lazyPart(() => import('../publication/publish-dialog.tsx'))
const UnpublishDialog = lazyPart(() => import('../publication/unpublish-dialog.tsx'))
const UntilDialog = lazyPart(() => import('../publication/until-dialog.tsx'))
const DiscardDraftDialog = lazyPart(() => import('../publication/discard-draft-dialog.tsx'))

type Asked = 'schedule' | 'unpublish' | 'until' | 'discard'

export interface PublicationButtonsProps {
  readonly entry: SavedEntry
  readonly publication: Publication
}

/** What can be done about the publication besides publishing now, for those who may publish. */
export function PublicationButtons({ entry, publication }: PublicationButtonsProps) {
  const { isDirty, save, reveal } = useEntry()
  const access = useAccess()
  const [asked, setAsked] = useState<Asked>()
  const { type, saved } = entry
  const close = () => setAsked(undefined)

  /** The schedule applies to the saved version, so changes are saved first. */
  async function schedule() {
    if (!isDirty || (await save())) setAsked('schedule')
  }

  return (
    <div className={classes.buttons}>
      {publication.kind !== 'public' && isPublishable(type, saved.entry) && (
        <Button size="s" icon="calendar-clock" onPress={() => void schedule()}>
          {t(publication.kind === 'scheduled' ? 'status.changeTime' : 'status.schedule')}
        </Button>
      )}
      {publication.kind !== 'draft' && (
        <Button size="s" icon="eye-off" onPress={() => setAsked('unpublish')}>
          {t(publication.kind === 'scheduled' ? 'status.cancelSchedule' : 'status.unpublish')}
        </Button>
      )}
      {publication.kind !== 'draft' && access.isOn('unpublish-times') && (
        <Button size="s" icon="timer" onPress={() => setAsked('until')}>
          {t(unpublishAtOf(saved.entry) === undefined ? 'status.unpublishAt' : 'status.changeUntil')}
        </Button>
      )}
      {saved.entry.has_draft === true && access.mayContent(type.name, 'update') && (
        <Button size="s" icon="undo-2" onPress={() => setAsked('discard')}>
          {t('status.discard')}
        </Button>
      )}
      <Suspense fallback={null}>
        {asked === 'schedule' && (
          <PublishDialog
            {...{ entry, publication, isScheduling: true, onClose: close }}
            onReveal={(path) => {
              close()
              reveal(path)
            }}
          />
        )}
        {asked === 'unpublish' && <UnpublishDialog entry={entry} publication={publication} onClose={close} />}
        {asked === 'until' && <UntilDialog entry={entry} publication={publication} onClose={close} />}
        {asked === 'discard' && <DiscardDraftDialog entry={entry} onClose={close} />}
      </Suspense>
    </div>
  )
}
