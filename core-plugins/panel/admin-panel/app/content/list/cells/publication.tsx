import { t } from '../../../ground/i18n/translate.ts'
import { Badge, type BadgeProps } from '../../../ground/kit/badge/badge.tsx'
import type { EntryRow } from '../data/entry-row.ts'
import type { PublicationState } from '../state/list-state.ts'

const tones: Readonly<Record<PublicationState, NonNullable<BadgeProps['tone']>>> = {
  published: 'success',
  draft: 'neutral',
  scheduled: 'info',
  changed: 'warning',
}

/** Whether readers see an entry. */
export function publicationOf({ published_at: publishedAt, _meta }: EntryRow): PublicationState {
  if (publishedAt === null || publishedAt === undefined) return 'draft'
  if (Date.parse(publishedAt) > Date.now()) return 'scheduled'
  return _meta?.has_draft === true ? 'changed' : 'published'
}

/** A badge that says whether readers see an entry. */
export function PublicationBadge({ entry }: { readonly entry: EntryRow }) {
  const state = publicationOf(entry)
  return <Badge tone={tones[state]}>{t(`list.publication.${state}`)}</Badge>
}
