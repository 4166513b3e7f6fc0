import { useState } from 'react'
import { minuteText, momentOf } from '../../../../ground/i18n/local-time.ts'
import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Confirm } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { type SchemaFacts, useSchemaFacts } from '../../diff/use-schema-facts.ts'
import { HiddenReferences } from './hidden-references.tsx'
import { ProblemList, RefusalNote } from './problem-list.tsx'
import { PublicDifference } from './public-difference.tsx'
import classes from './publication.module.css'
import { type Publication, publicationOf } from './publication.ts'
import type { SavedEntry } from './publication-requests.ts'
import { useEntryChange } from './use-entry-change.ts'
import { type PublishPreview, usePublishPreview } from './use-publish-preview.ts'
import { useUntil } from './use-until.tsx'
import { WhenInput } from './when-input.tsx'

export interface PublishDialogProps {
  readonly entry: SavedEntry
  readonly publication: Publication
  /** Whether the dialog opens with the choice of a time. */
  readonly isScheduling: boolean
  readonly onReveal: (path: string) => void
  readonly onClose: () => void
}

const dayMs = 24 * 60 * 60_000

/** Shows what becomes public and what does not, and asks for the time. */
export default function PublishDialog(props: PublishDialogProps) {
  const { entry, publication, isScheduling, onReveal, onClose } = props
  const proposal = publication.kind === 'scheduled' ? publication.at : Date.now() + dayMs
  const [time, setTime] = useState(isScheduling ? minuteText(new Date(proposal)) : undefined)
  const facts = useSchemaFacts()
  const preview = usePublishPreview(entry, facts)
  const change = useEntryChange(entry, ({ published_at: at }) => {
    onClose()
    toast('success', doneText(at))
  })
  const moment = time === undefined ? undefined : momentOf(time)
  const until = useUntil(entry, moment)
  const isReady =
    (time === undefined || (moment !== undefined && moment.getTime() > Date.now())) && until.isReady
  const isBlocked = preview.data === undefined || preview.data.problems.length > 0

  function publish() {
    const body = { ...(moment && { publishedAt: moment.toISOString() }), ...until.sent }
    change.mutate({ method: 'PUT', path: '/publish', body })
  }

  return (
    <Confirm
      title={t(isScheduling ? 'publication.scheduleTitle' : 'publication.publishTitle')}
      size="l"
      isOpen
      onClose={onClose}
      action={
        moment === undefined
          ? t('publication.publish')
          : t('publication.publishAt', { time: momentText(moment) })
      }
      isDisabled={!isReady || isBlocked}
      isPending={change.isPending}
      onConfirm={publish}
    >
      <div className={classes.dialog}>
        {change.error !== null && <RefusalNote error={change.error} onReveal={onReveal} />}
        {publication.kind !== 'public' && (
          <WhenInput value={time} onChange={setTime} proposal={proposalText(proposal)} />
        )}
        {until.input}
        {preview.error !== null && <RefusalNote error={preview.error} />}
        {preview.data !== undefined && facts !== undefined ? (
          <Preview preview={preview.data} {...{ entry, facts, publication, onReveal }} />
        ) : (
          preview.error === null && <Skeleton lines={6} />
        )}
      </div>
    </Confirm>
  )
}

const proposalText = (proposal: string | number) => minuteText(new Date(proposal))

function doneText(publishedAt: unknown): string {
  const publication = publicationOf({ published_at: publishedAt })
  if (publication?.kind !== 'scheduled') return t('publication.published')
  return t('publication.scheduled', { time: momentText(publication.at) })
}

interface PreviewProps extends Pick<PublishDialogProps, 'entry' | 'publication' | 'onReveal'> {
  readonly preview: PublishPreview
  readonly facts: SchemaFacts
}

function Preview({ preview, facts, entry, publication, onReveal }: PreviewProps) {
  const { problems, hidden, changes } = preview
  return (
    <>
      {problems.length > 0 && (
        <ProblemList title={t('publication.problems')} problems={problems} onReveal={onReveal} />
      )}
      {hidden.length > 0 && <HiddenReferences references={hidden} />}
      <PublicDifference type={entry.type} isPublic={publication.kind === 'public'} {...{ changes, facts }} />
    </>
  )
}
