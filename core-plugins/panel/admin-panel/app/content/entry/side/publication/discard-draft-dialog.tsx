import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../ground/i18n/translate.ts'
import { Confirm } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { Changes } from '../../diff/changes.tsx'
import { diffEntry } from '../../diff/diff-entry.ts'
import { useSchemaFacts } from '../../diff/use-schema-facts.ts'
import { RefusalNote } from './problem-list.tsx'
import { readPublic, type SavedEntry } from './publication-requests.ts'
import { useEntryChange } from './use-entry-change.ts'

/** Shows the changes that would be lost with the draft of a public entry, and discards it. */
export default function DiscardDraftDialog({
  entry,
  onClose,
}: {
  readonly entry: SavedEntry
  readonly onClose: () => void
}) {
  const { type, id, saved } = entry
  const facts = useSchemaFacts()
  const live = useQuery({
    queryKey: ['public-entry', type.name, id, saved.etag],
    queryFn: ({ signal }) => readPublic(entry, signal),
    gcTime: 0,
  })
  const change = useEntryChange(entry, () => {
    onClose()
    toast('success', t('publication.discarded'))
  })
  const isKnown = live.data !== undefined && facts !== undefined
  return (
    <Confirm
      title={t('publication.discardTitle')}
      action={t('publication.discard')}
      isOpen
      isDangerous
      isPending={change.isPending}
      onConfirm={() => change.mutate({ method: 'DELETE', path: '/draft' })}
      onClose={onClose}
    >
      {change.error !== null && <RefusalNote error={change.error} />}
      <p>{t('publication.discardText')}</p>
      {isKnown ? (
        <Changes
          attributes={type.attributes}
          changes={diffEntry(type.attributes, saved.entry, live.data, facts.fieldsOf)}
          layout="inline"
          facts={facts}
        />
      ) : (
        <Skeleton />
      )}
    </Confirm>
  )
}
