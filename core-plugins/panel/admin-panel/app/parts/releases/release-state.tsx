import type { Release, ReleaseStatus } from '../../../../../../client/admin.ts'
import { momentText, zoneOf } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import classes from './releases.module.css'

const tones = {
  draft: 'neutral',
  scheduled: 'info',
  publishing: 'info',
  published: 'success',
  failed: 'danger',
} as const

export const ReleaseBadge = ({ status }: { readonly status: ReleaseStatus }) => (
  <Badge tone={tones[status]}>{t(`releases.status.${status}`)}</Badge>
)

/** The time at which it was or will be published, with its zone. */
export function ReleaseTime({ release: { publishedAt, scheduledAt } }: { readonly release: Release }) {
  const at = publishedAt ?? scheduledAt
  if (at === null) return null
  return (
    <time dateTime={at} className={classes.quiet} data-tooltip={zoneOf(new Date(at))}>
      {momentText(at)}
    </time>
  )
}
