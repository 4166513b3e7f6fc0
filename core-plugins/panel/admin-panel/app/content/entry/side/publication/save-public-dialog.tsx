import { useState } from 'react'
import { t } from '../../../../ground/i18n/translate.ts'
import { Confirm } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { diffEntry } from '../../diff/diff-entry.ts'
import { useSchemaFacts } from '../../diff/use-schema-facts.ts'
import { useEntrySession } from '../../entry-session.ts'
import { PublicDifference } from './public-difference.tsx'
import classes from './publication.module.css'

/** For types without drafts of public entries: shows what saving makes public immediately. */
export default function SavePublicDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, type, save } = useEntrySession()
  const facts = useSchemaFacts()
  const [isPending, setPending] = useState(false)

  async function saveAndClose() {
    setPending(true)
    await save()
    // Refused values are shown at their fields.
    onClose()
  }

  return (
    <Confirm
      title={t('publication.saveTitle')}
      size="l"
      isOpen
      onClose={onClose}
      action={t('publication.save')}
      isPending={isPending}
      onConfirm={() => void saveAndClose()}
    >
      <div className={classes.dialog}>
        {facts === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <PublicDifference
            type={type}
            isPublic
            changes={diffEntry(type.attributes, store.base(), store.values(), facts.fieldsOf)}
            facts={facts}
          />
        )}
      </div>
    </Confirm>
  )
}
