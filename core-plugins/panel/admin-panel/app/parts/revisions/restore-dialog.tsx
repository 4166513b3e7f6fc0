import { useState } from 'react'
import type { ErrorDetail } from '../../../../../../client/client.ts'
import { useEntry } from '../../content/entry/entry-session.ts'
import { ProblemList, RefusalNote } from '../../content/entry/side/publication/problem-list.tsx'
import { publicationOf } from '../../content/entry/side/publication/publication.ts'
import type { SavedEntry } from '../../content/entry/side/publication/publication-requests.ts'
import { useEntryChange } from '../../content/entry/side/publication/use-entry-change.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Confirm, Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import type { RevisionSummary } from './use-revisions.ts'

export interface RestoreDialogProps {
  readonly entry: SavedEntry
  readonly revision: RevisionSummary
  readonly onClose: () => void
  readonly onBack: () => void
}

/** Confirms restoring a revision, and lists what could not be restored. */
export function RestoreDialog({ entry, revision, onClose, onBack }: RestoreDialogProps) {
  const { isDirty } = useEntry()
  const [leftOut, setLeftOut] = useState<readonly ErrorDetail[]>()
  const { id, version } = revision
  const change = useEntryChange(entry, ({ _leftOut: left }) => {
    toast('success', t('history.restored', { version }))
    if (Array.isArray(left) && left.length > 0) setLeftOut(left)
    else onClose()
  })
  if (leftOut !== undefined) return <LeftOut problems={leftOut} onClose={onClose} />
  return (
    <Confirm
      title={t('history.restoreTitle', { version })}
      action={t('history.restore')}
      isOpen
      isPending={change.isPending}
      onConfirm={() => change.mutate({ method: 'POST', path: `/revisions/${id}/restore` })}
      onClose={onBack}
    >
      {change.error !== null && <RefusalNote error={change.error} />}
      <p>{consequenceOf(entry)}</p>
      {isDirty && <p>{t('history.unsavedStay')}</p>}
    </Confirm>
  )
}

/** What restoring changes, and who will see it. */
function consequenceOf({ type, saved }: SavedEntry): string {
  if (publicationOf(saved.entry)?.kind !== 'public') return t('history.restoreText')
  return t(type.options.draftOverlay === true ? 'history.restoreDraft' : 'history.restorePublic')
}

function LeftOut({
  problems,
  onClose,
}: {
  readonly problems: readonly ErrorDetail[]
  readonly onClose: () => void
}) {
  return (
    <Dialog
      title={t('history.leftOutTitle')}
      size="m"
      isOpen
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('kit.close')}</Button>}
    >
      <ProblemList title={t('history.leftOut', { count: problems.length })} problems={problems} />
    </Dialog>
  )
}
