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
  /** Undefined while it is not known, null if there is none. */
  readonly target: Target | null | undefined
}

/** An entry by its title, which leads to it in a new tab: this form stays as it is. */
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
