import { useAccess } from '../../../../ground/access/access.ts'
import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Badge } from '../../../../ground/kit/badge/badge.tsx'
import { type Publication, publicationOf, unpublishAtOf } from '../publication/publication.ts'
import type { SavedEntry } from '../publication/publication-requests.ts'
import { useSavedEntry } from '../publication/use-saved-entry.ts'
import { PublicationButtons } from './publication-buttons.tsx'
import classes from './status.module.css'
import { Workflow } from './workflow.tsx'

/** Who can read the entry, who has worked on it, and what can be done about that. */
export default function StatusPanel() {
  const entry = useSavedEntry()
  if (entry === undefined) return <p className={classes.quiet}>{t('status.new')}</p>
  return <SavedStatus entry={entry} />
}

function SavedStatus({ entry }: { readonly entry: SavedEntry }) {
  const { type, saved } = entry
  const access = useAccess()
  const publication = publicationOf(saved.entry)
  return (
    <div className={classes.panel}>
      {publication !== undefined && (
        <PublicationState publication={publication} unpublishAt={unpublishAtOf(saved.entry)} />
      )}
      {publication !== undefined && access.mayContent(type.name, 'publish') && (
        <PublicationButtons entry={entry} publication={publication} />
      )}
      {type.workflow !== null && <Workflow entry={entry} workflow={type.workflow} />}
      <Dates entry={entry} />
    </div>
  )
}

const tones = { draft: 'neutral', scheduled: 'info', public: 'success' } as const

interface PublicationStateProps {
  readonly publication: Publication
  readonly unpublishAt: string | undefined
}

function PublicationState({ publication, unpublishAt }: PublicationStateProps) {
  const { kind } = publication
  return (
    <p className={classes.state}>
      <Badge tone={tones[kind]}>{t(`status.${kind}`)}</Badge>
      {kind === 'scheduled' && <span>{t('status.scheduledFor', { time: momentText(publication.at) })}</span>}
      {unpublishAt !== undefined && <Until kind={kind} at={unpublishAt} />}
      {kind === 'public' && publication.hasDraft && <Badge tone="warning">{t('status.hasDraft')}</Badge>}
    </p>
  )
}

/** In milliseconds. Scheduled changes run some seconds late; only after this delay is one reported as overdue. */
const overdueMs = 120_000

function Until({ kind, at }: { readonly kind: Publication['kind']; readonly at: string }) {
  const isOverdue = kind === 'public' && Date.parse(at) + overdueMs < Date.now()
  const text = t(isOverdue ? 'status.overdue' : 'status.until', { time: momentText(at) })
  return isOverdue ? <Badge tone="danger">{text}</Badge> : <span>{text}</span>
}

interface Author {
  readonly username: string
}

interface AuthorMeta {
  readonly created_by?: Author | null
  readonly updated_by?: Author | null
}

function Dates({ entry: { saved } }: { readonly entry: SavedEntry }) {
  const { created_at: created, updated_at: updated, published_at: published, _meta } = saved.entry
  const meta = (_meta ?? {}) as AuthorMeta
  const publication = publicationOf(saved.entry)
  return (
    <dl className={classes.dates}>
      <Moment label={t('status.created')} at={created} by={meta.created_by} />
      <Moment label={t('status.updated')} at={updated} by={meta.updated_by} />
      {publication?.kind === 'public' && <Moment label={t('status.published')} at={published} />}
    </dl>
  )
}

interface MomentProps {
  readonly label: string
  readonly at: unknown
  readonly by?: Author | null | undefined
}

function Moment({ label, at, by }: MomentProps) {
  if (typeof at !== 'string') return null
  return (
    <div className={classes.date}>
      <dt>{label}</dt>
      <dd>
        <time dateTime={at}>{momentText(at)}</time>
        {by !== null && by !== undefined && <span className={classes.by}>{by.username}</span>}
      </dd>
    </div>
  )
}
