import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import classes from './relation.module.css'
import type { Target } from './targets.ts'

export interface TargetLabelProps {
  readonly type: DescribedType
  readonly id: number
  /** Undefined while loading, null if it does not exist. */
  readonly target: Target | null | undefined
}

/** An entry's title as a link that opens in a new tab, so that this form stays open. */
export function TargetLabel({ type, id, target }: TargetLabelProps) {
  if (target === null) return <span className={classes.missing}>{t('relation.missing', { id })}</span>
  return (
    <>
      <a
        className={classes.title}
        href={`/admin/content/${type.name}/${id}`}
        target="_blank"
        rel="noreferrer"
      >
        <bdi>{target?.title ?? `#${id}`}</bdi>
        <Icon name="external-link" size="s" />
        <VisuallyHidden>{t('relation.inNewTab')}</VisuallyHidden>
      </a>
      {target?.isDraft === true && <Badge>{t('relation.draft')}</Badge>}
    </>
  )
}
