import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { StateLabel } from '../../schema/state-label.tsx'
import { useEntry } from '../entry-session.ts'
import { workflowStateOf } from '../side/publication/publication.ts'
import type { Entry } from '../store/entry-store.ts'

/** Badges: whether the entry is public, and whether the form has unsaved changes. */
export function StateBadge() {
  const { type, saved, isDirty } = useEntry()
  return (
    <>
      {saved !== undefined && type.options.draftAndPublish === true && <Publication entry={saved.entry} />}
      {saved !== undefined && type.workflow !== null && <WorkflowState type={type} entry={saved.entry} />}
      {isDirty && <Badge tone="warning">{t('entry.unsaved')}</Badge>}
    </>
  )
}

function WorkflowState({ type, entry }: { readonly type: DescribedType; readonly entry: Entry }) {
  const state = workflowStateOf(type, entry)
  if (state === undefined) return null
  return (
    <Badge>
      <StateLabel state={state} name={state.name} />
    </Badge>
  )
}

function Publication({ entry }: { readonly entry: Entry }) {
  const { published_at: publishedAt, has_draft: hasDraft } = entry
  if (typeof publishedAt !== 'string') return <Badge>{t('entry.draft')}</Badge>
  if (Date.parse(publishedAt) > Date.now()) return <Badge tone="info">{t('entry.scheduled')}</Badge>
  if (hasDraft === true) return <Badge tone="info">{t('entry.publishedWithDraft')}</Badge>
  return <Badge tone="success">{t('entry.published')}</Badge>
}
