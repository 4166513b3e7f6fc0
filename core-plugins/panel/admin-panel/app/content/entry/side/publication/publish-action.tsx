import { Suspense, useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { useShortcuts } from '../../../../ground/keyboard/shortcuts.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { lazyPart } from '../../../../ground/lazy/lazy-part.ts'
import { hasDraftsBeside } from '../../../schema/drafts-beside.ts'
import { useEntry } from '../../entry-session.ts'
import { isPublishable, publicationOf } from './publication.ts'
import { useSavedEntry } from './use-saved-entry.ts'

const PublishDialog = lazyPart(() => import('./publish-dialog.tsx'))
const SavePublicDialog = lazyPart(() => import('./save-public-dialog.tsx'))

/** Saves unsaved changes and opens the publish dialog. If saving alone changes what is public, that is shown first. */
export function PublishAction() {
  const { type, saved, isDirty, save, reveal } = useEntry()
  const access = useAccess()
  const entry = useSavedEntry()
  const [isOpen, setOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const publication = saved && publicationOf(saved.entry)
  const isLive = publication?.kind === 'public' && !hasDraftsBeside(type, access)
  const hasNews = publication?.kind !== 'public' || publication.hasDraft || isDirty
  const isDisabled = entry === undefined || !hasNews || !isPublishable(type, saved?.entry ?? {}) || isSaving

  async function open() {
    if (!isDirty || isLive) return setOpen(true)
    setSaving(true)
    const isSaved = await save()
    setSaving(false)
    setOpen(isSaved)
  }

  useShortcuts({ group: t('publication.group') }, [
    { keys: 'Mod+Enter', label: t('publication.publish'), run: () => void open(), isDisabled },
  ])

  const close = () => setOpen(false)
  const revealAfter = (path: string) => {
    close()
    reveal(path)
  }
  return (
    <>
      <Button icon="send" isDisabled={isDisabled} isPending={isSaving} onPress={() => void open()}>
        {t('publication.publishAsk')}
      </Button>
      {isOpen && entry !== undefined && publication !== undefined && (
        <Suspense fallback={null}>
          {isLive ? (
            <SavePublicDialog onClose={close} />
          ) : (
            <PublishDialog
              {...{ entry, publication, onClose: close, onReveal: revealAfter, isScheduling: false }}
            />
          )}
        </Suspense>
      )}
    </>
  )
}
