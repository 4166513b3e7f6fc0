import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { VisuallyHidden } from '../../ground/kit/visually-hidden/visually-hidden.tsx'
import classes from './inbox.module.css'
import { useInboxCount } from './use-inbox-count.ts'

/** The count beside the inbox in the navigation. */
export default function InboxCount() {
  const count = useInboxCount()
  if (count === undefined || count.total === 0) return null
  const shown = count.total > 99 || count.hasMore ? `${Math.min(count.total, 99)}+` : String(count.total)
  return (
    <span className={classes.count}>
      <Badge tone="info">
        <span aria-hidden>{shown}</span>
        <VisuallyHidden>{t('inbox.count', { count: count.total })}</VisuallyHidden>
      </Badge>
    </span>
  )
}
